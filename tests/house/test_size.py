"""Files and functions stay small enough to be read; macros stay few."""

import ast
import re
import unittest

import source_tree as tree

MAX_FILE = 800
MAX_FUNCTION = 80
MAX_MACROS = 3

# file -> reason, file:function -> reason. Empty is the aim.
LONG_FILES = {}
LONG_FUNCTIONS = {}


class Size(unittest.TestCase):
    def test_files(self):
        for name in tree.files():
            if name.endswith(tree.CPP + (".py", ".cmake", ".sh")) and name not in LONG_FILES:
                with self.subTest(file=name):
                    self.assertLessEqual(len(tree.read(name).splitlines()), MAX_FILE)

    def test_cpp_functions(self):
        count = 0
        for name in tree.cpp_files():
            for line, length, head in tree.cpp_functions(tree.read(name)):
                count += 1
                if not any(name == key.split(":")[0] and key.split(":")[1] in head
                           for key in LONG_FUNCTIONS):
                    with self.subTest(function=f"{name}:{line}: {head}"):
                        self.assertLessEqual(length, MAX_FUNCTION)
        self.assertGreater(count, 50)

    def test_python_functions(self):
        for name in tree.files():
            if not name.endswith(".py"):
                continue
            for node in ast.walk(ast.parse(tree.read(name))):
                if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                    with self.subTest(function=f"{name}:{node.lineno}: {node.name}"):
                        self.assertLessEqual(node.end_lineno - node.lineno + 1, MAX_FUNCTION)

    def test_macros(self):
        macros = set()
        for name in tree.cpp_files(*tree.FLOORS):
            macros |= set(re.findall(r"^\s*#\s*define\s+(\w+)", tree.read(name), re.M))
        self.assertLessEqual(len(macros), MAX_MACROS, sorted(macros))

    def test_functions_are_found(self):  # the tests above rest on it
        text = "\n".join([
            "namespace a {", "// comment with {", "template <class T>", "int f(int x,",
            "      int y) const {", '  const char* s = "{";', "  if (x) {", "    return 1;", "  }",
            "  auto g = [&](int z) {", "    return z;", "  };", "  return 0;", "}", "struct S {",
            "  int h() { return 1; }", "};", "}  // namespace a"])
        self.assertEqual([(line, length) for line, length, _ in tree.cpp_functions(text)],
                         [(3, 12), (16, 1)])


if __name__ == "__main__":
    unittest.main()
