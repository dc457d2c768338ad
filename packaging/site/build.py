"""Makes the documents a site: build-site/html. The Markdown of the project in folders as it lies,
whatever it links to beside it, the manual pages, the Python package's calls and the C++ headers.
usage: build.py PLAYPROOF PLAYPROOF_CHECK FOLDER"""

import pathlib
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parents[1]
sys.path.insert(0, str(HERE.parent))
import check_links
import cpp_comments
import make_share
import man_pages
import program_help
import python_reference

LINK = re.compile(r"(\]\()\s*([^)\s#]+)((?:#[^)\s]*)?\))")
FENCE = re.compile(r"(^```.*?^```$|`[^`\n]*`)", re.M | re.S)
LANGUAGES = {".py": "python", ".h": "cpp", ".cpp": "cpp", ".cu": "cpp", ".toml": "ini", ".cmake": "cmake",
             ".txt": "text", ".sh": "bash", ".json": "json"}
AS_THEY_ARE = {".svg", ".png", ".jpg", ".gif", ".webp", ".html", ".ipynb", ".pdf"}
LARGE = 400_000  # bytes; what is larger is copied, not shown

# The order of the navigation; documents that no group names come last, by title.
GROUPS = {
    "": ["README.md", "docs/install.md", "docs/python.md", "CHANGELOG.md"],
    "Experiments": ["bench/plans/README.md", "bench/results/README.md", "bench/README.md"],
    "What it means": ["docs/numbers.md", "docs/readings.md", "docs/certificate.md", "games/PLAYOUTS.md"],
    "Commands": [],
    "Reference": [],
    "Adding to it": ["CONTRIBUTING.md", "docs/tour.md", "docs/add-a-game.md", "docs/add-an-algorithm.md"],
    "More": [],
}


def tracked(*patterns):
    listed = subprocess.run(["git", "-C", SOURCE, "ls-files", "-z", "--cached", "--others", "--exclude-standard",
                             *patterns], capture_output=True, text=True, check=True).stdout
    return sorted(name for name in listed.split("\0") if name and (SOURCE / name).is_file())


def title(text):
    heading = re.search(r"^# +(.+)$", text, re.M)
    return re.sub(r"[`*]", "", heading.group(1)) if heading else None


class Site:
    """The folder that MkDocs reads."""

    def __init__(self, folder):
        self.docs = folder / "docs"
        self.documents = tracked("*.md")
        self.titles = {}  # {path: title} of the pages of the navigation
        self.shown = {}  # {path in the sources: page or file of the site}
        for made in ("docs", "headers", "html"):
            shutil.rmtree(folder / made, ignore_errors=True)

    def write(self, name, text):
        path = self.docs / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def document(self, name, text):
        """A page of the navigation, its links led to what the site has."""
        folder = pathlib.PurePosixPath(name).parent
        for image in re.findall(r'<(?:img|source)[^>]* src(?:set)?="([^":]+)"', text):
            self.target(folder, image)  # lies beside the page then
        parts = FENCE.split(text)
        for i in range(0, len(parts), 2):
            parts[i] = LINK.sub(lambda m: m[1] + self.target(folder, m[2]) + m[3], parts[i])
        self.write(name, "".join(parts))
        self.titles[name] = title(text) or name

    def target(self, folder, link):
        """Where a link of a document in `folder` leads on the site."""
        if re.match(r"[a-z]+:", link):
            return link
        path = (SOURCE / folder / link).resolve()
        if not path.is_relative_to(SOURCE) or not path.exists():
            return link  # MkDocs says so
        name = path.relative_to(SOURCE).as_posix()
        if name in self.documents:
            return link
        if name not in self.shown:
            self.shown[name] = name  # a folder may hold a file that is on its way
            self.shown[name] = self.listing(name) if path.is_dir() else self.code(name)
        up = "../" * len(folder.parts)
        return up + self.shown[name]

    def listing(self, folder):
        """A page that lists a folder of the sources."""
        files = [name for name in tracked(folder) if not name.endswith((".db", ".xz", ".png"))
                 and not name.split("/")[-1].startswith(".")]
        if f"{folder}/README.md" in files:
            return f"{folder}/README.md"
        here = pathlib.PurePosixPath(folder)
        lines = [f"# {folder}", ""]
        for name in files:
            place = pathlib.PurePosixPath(name).relative_to(here).as_posix()
            lines.append(f"- [{place}]({self.target(here, place)})")
        self.write(f"{folder}/index.md", "\n".join(lines) + "\n")
        return f"{folder}/index.md"

    def code(self, name):
        """A page that shows a file of the sources; the file itself where it is no text."""
        path = SOURCE / name
        shown = path.suffix not in AS_THEY_ARE and path.stat().st_size < LARGE
        try:
            text = path.read_text(encoding="utf-8") if shown else None
        except UnicodeDecodeError:
            text = None
        if text is None:
            (self.docs / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, self.docs / name)
            return name
        fence = "~" * (3 + max((len(run) for run in re.findall(r"^~+", text, re.M)), default=0))
        self.write(f"{name}.md", f"# {name}\n\n{fence}{LANGUAGES.get(path.suffix, 'text')}\n{text.rstrip()}\n"
                                 f"{fence}\n")
        return f"{name}.md"

    def navigation(self):
        """Lines of mkdocs.yml."""
        grouped = {name for names in GROUPS.values() for name in names}
        for name in sorted(self.titles, key=lambda name: self.titles[name].lower()):
            if name not in grouped:
                group = {"commands": "Commands", "reference": "Reference"}.get(name.split("/")[0], "More")
                GROUPS[group].append(name)
        for group, names in GROUPS.items():
            if group and names:
                yield f"  - {quoted(group)}:"
            for name in names:
                if name not in self.titles:
                    raise program_help.HelpError(f"the navigation names {name}, which is not there")
                yield f"{'      ' if group else '  '}- {quoted(self.titles[name])}: {name}"


def quoted(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def command_pages(site, programs, date):
    for command in programs.all:
        page = man_pages.page(command, programs, date)
        html = subprocess.run(["mandoc", "-T", "html", "-O", "fragment,man=%N.%S.html"], input=page,
                              capture_output=True, text=True, check=True).stdout
        name = f"commands/{man_pages.page_name(command)}.1.md"
        heading = " ".join(command.path)
        site.write(name, f"# {heading}\n\n<div class=\"manual\">\n{html}</div>\n")
        site.titles[name] = heading


def cpp_pages(site, release):
    """The headers that `make install` lays down, by doxygen."""
    headers = tracked("games/*.h", "kernels/*.h", "host/*.h")
    folder = site.docs.parent / "headers"
    for name in headers:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        text = (SOURCE / name).read_text(encoding="utf-8")
        (folder / name).write_text(cpp_comments.for_doxygen(text), encoding="utf-8")
    config = (HERE / "Doxyfile").read_text(encoding="utf-8")
    config += f"INPUT = .\nRECURSIVE = YES\nOUTPUT_DIRECTORY = {site.docs}\nPROJECT_NUMBER = {release}\n"
    process = subprocess.run(["doxygen", "-"], input=config, cwd=folder, capture_output=True, text=True,
                             check=False)
    if process.returncode != 0 or process.stderr:
        sys.exit(f"doxygen: status {process.returncode}\n{process.stderr}")
    site.document("reference/cpp.md", (HERE / "cpp.txt").read_text(encoding="utf-8"))
    print(f"doxygen: {len(headers)} headers")


def main(program, checker, folder):
    folder = pathlib.Path(folder).resolve()
    site = Site(folder)
    for name in site.documents:
        site.document(name, (SOURCE / name).read_text(encoding="utf-8"))
    programs = program_help.read_programs(program, checker)
    changelog = (SOURCE / "CHANGELOG.md").read_text(encoding="utf-8")
    command_pages(site, programs, make_share.release_date(changelog, programs.version))
    site.document("reference/python.md", python_reference.page(SOURCE))
    cpp_pages(site, programs.version)
    shutil.copy(HERE / "site.css", site.docs)
    config = (HERE / "mkdocs.yml").read_text(encoding="utf-8") + "\n".join(["nav:", *site.navigation()]) + "\n"
    (folder / "mkdocs.yml").write_text(config, encoding="utf-8")
    made = subprocess.run(["mkdocs", "build", "--strict", "--config-file", folder / "mkdocs.yml"], text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if made.returncode != 0:
        sys.exit("\n".join(line for line in made.stdout.split("\n") if "WARN" in line or "rror" in line))
    (folder / "html" / "404.html").unlink()  # its links are those of a server's root
    pages, links = check_links.check(folder / "html", foreign=("cpp",))
    print(f"{folder / 'html'}: {pages} pages, {links} links inside, all good")


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except (program_help.HelpError, check_links.BadLinks) as error:
        sys.exit(f"site: {error}")
    except subprocess.CalledProcessError as error:
        sys.exit(f"site: {error}")
