"""The files of the project and what stands in them, for the tests of the house."""

import functools
import os
import pathlib
import re
import subprocess

ROOT = pathlib.Path(os.environ.get("PLAYPROOF_SOURCE", pathlib.Path(__file__).parents[2]))
FLOORS = ["games", "kernels", "host", "src"]  # lowest first
CPP = (".h", ".inc", ".cpp", ".cuh", ".cu")


@functools.cache
def files():
    """Every file that is or would be tracked, as sorted paths relative to ROOT."""
    listed = subprocess.run(
        ["git", "-C", str(ROOT), "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        capture_output=True, text=True, check=False)
    if listed.returncode == 0:
        names = [name for name in listed.stdout.split("\0") if name]
    else:  # an unpacked archive
        names = []
        for folder, inner, leaves in os.walk(ROOT):
            inner[:] = [d for d in inner if not re.match(r"build|\.git$|\.cache$|__pycache__$", d)]
            names += [os.path.relpath(os.path.join(folder, leaf), ROOT) for leaf in leaves]
    return sorted(name for name in set(names) if (ROOT / name).is_file())


@functools.cache
def games():
    """The folders of games/ that hold a game."""
    return sorted(name.split("/")[1] for name in files() if re.fullmatch(r"games/\w+/entry\.h", name))


def rooms():
    """The rooms of each floor, lowest first; files of the floor itself ("") see all of them."""
    return {
        "games": ["core", *games(), ""],
        "kernels": ["common", "numbers", "schemes", "device", "generic", "search", *games(), ""],
        "host": ["question", "archive", "playouts", "drive", "path", "zone", "knowledge", "probe", "tree",
                 "table", "jobs", "proof", "solve", ""],
        "src": ["check", "io", "store", "formats", "experiment", "solve", "windows", "bench", "view",
                "commands", "python", ""],
    }


def cpp_files(*folders):
    return [f for f in files() if f.endswith(CPP) and (not folders or f.split("/")[0] in folders)]


@functools.cache
def read(name):
    return (ROOT / name).read_text(encoding="utf-8")


@functools.cache
def includes(name):
    """(own, other): what stands in the quotes and in the angle brackets of the #include lines."""
    text = read(name)
    return (re.findall(r'^\s*#\s*include\s*"([^"]+)"', text, re.M),
            re.findall(r"^\s*#\s*include\s*<([^>]+)>", text, re.M))


def room(name):
    """"core" of games/core/game.h, "" of games/list.h."""
    parts = name.split("/")
    return parts[1] if len(parts) > 2 else ""


def include_closure(name):
    """The file and every file of the project that it includes, directly or not."""
    seen, todo = set(), [name]
    while todo:
        current = todo.pop()
        if current in seen or not (ROOT / current).is_file():
            continue
        seen.add(current)
        todo += includes(current)[0]
    return seen


def code_only(text):
    """C++ with comments and the insides of literals blanked out; line numbers stay."""
    pattern = (r'//[^\n]*|/\*.*?\*/|R"([^()\s]*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"'
               r"|(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+'")
    return re.sub(pattern, lambda m: re.sub(r"[^\n]", " ", m.group()), text, flags=re.S)


def cpp_types(text):
    """namespace::name of each type that is defined at a namespace's level, where other files see it:
    anonymous namespaces and specialisations left out."""
    code = code_only(re.sub(r"^namespace \{$.*?^\}  // namespace$", "", text, flags=re.S | re.M))
    found, space = [], ""
    for match in re.finditer(r"^namespace ([\w:]+) \{|^(?:class|struct|union|enum(?: class)?)\s+"
                             r"(?:alignas\([^)]*\)\s+)?(\w+)(?![\w:<])[^;{=]*\{", code, re.M):
        if match.group(1):
            space = match.group(1)
        else:
            found.append(f"{space}::{match.group(2)}")
    return found


def cpp_functions(text):
    """(first line, length in lines, head) of every function body, lambdas and types left out."""
    code = code_only(text)
    code = re.sub(r"^[ \t]*#(?:[^\n\\]|\\.|\\\n)*", lambda m: re.sub(r"[^\n]", " ", m.group()),
                  code, flags=re.M)
    found, open_heads, head_start = [], [], 0
    for i, c in enumerate(code):
        if c == "{":
            open_heads.append((head_start, code[head_start:i]))
        if c == "}" and open_heads:
            start, head = open_heads.pop()
            if is_function_head(head):
                begin = start + len(head) - len(head.lstrip())
                first = code.count("\n", 0, begin) + 1
                found.append((first, code.count("\n", 0, i) + 2 - first, " ".join(head.split())))
        if c in "{};":
            head_start = i + 1
    return sorted(found)


def is_function_head(head):
    head = re.sub(r"^(\s*(public|private|protected|default|case [^:?]+):)+", "", head).strip()
    if "(" not in head or "[" in head.split("(")[0].replace("[[", ""):
        return False
    if re.match(r"(if|else|for|while|switch|do|catch|try|return|namespace|class|struct|union|enum"
                r"|extern|using|=|,|\()\b", head):
        return False
    return not re.search(r"[=,(]\s*(\[[^\]]*\]\s*(\([^{]*)?)?$", head)
