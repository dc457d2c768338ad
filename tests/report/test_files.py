"""Files that the report writes: whole or not there, links followed, modes kept, nothing left behind."""

import fcntl
import os
import stat
import sys
import tempfile
import threading
import unittest
import unittest.mock

SOURCE = os.environ.get("PLAYPROOF_SOURCE",
                        os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
sys.path.insert(0, os.path.join(SOURCE, "python"))

from playproof_report import files  # noqa: E402  pylint: disable=wrong-import-position
from playproof_report.errors import OUTPUT, ReportError  # noqa: E402  pylint: disable=wrong-import-position


class Files(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.page = self.path("page.html")

    def path(self, name):
        return os.path.join(self.folder, name)

    def names(self):
        return sorted(os.listdir(self.folder))

    def content(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return file.read()

    def mode(self, name):
        return stat.S_IMODE(os.stat(self.path(name)).st_mode)

    def fails(self, path, text):
        with self.assertRaises(ReportError) as caught:
            files.write_whole(path, "x")
        self.assertEqual(caught.exception.status, OUTPUT)
        self.assertIn(text, str(caught.exception))

    @staticmethod
    def without_nameless_files():
        """As on a file system that lacks them."""
        real = os.open

        def lacking(path, flags, *more, **options):
            if flags & os.O_TMPFILE == os.O_TMPFILE:
                raise OSError("not supported")
            return real(path, flags, *more, **options)
        return unittest.mock.patch("os.open", lacking)

    def test_new_ones_and_those_that_are_replaced(self):
        mask = os.umask(0o022)
        self.addCleanup(os.umask, mask)
        files.write_whole(self.page, "one\n")
        self.assertEqual((self.names(), self.mode("page.html")), (["page.html"], 0o644))
        for mode in (0o600, 0o640, 0o444):
            os.chmod(self.page, mode)
            files.write_whole(self.page, f"{mode}\n")
            self.assertEqual((self.content("page.html"), self.mode("page.html")), (f"{mode}\n", mode))
            with self.without_nameless_files():
                files.write_whole(self.page, "named\n")
            self.assertEqual((self.content("page.html"), self.mode("page.html")), ("named\n", mode))
        self.assertEqual(self.names(), ["page.html"])

    def test_links(self):
        os.symlink("end.html", self.path("middle"))
        os.symlink(self.path("middle"), self.page)
        for text in ("new\n", "old\n"):
            files.write_whole(self.page, text)
            self.assertEqual(self.content("end.html"), text)
            self.assertTrue(os.path.islink(self.page) and os.path.islink(self.path("middle")))
        os.symlink("loop", self.path("loop"))
        self.fails(self.path("loop"), "Too many levels")

    def test_streams(self):
        os.mkfifo(self.path("pipe"))
        read = []

        def reader():
            with open(self.path("pipe"), encoding="utf-8") as file:
                read.append(file.read())
        thread = threading.Thread(target=reader, daemon=True)
        thread.start()
        files.write_whole(self.path("pipe"), "a page\n" * 20000)
        thread.join(60)
        self.assertEqual(read, ["a page\n" * 20000])
        files.write_whole("/dev/null", "x")
        self.fails("/dev/full", "No space left")
        self.fails(self.folder, "not a regular file")

    def test_what_a_killed_one_has_left(self):
        left, held = self.page + ".playproof-0123456789abcdef", self.page + ".playproof-" + "f" * 16
        strange = [self.page + end for end in (".playproof-backup", ".playproof-" + "a" * 17, ".playproof-" + "A" * 16, ".abc234")]
        for name in (left, held, *strange):
            with open(name, "w", encoding="utf-8"):
                pass
        with open(held, encoding="utf-8") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            files.write_whole(self.page, "x")
        self.assertEqual(self.names(), sorted(map(os.path.basename, (self.page, held, *strange))))

    def test_a_failure_leaves_nothing(self):
        with open(self.page, "w", encoding="utf-8") as file:
            file.write("old\n")
        for lacking in (False, True):
            with unittest.mock.patch("os.fsync", side_effect=OSError(28, "No space left")):
                if lacking:
                    with self.without_nameless_files():
                        self.fails(self.page, "No space left")
                else:
                    self.fails(self.page, "No space left")
            self.assertEqual((self.names(), self.content("page.html")), (["page.html"], "old\n"))


if __name__ == "__main__":
    unittest.main()
