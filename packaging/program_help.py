"""Reads what the programs say of themselves: `--help` of every command, the catalogues of games,
algorithms and backends. Man pages and completions are made from this, so nothing is listed twice."""

import dataclasses
import json
import re
import subprocess
from concurrent.futures import ThreadPoolExecutor

COLUMN = 30  # where the library begins the explanations of options and commands
SECTIONS = {"Positionals", "Options", "Subcommands"}
# Placeholders of what the catalogues list.
CATALOGUES = {"GAME": "game", "ALGO": "algorithm", "BACKEND": "backend"}
# A choice among words as the help writes it: "auto, json or none", after a colon or alone.
WORD = r"[A-Za-z][\w>=-]*"
CHOICE = re.compile(rf"(?:^|: ){WORD}(?:, {WORD})* or {WORD}$")
# An option or argument as the library writes it: -h,--help or --seconds X REQUIRED Excludes: --playouts
HEAD = re.compile(r"(?P<names>-[\w-]+(?:,-[\w-]+)*(?:\{\w+\})?|[A-Z][\w-]*)"
                  r"(?: (?!REQUIRED)(?P<argument>\[?[A-Z][\w/.-]*\]?))?(?P<repeated> \.\.\.)?"
                  r"(?P<required> REQUIRED)?(?: Needs:(?: [\w-]+)+)?(?: Excludes:(?P<excludes>(?: [\w-]+)+))?")


class HelpError(Exception):
    """A help that is not written as expected, with its line."""


@dataclasses.dataclass
class Option:
    names: list  # ["-h", "--help"]; of an argument: ["GAME"]
    argument: str  # "FILE"; "" of a flag
    required: bool
    repeated: bool
    optional: bool  # an argument that need not follow
    excludes: list
    help: str
    catalogue: str = ""  # "game": its name is one of those
    entry: str = ""  # "hex": it is this game, with its keys

    @property
    def is_positional(self):
        return not self.names[0].startswith("-")

    def words(self):
        """What may follow, where the help lists it; placeholders such as N in score>=N left out."""
        text = re.sub(r" *\([^()]*\)", "", self.help)
        choice = CHOICE.search(text)
        found = re.findall(rf"({WORD})(?:, | or |$)", choice.group().lstrip(": ")) if choice else []
        return [word for word in found if re.fullmatch(r"[a-z0-9][\w-]*", word)]

    def kind(self):
        """What may follow: "" nothing, "words", "game", "algorithm", "backend", one game's name, "file"
        or "text"."""
        if not self.argument and not self.is_positional:
            return ""
        if self.entry:
            return self.entry
        if self.catalogue or self.placeholder in CATALOGUES:
            return self.catalogue or CATALOGUES[self.placeholder]
        if self.words():
            return "words"
        file_like = self.is_positional or any(part in self.placeholder for part in ("FILE", "DIR", "."))
        return "file" if file_like else "text"

    @property
    def placeholder(self):
        return self.names[0] if self.is_positional else self.argument


@dataclasses.dataclass
class Command:
    path: list  # ["playproof", "bench", "search"]
    summary: list  # paragraphs
    usage: str
    options: list
    commands: list  # (name, help)
    footer: list  # paragraphs, their lines as they are

    @property
    def arguments(self):
        return [option for option in self.options if option.is_positional]

    @property
    def flags(self):
        return [option for option in self.options if not option.is_positional]

    def statuses(self):
        """[(status, meaning)] of the paragraph that lists them."""
        for paragraph in self.footer:
            if paragraph.startswith("Exit status: "):
                text = " ".join(paragraph.split()).removeprefix("Exit status: ").removesuffix(".")
                return [tuple(part.split(" ", 1)) for part in re.split(r"[,;] (?=\d+ )", text)]
        return []

    def examples(self):
        """The command lines of the paragraph of examples, as they are."""
        for paragraph in self.footer:
            match = re.match(r"Examples?:\s", paragraph)
            if match:
                return paragraph[match.end():].removeprefix("  ").replace("\n  ", "\n").split("\n")
        return []

    def prose(self):
        """The other paragraphs, each as one line."""
        return [" ".join(p.split()) for p in self.footer
                if not re.match(r"Exit status: |Examples?:\s", p)]


def entries(lines, place):
    """(head, explanation) of the lines of a section."""
    found = []
    for line in lines:
        head, text = line[:COLUMN], line[COLUMN:]
        if re.match(r"  \S", line):
            if not text or HEAD.fullmatch(line.strip()):  # its explanation, if any, is below
                head, text = line, ""
            elif head[-1] != " ":
                raise HelpError(f"{place}: cannot read '{line}'")
            found.append([head.strip(), text.strip()])
        elif not head.strip() and found:
            found[-1][1] = f"{found[-1][1]}\n{text.strip()}".strip("\n")
        else:
            raise HelpError(f"{place}: cannot read '{line}'")
    return found


def read_option(head, text, positional, place):
    match = HEAD.fullmatch(head)
    if not match or positional == head.startswith("-"):
        raise HelpError(f"{place}: cannot read '{head}'")
    names = [re.sub(r"\{.*\}$", "", name) for name in match["names"].split(",")]
    argument = match["argument"] or ""
    return Option(names, argument.strip("[]"), bool(match["required"]), bool(match["repeated"]),
                  argument.startswith("["), (match["excludes"] or "").split(), " ".join(text.split()))


def read_help(path, text):
    """The Command behind the help that `path --help` prints."""
    place = " ".join(path) + " --help"
    lines = text.rstrip("\n").split("\n")
    usage = next((i for i, line in enumerate(lines) if line.startswith("Usage: ")), None)
    if usage is None:
        raise HelpError(f"{place}: no line 'Usage: '")
    command = Command(path, paragraphs(lines[:usage]), lines[usage].removeprefix("Usage: "), [], [], [])
    i = usage + 1
    while i < len(lines):
        if not lines[i]:
            i += 1
            continue
        if lines[i].rstrip(":") not in SECTIONS:
            break
        end = next((j for j in range(i + 1, len(lines)) if not lines[j]), len(lines))
        # An explanation may have paragraphs of its own: lines of blanks alone are part of it.
        for head, explanation in entries(lines[i + 1:end], place):
            if lines[i] == "Subcommands:":
                command.commands.append((head, explanation))
            else:
                positional = lines[i] == "Positionals:"
                command.options.append(read_option(head, explanation, positional, place))
        i = end
    command.footer = paragraphs(lines[i:], joined="\n")
    if not command.flags:
        raise HelpError(f"{place}: no options")
    return command


def paragraphs(lines, joined=" "):
    return [joined.join(p.split("\n")) for p in re.split(r"\n\s*\n", "\n".join(lines).strip("\n")) if p]


def output(program, *arguments):
    process = subprocess.run([program, *arguments], capture_output=True, text=True, check=False)
    if process.returncode != 0:
        raise HelpError(f"{program} {' '.join(arguments)}: status {process.returncode}: {process.stderr}")
    return process.stdout


def read_commands(program, path):
    """The command and all below it, in the order of the help."""
    command = read_help(path, output(program, *path[1:], "--help"))
    with ThreadPoolExecutor() as pool:
        below = pool.map(lambda name: read_commands(program, [*path, name]),
                         [name for name, _ in command.commands])
        return [command, *(inner for found in below for inner in found)]


@dataclasses.dataclass
class Entry:
    """A game, an algorithm or a backend, with the keys that it takes after the colon."""
    name: str
    summary: str
    options: list


@dataclasses.dataclass
class Programs:
    commands: list  # of playproof, the program itself first
    checker: Command
    cluster: list  # of playproof-cluster, the program itself first
    catalogues: dict  # {"game": [Entry], "algorithm": ..., "backend": ..., "hex": that game alone}
    version: str  # "0.2.0"

    @property
    def all(self):
        return [*self.commands, self.checker, *self.cluster]

    def below(self, command):
        return [c for c in self.all if c.path[:-1] == command.path]


def read_programs(program, checker):
    listed = {kind: json.loads(output(program, *call, "--json"))
              for kind, call in {"game": ["games"], "algorithm": ["algorithms"],
                                 "version": ["version"]}.items()}
    catalogues = {kind: [Entry(e["name"], e["summary"], e.get("options", [])) for e in found]
                  for kind, found in (("game", listed["game"]), ("algorithm", listed["algorithm"]),
                                      ("backend", listed["version"]["backends"]))}
    games = {entry.name: entry for entry in catalogues["game"]}
    commands = read_commands(program, ["playproof"])
    for command in commands:  # `games NAME`: the catalogue that the command lists
        for option in command.arguments:
            kind = command.path[-1].removesuffix("s")
            if option.names == ["NAME"] and kind in catalogues:
                option.catalogue = kind
            if option.names[0].lower() in games:  # HEX: a board of that game
                option.entry = option.names[0].lower()
                catalogues[option.entry] = [games[option.entry]]
    import cluster_help  # it makes Commands, too

    check = read_help(["playproof-check"], output(checker, "--help"))
    return Programs(commands, check, cluster_help.commands(), catalogues, listed["version"]["release"])
