"""Manual pages (roff, the macros of man(7)) from what the programs say of themselves."""

import re

ESCAPES = {"\\": "\\e", "-": "\\-", "^": "\\(ha", "~": "\\(ti", "`": "\\(ga", '"': "\\(dq"}


def roff(text):
    """Text that prints as it is, wherever it stands in a line."""
    text = "".join(ESCAPES.get(c, c) for c in text)
    return re.sub(r"^([.'])", r"\\&\1", text, flags=re.M)


def prose(text):
    """The same as lines, with what stands in backquotes in bold."""
    parts = re.split(r"`([^`]*)`", text)
    marked = "".join(part if i % 2 == 0 else f"\0{part}\1" for i, part in enumerate(parts))
    lines = [[]]
    for word in roff(marked).replace("\0", "\\fB").replace("\1", "\\fR").split():
        if len(" ".join([*lines[-1], word])) > 78:
            lines.append([])
        lines[-1].append(word)
    return [re.sub(r"^([.'])", r"\\&\1", " ".join(line)) for line in lines]


def bold(text):
    return f"\\fB{roff(text)}\\fR"


def italic(text):
    return f"\\fI{roff(text)}\\fR"


def page_name(command):
    return "-".join(command.path)


def head(option):
    """The names of an option, with what follows them."""
    if option.is_positional:
        return italic(option.placeholder) + (" ..." if option.repeated else "")
    names = ", ".join(bold(name) for name in option.names)
    argument = f"[{option.argument}]" if option.optional else option.argument
    return f"{names} {italic(argument)}" if argument else names


def option_lines(option):
    yield ".TP"
    yield head(option)
    yield from prose(option.help or " ")
    if option.is_positional or not (option.required or option.excludes):
        return
    said = ["Required."] if option.required else []
    if option.excludes:
        said.append(f"Not with {' or '.join(option.excludes)}.")
    yield from prose(" ".join(said))


def synopsis(command):
    words = [bold(" ".join(command.path))]
    if command.flags:
        words.append("[" + italic("OPTIONS") + "]")
    if command.commands:
        words.append(italic("COMMAND"))
    for option in command.arguments:
        name = italic(option.placeholder) + ("..." if option.repeated else "")
        words.append(name if option.required else f"[{name}]")
    return " ".join(words)


def range_text(option):
    if option["type"] == "word":
        return "|".join(option["words"])
    if option["type"] == "text":
        return "text"
    return f"{option['min']}..{option['max']}"


def catalogue_lines(entries):
    """Games or algorithms with what may stand after the colon."""
    for entry in entries:
        yield f".SS {roff(entry.name)}"
        yield from prose(entry.summary)
        for option in entry.options:
            yield ".TP"
            yield f"{bold(option['name'])}={italic(range_text(option))}"
            default = "" if option["default"] is None else f" (default: {option['default']})"
            once = f" Once {option['formerly']}=." if option.get("formerly") else ""
            yield from prose(option["help"] + default + "." + once)


def see_also(command, programs):
    names = [page_name(c) for c in programs.all if c is not command]
    related = [page_name(c) for c in programs.all
               if c.path[:-1] == command.path or command.path[:-1] == c.path or len(c.path) == 1]
    chosen = names if len(command.path) == 1 else [n for n in names if n in related]
    return [f".BR {roff(name)} (1){',' if name != chosen[-1] else ''}" for name in chosen]


def section(title, lines):
    lines = list(lines)
    return [f".SH {title}", *lines] if lines else []


def paragraphs(texts):
    return [line for i, text in enumerate(texts)
            for line in ([".PP"] if i else []) + prose(text)]


def page(command, programs, date):
    """The page of one command as text."""
    name, root = page_name(command), programs.commands[0]
    brief = re.sub(r" *\([^()]*\)|`", "", command.summary[0]).split(". ")[0].split(": ")[0].rstrip(".")
    own = [p for p in command.prose() if command is root or p not in root.prose()]
    below = [line for c in command.commands
             for line in (".TP", bold(c[0]), *prose(c[1].split("\n")[0]))]
    kind = next((o.catalogue for o in command.arguments if o.catalogue), None)
    statuses = [line for status, meaning in command.statuses()
                for line in (".TP", bold(status), *prose(meaning[0].upper() + meaning[1:] + "."))]
    examples = [".EX", *map(roff, command.examples()), ".EE"] if command.examples() else []
    lines = [
        f'.TH {roff(name.upper())} 1 {date} "playproof {programs.version}" "playproof"',
        *section("NAME", [f"{roff(name)} \\-", *prose(brief[0].lower() + brief[1:])]),
        *section("SYNOPSIS", [synopsis(command)]),
        *section("DESCRIPTION", paragraphs([*command.summary, *own])),
        *section("COMMANDS", below),
        *section("ARGUMENTS", [line for o in command.arguments for line in option_lines(o)]),
        *section("OPTIONS", [line for o in command.flags for line in option_lines(o)]),
        *section(f"{kind.upper()}S" if kind else "", catalogue_lines(programs.catalogues.get(kind, []))),
        *section('"EXIT STATUS"', statuses),
        *section("EXAMPLES", examples),
        *section('"SEE ALSO"', see_also(command, programs)),
    ]
    return "\n".join(lines) + "\n"


def pages(programs, date):
    """{file name: text}"""
    return {f"{page_name(c)}.1": page(c, programs, date) for c in programs.all}
