"""Makes the plain comments of a header those that doxygen reads. The first comment is the file's; one
before a declaration is the declaration's; one behind it on its line too. Comments inside functions
stay."""

import re

DECLARES = re.compile(r"\b(namespace|class|struct|union|enum|concept|extern)\b")
CODE = re.compile(r'//[^\n]*|/\*.*?\*/|R"([^()\s]*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"'
                  r"|(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+'", re.S)
COMMENT = re.compile(r"^(\s*)//(?!/) ?(.*)$")
# Begins a command, HTML or a link, or ends a list.
SPECIAL = re.compile(r"[\\@#<>&$%]|::|\.(?=\.)|(?<=\.)\.")


def escaped(text):
    """Text without commands of doxygen and HTML; what stands in backquotes is left alone."""
    parts = re.split(r"(`[^`]*`)", text)
    return "".join(part if i % 2 else SPECIAL.sub(r"\\\g<0>", part)
                   for i, part in enumerate(parts))


def documented(lines):
    """Lines of a comment as doxygen reads them."""
    matches = [COMMENT.match(line) for line in lines]
    texts = escaped("\n".join(match[2] for match in matches)).split("\n")
    return [f"{match[1]}/// {text}" for match, text in zip(matches, texts)]


def blanked(text):
    """The text with comments and literals blanked out; columns stay."""
    return CODE.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), text)


def open_to_declarations(code):
    """Of each line, whether a declaration may begin there: outside of every function."""
    found, stack, head = [], [], ""
    for line in code.split("\n"):
        found.append(all(stack))
        for c in line:
            if c == "{":
                stack.append(bool(DECLARES.search(head)) and "(" not in head.split("requires")[0])
                head = ""
            elif c == "}":
                if stack:
                    stack.pop()
                head = ""
            elif c == ";":
                head = ""
            else:
                head += c
        head += " "
    return found


def for_doxygen(text):
    code = blanked(text)
    open_lines, code_lines = open_to_declarations(code), code.split("\n")
    lines, out, i = text.split("\n"), [], 0
    while i < len(lines):
        match = COMMENT.match(lines[i])
        if not match:
            out.append(behind(lines[i], code_lines[i]) if open_lines[i] else lines[i])
            i += 1
            continue
        end = i
        while end < len(lines) and COMMENT.match(lines[end]):
            end += 1
        follower = lines[end].strip() if end < len(lines) else ""
        if i == 0:
            out += ["/// @file", *documented(lines[:end])]
        elif open_lines[i] and follower and not follower.startswith(("#", "}", "/")):
            out += documented(lines[i:end])
        else:
            out += lines[i:end]
        i = end
    return "\n".join(out)


def behind(line, code):
    """A comment behind a declaration on its line."""
    end = len(code.rstrip())
    match = re.fullmatch(r"\s*//(?!/) ?(.*)", line[end:])
    names_only = r"\s*([}#]|$|namespace\b|using namespace\b|(class|struct|enum|enum class) \w+;)"
    if not match or re.match(names_only, code[:end]):
        return line  # of what stands elsewhere, or ends here
    return f"{line[:end]}  ///< {escaped(match[1])}"
