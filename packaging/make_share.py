"""Makes the folder `share` of an installation: manual pages and completions, from what the programs
say of themselves. usage: make_share.py PLAYPROOF PLAYPROOF_CHECK CHANGELOG FOLDER"""

import pathlib
import re
import sys

import completions
import man_pages
import program_help


def release_date(changelog, version):
    """The day of a version, as its heading says."""
    found = re.search(rf"^## \[{re.escape(version)}\] - (\d{{4}}-\d\d-\d\d)$", changelog, re.M)
    if not found:
        raise program_help.HelpError(f"the changelog has no heading '## [{version}] - YYYY-MM-DD'")
    return found.group(1)


def files(programs, date):
    """{path below share: text}"""
    bash = completions.bash(programs)
    made = {f"man/man1/{name}": text for name, text in man_pages.pages(programs, date).items()}
    for program in ("playproof", "playproof-check", "playproof-cluster"):  # each is looked for by its own name
        made[f"bash-completion/completions/{program}"] = bash
        made[f"fish/vendor_completions.d/{program}.fish"] = completions.fish(programs, program)
    made["zsh/site-functions/_playproof"] = completions.zsh(programs)
    return made


def main(program, checker, changelog, folder):
    programs = program_help.read_programs(program, checker)
    date = release_date(pathlib.Path(changelog).read_text(encoding="utf-8"), programs.version)
    for name, text in files(programs, date).items():
        path = pathlib.Path(folder) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except program_help.HelpError as error:
        sys.exit(f"make_share.py: {error}")
