"""Completions for bash, zsh and fish, from what the programs say of themselves: each shell's file in
packaging/completions has the code, and gets its tables here."""

import pathlib

TEMPLATES = pathlib.Path(__file__).parent / "completions"


def line(text):
    return " ".join(text.split())


def first_line(text):
    return text.split("\n")[0]


def takes(option):
    """What follows an option, as playproof.bash has it."""
    kind = option.kind()
    if kind == "words":
        kind = " ".join(["words", *option.words()])
    return "?" + kind if option.optional else kind


def tables(programs):
    """{key: [(word, help)]}: kinds, keys of "KIND NAME", words of "KIND NAME KEY"."""
    found = {}
    for kind, entries in programs.catalogues.items():
        found[kind] = [(entry.name, line(entry.summary)) for entry in entries]
        for entry in entries:
            if entry.options:
                found[f"{kind} {entry.name}"] = [(o["name"], line(o["help"])) for o in entry.options]
            for option in entry.options:
                if option["type"] == "word":
                    found[f"{kind} {entry.name} {option['name']}"] = [(w, "") for w in option["words"]]
    return found


def shell_quoted(text):
    return "'" + text.replace("'", "'\\''") + "'"


def fill(name, **parts):
    text = (TEMPLATES / name).read_text(encoding="utf-8")
    for key, lines in parts.items():
        marker = f"@{key.upper()}@"
        if marker not in text:
            raise ValueError(f"{name}: no {marker}")
        text = text.replace(marker, "\n".join(lines) if isinstance(lines, list) else lines)
    return text


# bash

def bash(programs):
    rows = []

    def add(table, key, words):
        rows.append(f"_playproof_{table}[{shell_quoted(key)}]={shell_quoted(' '.join(words))}")

    for command in programs.all:
        path = " ".join(command.path)
        add("options", path, [name for option in command.flags for name in option.names])
        if command.commands:
            add("commands", path, [name for name, _ in command.commands])
        for option in command.flags:
            if option.kind():
                for name in option.names:
                    add("takes", f"{path} {name}", [takes(option)])
        for number, option in enumerate(command.arguments, 1):
            add("takes", f"{path} {'*' if option.repeated else number}", [takes(option)])
    for key, words in tables(programs).items():
        table = ("names", "keys", "values")[key.count(" ")]
        add(table, key, [word for word, _ in words])
    return fill("playproof.bash", tables=rows)


# zsh

def zsh_action(option):
    kind = option.kind()
    if kind == "file":
        return "_files"
    if kind == "words":
        return f"({' '.join(option.words())})"
    return " " if kind == "text" else f" _playproof_spec {kind}"


def zsh_text(text):
    """Text in the brackets of an option or between colons."""
    text = line(first_line(text))
    return "".join("\\" + c if c in "\\[]:" else c for c in text)


def zsh_option(option):
    excluded = " ".join([*option.names, *option.excludes])
    message = f":{option.placeholder}:{zsh_action(option)}" if option.kind() else ""
    if option.optional:
        message = ":" + message
    return [shell_quoted(f"({excluded}){name}{'=' if message and name.startswith('--') else ''}"
                         f"[{zsh_text(option.help)}]{message}") for name in option.names]


def zsh_argument(number, option):
    place = "*" if option.repeated else str(number)
    return shell_quoted(f"{place}{'' if option.required or option.repeated else ':'}:"
                        f"{zsh_text(option.placeholder)}:{zsh_action(option)}")


def zsh_name(command):
    return "_playproof_of-" + "-".join(command.path)


def zsh_command(programs, command):
    specs = [spec for option in command.flags for spec in zsh_option(option)]
    specs += [zsh_argument(n, option) for n, option in enumerate(command.arguments, 1)]
    name = zsh_name(command)
    if not command.commands:
        return [f"{name}() {{", "  _arguments -S : \\", *(f"    {spec} \\" for spec in specs[:-1]),
                f"    {specs[-1]}", "}", ""]
    listed = [shell_quoted(f"{n}:{line(first_line(text))}") for n, text in command.commands]
    below = [f"        {c.path[-1]}) {zsh_name(c)} ;;" for c in programs.below(command)]
    return [f"{name}() {{", "  local context state state_descr line", "  typeset -A opt_args",
            "  local -a commands=(", *(f"    {entry}" for entry in listed), "  )",
            "  _arguments -C -S : \\", *(f"    {spec} \\" for spec in specs),
            "    '1: :->command' '*:: :->below'", "  case $state in",
            "    command) _describe command commands ;;", "    below)", "      case $line[1] in",
            *below, "      esac ;;", "  esac", "}", ""]


def zsh(programs):
    rows = []
    for key, words in tables(programs).items():
        named = [f"{word}:{text}" if text else word for word, text in words]
        rows.append(f"_playproof_table+=({shell_quoted(key)} {shell_quoted(chr(10).join(named))})")
    functions = [text for command in programs.all for text in zsh_command(programs, command)]
    return fill("playproof.zsh", tables=rows, commands=functions[:-1])


# fish

def fish_quoted(text):
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def fish_value(option):
    """What follows, as arguments of `complete`."""
    kind = option.kind()
    if kind == "file":
        return ["-F"] if option.is_positional else ["-r", "-F"]
    only = [] if option.is_positional or option.optional else ["-x"]
    if kind == "words":
        return [*only, "-a", fish_quoted(" ".join(option.words()))]
    return only if kind == "text" else [*only, "-a", fish_quoted(f"(__playproof_specs {kind})")]


def fish_options(command):
    program, at = command.path[0], " ".join(command.path[1:])
    start = ["complete", "-c", program]
    if program != "playproof-check":  # has no commands
        start += ["-n", fish_quoted(f"__playproof_at {at}".rstrip())]
    for name, text in command.commands:
        yield [*start, "-a", name, "-d", fish_quoted(line(first_line(text)))]
    for option in command.flags:
        names = [word for name in option.names
                 for word in (["-l", name[2:]] if name.startswith("--") else ["-s", name[1:]])]
        yield [*start, *names, *(fish_value(option) if option.kind() else []),
               "-d", fish_quoted(line(option.help))]
    for option in command.arguments:
        if fish_value(option):
            yield [*start, *fish_value(option)]


def fish(programs, program):
    """The file of one program: fish looks for it by the program's name."""
    commands = [command for command in programs.all if command.path[0] == program]
    rows = []
    for key, words in tables(programs).items():
        listed = " ".join(fish_quoted(f"{word}\t{text}" if text else word) for word, text in words)
        rows += [f"        case {fish_quoted(key)}", f"            printf '%s\\n' {listed}"]
    inner = [fish_quoted(" ".join(c.path[1:])) for c in commands if c.path[1:]]
    options = [" ".join(words) for command in commands for words in fish_options(command)]
    text = fill("playproof.fish", tables=rows, commands=" ".join(inner),
                options=[f"complete -c {program} -f", *options])
    # Those of several programs may be loaded, and each has commands of its own.
    return text.replace("__playproof_at", f"__{program.replace('-', '_')}_at")
