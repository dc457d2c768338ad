"""The site's own parts: links, comments of C++ for doxygen, the page of the Python package. `make site`
(a stage of .ci/run) makes all of it."""

import pathlib
import sys
import tempfile
import unittest

import share

sys.path.insert(0, str(share.PACKAGING / "site"))
import check_links
import cpp_comments
import python_reference

GOOD = '<h1 id="top">A</h1><a href="b/c.html#there">x</a><a href="#top">y</a><a href="https://d.example/">z</a>'


class Links(unittest.TestCase):
    def check(self, text, **foreign):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "b").mkdir()
            (folder / "a.html").write_text(text, encoding="utf-8")
            (folder / "b" / "c.html").write_text('<p id="there"></p><a href="../a.html">a</a>', encoding="utf-8")
            return check_links.check(folder, **foreign)

    def test_good(self):
        self.assertEqual(self.check(GOOD), (2, 3))

    def test_bad(self):
        for bad, why in (("b/d.html", "nowhere"), ("b/c.html#here", "no anchor"), ("#bottom", "no anchor"),
                         ("../b/c.html", "nowhere"), ("/a.html", "nowhere"), ("b", "nowhere")):
            with self.subTest(bad=bad), self.assertRaisesRegex(check_links.BadLinks, why):
                self.check(GOOD + f'<a href="{bad}">bad</a>')
        with self.assertRaisesRegex(check_links.BadLinks, "from elsewhere"):
            self.check(GOOD + '<script src="https://d.example/x.js"></script>')

    def test_anchors_of_others(self):
        self.assertEqual(self.check(GOOD + '<a href="b/c.html#here">x</a>', foreign=("a.html",)), (2, 4))

    def test_no_pages(self):
        with tempfile.TemporaryDirectory() as name, self.assertRaisesRegex(check_links.BadLinks, "no pages"):
            check_links.check(name)


class Comments(unittest.TestCase):
    HEADER = """// What the file has,
// in two lines.
#pragma once

namespace a {

class Elsewhere;  // host/elsewhere.h

// Of a type: `x<y>` and <y>.
struct S {
  int x = 0;  // of a member
  // Of a function.
  int f() const {
    // not this one
    return x;  // nor this
  }
  const char* s = "{ // no comment";
};

// Alone, of nothing.

// Of a template.
template <class T>
  requires(sizeof(T) > 1)
class C {
 public:
  // Of g.
  void g();
};

enum class E { kA };  // of an enumeration

}  // namespace a
"""

    def test_every_kind(self):
        out = cpp_comments.for_doxygen(self.HEADER).split("\n")
        for line in ("/// @file", "/// What the file has,", "/// Of a type: `x<y>` and \\<y\\>.",
                     "  int x = 0;  ///< of a member", "class Elsewhere;  // host/elsewhere.h", "  /// Of a function.", "    // not this one",
                     "    return x;  // nor this", '  const char* s = "{ // no comment";',
                     "// Alone, of nothing.", "/// Of a template.", "  /// Of g.",
                     "enum class E { kA };  ///< of an enumeration", "}  // namespace a"):
            with self.subTest(line=line):
                self.assertIn(line, out)

    def test_code_stays(self):
        for name in ("host/solve/solver.h", "games/core/game.h", "host/tree/best_first.h"):
            text = (share.SOURCE / name).read_text(encoding="utf-8")
            made = cpp_comments.for_doxygen(text)
            self.assertIn("/// @file", made)
            self.assertGreater(made.count("///"), 2)

            def code(lines):
                return [line.rstrip() for line in cpp_comments.blanked(lines).split("\n") if line.strip()]
            self.assertEqual(code(text), code(made))


class PythonPage(unittest.TestCase):
    def test_every_name_of_the_package(self):
        page = python_reference.page(share.SOURCE)
        init = python_reference.parse(share.SOURCE / "python" / "playproof" / "__init__.py")
        names = [n for n in python_reference.exported(init) if n.lower() == n or n.lower() not in ("columns",)]
        for name in names:
            if not name.startswith("__") and name not in ("errors", "COLUMNS"):
                with self.subTest(name=name):
                    self.assertRegex(page, rf"(?m)^(## {name}|- `{name}`)$")
        self.assertIn("## solve\n\n```python\nsolve(\n    game", page)
        self.assertNotIn("self, ", page)

    def test_signatures_and_docstrings(self):
        tree = python_reference.ast.parse(
            'def f(a: int, b: dict[str, int] = {}, *, c=(1, 2)) -> str:\n    """Does *it*, `x*y`.\n\n    >>> f(1)\n    """\n')
        lines = python_reference.node_lines(tree.body[0], "##")
        self.assertIn("f(a: int, b: dict[str, int]={}, *, c=(1, 2)) -> str", lines)
        self.assertIn("Does \\*it\\*, `x*y`.", lines)
        self.assertIn(">>> f(1)", lines)
        many = ", ".join(f"argument_{i}: dict[str, int]" for i in range(9))
        node = python_reference.ast.parse(f"def g({many}): ...").body[0]
        made = python_reference.signature(node, "g")
        self.assertLessEqual(max(map(len, made.split("\n"))), 90)
        self.assertEqual(" ".join(made.split()).replace("( ", "("), f"g({many})")


if __name__ == "__main__":
    unittest.main()
