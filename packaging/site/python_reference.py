"""The page of the Python package's calls, from its sources and the stub of its module: names,
signatures and docstrings, without importing anything."""

import ast
import copy
import html
import inspect
import pathlib
import re
import sys

STUBS = ("build-python/src/python/package/_native.pyi",)


def definitions(tree):
    """{name: node} of the functions and classes of a module."""
    return {node.name: node for node in tree.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}


def docstring(node):
    return inspect.cleandoc(ast.get_docstring(node) or "")


def signature(node, name):
    first = node.args.args[:1]
    if first and first[0].arg == "self":
        node = copy.deepcopy(node)
        del node.args.args[0]
    arguments = ast.unparse(node.args)
    returns = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    line = f"{name}({arguments}){returns}"
    return line if len(line) <= 90 else line.replace("(", "(\n    ", 1).replace(arguments, broken(arguments))


def broken(arguments):
    """Arguments as lines that are filled; none is broken inside of brackets."""
    lines, depth, word = [""], 0, ""
    for c in arguments + ", ":
        depth += (c in "([{") - (c in ")]}")
        word += c
        if c == " " and depth == 0 and word.endswith(", "):
            if len(lines[-1] + word) > 86:
                lines.append("")
            lines[-1] += word
            word = ""
    return "\n    ".join(line.rstrip() for line in lines).rstrip(",")


def code(text):
    return ["```python", text, "```", ""]


def described(text):
    """A docstring as Markdown: its paragraphs, doctests as code."""
    lines = []
    for paragraph in text.split("\n\n"):
        if paragraph.lstrip().startswith(">>>"):
            lines += code(inspect.cleandoc(paragraph))
        elif paragraph:
            lines += [plain(" ".join(paragraph.split())), ""]
    return lines


def plain(text):
    """Text without Markdown, but for what stands in backquotes."""
    parts = re.split(r"(`[^`]*`)", text)
    return "".join(part if i % 2 else re.sub(r"[\\`*_\[\]#]", r"\\\g<0>", html.escape(part, quote=False))
                   for i, part in enumerate(parts))


def is_property(node):
    return any(isinstance(d, ast.Name) and d.id == "property" for d in node.decorator_list)


def members(node, known):
    """The methods and properties of a class, those of its bases here included."""
    for base in node.bases:
        there = known.get(ast.unparse(base).split(".")[-1])
        if isinstance(there, ast.ClassDef):
            yield from members(there, known)
    for member in node.body:
        if isinstance(member, ast.FunctionDef) and not member.name.startswith("_"):
            yield member


def class_lines(node, level, known):
    bases = [ast.unparse(base) for base in node.bases]
    lines = [f"{level} {node.name}", ""]
    start = next((n for n in node.body if isinstance(n, ast.FunctionDef) and n.name == "__init__"), None)
    lines += code(f"class {node.name}" + (f"({', '.join(bases)})" if bases else ""))
    lines += described(docstring(node))
    if start:
        lines += code(signature(start, node.name).removesuffix(" -> None"))
        lines += described(docstring(start))
    for member in members(node, known):
        if is_property(member):
            returns = f": {ast.unparse(member.returns)}" if member.returns else ""
            lines += [f"`{member.name}{returns}`", ""]
        else:
            lines += [f"`{signature(member, member.name)}`", ""]
        lines += [f": {line}" if i == 0 else f"    {line}" if line else ""
                  for i, line in enumerate(described(docstring(member)) or ["&nbsp;", ""])]
    return lines


def node_lines(node, level, known=()):
    if isinstance(node, ast.ClassDef):
        return class_lines(node, level, dict(known))
    return [f"{level} {node.name}", "", *code(signature(node, node.name)), *described(docstring(node))]


def parse(path):
    return ast.parse(path.read_text(encoding="utf-8"))


def exported(tree):
    for node in tree.body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "__all__":
            return ast.literal_eval(node.value)
    raise ValueError("no __all__")


def page(source):
    """The page as Markdown. Without the stub, which `make python` makes, the classes and functions of the
    module itself are named only."""
    package = pathlib.Path(source) / "python" / "playproof"
    stub = next((path for name in STUBS if (path := pathlib.Path(source) / name).exists()), None)
    if stub is None:
        print("site: no stub of the Python module (`make python` makes it): its own names are listed only",
              file=sys.stderr)
    known = {}
    for path in [*sorted(package.glob("_*.py")), package / "errors.py", *([stub] if stub else [])]:
        if path.name != "__init__.py":
            known = definitions(parse(path)) | known
    init = parse(package / "__init__.py")
    names = [name for name in exported(init) if not name.startswith("__") and name != "errors"]
    lines = ["# The Python package", "", *described(docstring(init)),
             "[docs/python.md](../docs/python.md) is its tour.", ""]
    missing = [name for name in names if name not in known and name.upper() != name]
    for name in sorted(names, key=str.lower):
        if name in known:
            lines += node_lines(known[name], "##", known)
    if missing:
        if stub is not None:
            raise ValueError(f"no definition of {', '.join(missing)}")
        lines += ["## Of the compiled module", "", *(f"- `{name}`" for name in missing), ""]
    lines += ["## playproof.openspiel", ""]
    adapters = parse(package / "openspiel.py")
    lines += described(docstring(adapters))
    for name, node in definitions(adapters).items():
        if not name.startswith("_"):
            lines += node_lines(node, "###")
    return "\n".join(lines) + "\n"
