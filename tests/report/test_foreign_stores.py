"""Stores of others: what is not of playproof in one is refused by name, nothing in it runs, and none takes
time, memory or disk without end. Whatever its values are: an answer or a reason, never an error of ours."""

import contextlib
import io
import itertools
import json
import lzma
import os
import random
import signal
import sqlite3
import struct
import subprocess
import sys
import tempfile
import time
import unittest
import unittest.mock

import support
from support import NIGHTLY, SMOKE, experiment
from playproof_report import cli, opening
from playproof_report.errors import DATA, USAGE, ReportError
from playproof_report.store import read_experiments

FORMATS = ("csv", "json", "claims", "text")
IN_TURN = itertools.cycle((*FORMATS, "html"))
ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT "
TABLE = "SELECT sql FROM sqlite_master WHERE name = '{}'"
NESTED = "[" * 100_000
REAL = {"iterations_normalised", "seconds", "cpu_seconds"}


def change(path, target, script, unstrict=False):
    """A copy with other contents; unstrict: also with values that are not of their column's type."""
    support.copy_with(path, target, "")
    database = sqlite3.connect(target, isolation_level=None)
    if unstrict:
        strict = database.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table'").fetchall()
        swap = "UPDATE sqlite_master SET sql = ? WHERE name = ?"
        database.execute("PRAGMA writable_schema = ON")
        for name, sql in strict:
            database.execute(swap, (sql.replace("STRICT, ", "").replace("STRICT", ""), name))
        database.close()
        database = sqlite3.connect(target, isolation_level=None)
    if isinstance(script, str):
        database.executescript(script)
    else:
        script(database)
    if unstrict:
        database.execute("PRAGMA writable_schema = ON")
        for name, sql in strict:
            database.execute(swap, (sql, name))
    database.close()


class Foreign(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.whole = cls.path("whole.db")
        experiment(SMOKE, cls.whole)

    @classmethod
    def path(cls, name):
        return os.path.join(cls.folder.name, name)

    def status(self, path, form, *more):
        """(status, what it says)."""
        output = self.path("out." + form)
        with contextlib.redirect_stderr(io.StringIO()) as err, contextlib.redirect_stdout(io.StringIO()):
            return cli.main(["--format", form, "--output", output, *more, "--", path]), err.getvalue()

    def refused(self, path, *fragments):
        for form in itertools.islice(IN_TURN, 5 if NIGHTLY else 2):
            began = time.monotonic()
            status, said = self.status(path, form)
            self.assertEqual(status, DATA, f"{form}: {said}")
            self.assertLess(time.monotonic() - began, 20)
            for fragment in (path, *fragments):
                self.assertIn(fragment, said)

    def changed(self, script, unstrict=False):
        target = self.path("changed.db")
        change(self.whole, target, script, unstrict)
        return target


class Objects(Foreign):
    def test_what_is_not_ours_is_named(self):
        for kind, name, sql in (
                ("view", "seen", "CREATE VIEW seen AS SELECT * FROM run"),
                ("trigger", "turned", "CREATE TRIGGER turned AFTER INSERT ON run BEGIN UPDATE run SET "
                                      "verdict = 'proved'; END"),
                ("index", "faster", "CREATE INDEX faster ON run (series)"),
                ("index", "longest", "CREATE INDEX longest ON run (hex(zeroblob(5)))"),
                ("table", "notes", "CREATE TABLE notes (text TEXT)"),
                ("table", "sqlite_stat1", "ANALYZE")):
            with self.subTest(name=name):
                self.refused(self.changed(sql), f"the store has the {kind} '{name}', which is not of playproof")

    def test_a_view_for_a_table(self):
        """Also one without end."""
        def put(database):
            names = [row[1] for row in database.execute("PRAGMA table_info(run)")]
            database.execute("DROP TABLE run")
            database.execute("CREATE VIEW run AS " + ENDLESS + ", ".join(f"i AS {name}" for name in names)
                             + " FROM n")
        self.refused(self.changed(put), "the store has the view 'run'")

    def test_tables_of_another_make(self):
        """A check, a default, a generated column, a virtual table: each runs what its maker says."""
        def with_sql(table, old, new):
            def put(database):
                sql, = database.execute(TABLE.format(table)).fetchone()
                self.assertIn(old, sql)
                database.execute("PRAGMA writable_schema = ON")
                database.execute("UPDATE sqlite_master SET sql = ? WHERE name = ?", (sql.replace(old, new), table))
            return put
        for old, new in (("host TEXT NOT NULL", "host TEXT NOT NULL CHECK (length(hex(randomblob(9))) > 1)"),
                         ("host TEXT NOT NULL", "host TEXT NOT NULL DEFAULT (hex(randomblob(9)))"),
                         ("host TEXT NOT NULL", "host TEXT NOT NULL COLLATE NOCASE"),
                         ("finished TEXT NOT NULL", "finished TEXT NOT NULL, more TEXT AS (hex(host))"),
                         (") STRICT", ")")):
            with self.subTest(new=new):
                self.refused(self.changed(with_sql("run", old, new)),
                             "the table 'run' is not as playproof makes it")

        def virtual(database):
            database.executescript("DROP TABLE curve; CREATE VIRTUAL TABLE curve USING fts5(run_key, points);")
        try:
            path = self.changed(virtual)
        except sqlite3.OperationalError:
            return  # this SQLite has no such tables
        self.refused(path, "curve")

    def test_a_table_that_is_not_there(self):
        self.refused(self.changed("DROP TABLE curve"), "the store lacks the table 'curve'")

    def test_read_store_refuses_them_too(self):
        path = self.changed("CREATE VIEW seen AS SELECT 1")
        with self.assertRaises(ReportError) as caught:
            read_experiments([path])
        self.assertEqual(caught.exception.status, DATA)


class Bounds(Foreign):
    def test_a_value_that_is_too_long(self):
        for column, value in (("curve SET points", "zeroblob(80000000)"),
                              ("run SET reason", "hex(zeroblob(40000000))")):
            path = self.changed(f"UPDATE {column} = {value} WHERE rowid = 1")
            self.refused(path)
        self.refused(self.changed("UPDATE curve SET points = zeroblob(80000000) WHERE rowid = 1"),
                     "the column 'points' of 'curve' holds a value of 80,000,000 bytes")

    def test_a_run_that_a_plan_names_a_million_times(self):
        """Is one run."""
        path = self.changed(
            "WITH RECURSIVE n(i) AS (SELECT 1000 UNION ALL SELECT i + 1 FROM n WHERE i < "
            f"{300_000 if NIGHTLY else 60_000}) "
            "INSERT INTO plan_run SELECT plan_hash, i, key FROM n, (SELECT * FROM plan_run LIMIT 1)")
        made, = read_experiments([path])
        self.assertEqual((made.planned, len(made.runs)), (144, 144))

    def test_more_than_a_report_takes(self):
        with unittest.mock.patch.object(opening, "MOST_OF_STORE", 100_000):
            self.refused(self.whole, "too large for a report")

    def test_a_question_that_lasts(self):
        with unittest.mock.patch.object(opening, "PATIENCE", -1.0), \
                unittest.mock.patch.object(opening, "STEPS", 1):
            self.refused(self.whole, "lasts longer than")

    def unpacked(self, data):
        path = self.path("packed.db.xz")
        with open(path, "wb") as file:
            file.write(data)
        return path

    def test_what_unpacks_to_very_much(self):
        packer = lzma.LZMACompressor()
        with open(self.whole, "rb") as file:
            data = packer.compress(file.read())
        zeros = bytes(1 << 20)
        data += b"".join(packer.compress(zeros) for _ in range(100)) + packer.flush()
        self.assertLess(len(data), 100_000)
        path = self.unpacked(data)
        with tempfile.TemporaryDirectory() as folder, \
                unittest.mock.patch.object(tempfile, "tempdir", folder):
            self.refused(path, "unpacked the store has more than 64 MiB", "xz -d")
            self.assertEqual(os.listdir(folder), [])

    def test_an_unpacker_that_asks_for_much_memory(self):
        with open(self.whole, "rb") as file:
            path = self.unpacked(lzma.compress(file.read(), preset=9))
        self.assertEqual(len(read_experiments([path])[0].runs), 144)
        with unittest.mock.patch.object(opening, "MOST_OF_UNPACKER", 1 << 20):
            self.refused(path, "not a usable result store: Memory usage limit")

    def test_several_streams_and_their_padding(self):
        with open(self.whole, "rb") as file:
            content = file.read()
        half = len(content) // 2
        path = self.unpacked(lzma.compress(content[:half]) + bytes(8) + lzma.compress(content[half:]) + bytes(4))
        self.assertEqual(len(read_experiments([path])[0].runs), 144)

    def test_a_store_that_was_packed_while_it_had_a_log(self):
        """Its log is not packed, and is not looked for."""
        path = self.changed("PRAGMA journal_mode = WAL")
        with open(path, "rb") as file:
            content = file.read()
        self.assertEqual(content[18:20], b"\2\2")
        self.assertEqual(len(read_experiments([self.unpacked(lzma.compress(content))])[0].runs), 144)

    def test_nothing_is_left_behind(self):
        """However the process ends, also while it unpacks."""
        with open(self.whole, "rb") as file:
            path = self.unpacked(lzma.compress(file.read()))
        code = """
import os, sys
from playproof_report import cli, opening
blocks, end = opening._blocks, int(sys.argv[2])
def one_block(path):
    yield next(blocks(path))
    os.kill(os.getpid(), end)
opening._blocks = one_block
cli.main(["--format", "csv", "--", sys.argv[1]])
"""
        for end in (signal.SIGTERM, signal.SIGKILL, signal.SIGHUP):
            with tempfile.TemporaryDirectory() as folder:
                done = subprocess.run([sys.executable, "-B", "-c", code, path, str(int(end))], check=False,
                                      timeout=60, capture_output=True,
                                      env={**os.environ, "TMPDIR": folder,
                                           "PYTHONPATH": os.path.join(support.SOURCE, "python")})
                self.assertEqual((done.returncode, os.listdir(folder)), (-end, []), done.stderr)


class Values(Foreign):
    def test_rows(self):
        for column, value, said in (
                ("iteration_divisor", "0", "iteration_divisor of run"),
                ("iterations", "-3", "iterations of run"),
                ("iterations", "9223372036854775807", "2^53"),
                ("iterations_normalised", "9e999", "iterations_normalised"),
                ("seconds", "9e999", "seconds of run"), ("cpu_seconds", "-1", "cpu_seconds of run"),
                ("counters", "'[]'", "counters of run"), ("counters", "'{\"a\": -1}'", "a whole number"),
                ("counters", "'{\"iterations\": 3}'", "and 3 in its counters"), ("counters", "'{'", "not JSON"),
                ("max_cpu_seconds", "0", "max_cpu_seconds of run"), ("max_cpu_seconds", "9e999", "max_cpu_seconds"),
                ("seconds", "1e300", "seconds of run"), ("repetition", "0", "repetition of run"),
                ("verdict", "'won'", "one of proved, disproved, unknown"),
                ("expected", "'unknown'", "expected of run"),
                ("goal", "'score>=x'", "win, draw or score>=N"),
                ("parameters", "'[1]'", "parameters is [1] where an object must be"),
                ("parameters", f"'{NESTED}'", "too deep"),
                ("parameters", "'{\"a\": NaN}'", "NaN is no number"),
                ("parameters", "'{\"a\": [1]}'", "a text or a number"),
                ("parameters", "'{\"\\ud800\": \"\"}'", "half a character")):
            with self.subTest(column=column, value=value[:40]):
                self.refused(self.changed(f"UPDATE run SET {column} = {value} WHERE rowid = 5"), said)

    def test_values_of_another_type(self):
        for table, column, value in (("run", "iterations", "'many'"), ("run", "iterations", "1.5"),
                                     ("run", "series", "x'00'"), ("run", "key", "NULL"),
                                     ("run", "seconds", "'x'"), ("plan", "name", "x'41'"),
                                     ("curve", "points", "'text'"), ("plan", "json", "x'7b'"),
                                     ("invocation", "cores", "'all'")):
            with self.subTest(table=table, column=column, value=value):
                path = self.changed(f"UPDATE {table} SET {column} = {value} WHERE rowid = 1", True)
                self.refused(path)

    def test_plans(self):
        database = sqlite3.connect(self.whole)
        plan = json.loads(database.execute("SELECT json FROM plan").fetchone()[0])
        database.close()

        def put(text):
            return lambda database: database.execute("UPDATE plan SET json = ?", (text,))
        for text, said in ((NESTED, "too deep"), ("7", "where an object must be"), ("{}", "'name'"),
                           ('{"name": ' + "9" * 5000 + "}", "digits")):
            self.refused(self.changed(put(text)), said)
        for change_of, said in (
                ({"series": 7}, "series is 7 where a list must be"), ({"claims": [3]}, "claims 1 is 3"),
                ({"title": None}, "title is None"), ({"max_nodes": -1}, "max_nodes is -1"),
                ({"max_nodes": 10 ** 30}, "max_nodes"), ({"seed": 1.5}, "seed is 1.5"),
                ({"report": {"kind": "compare", "reference": []}}, "reference is []"),
                ({"claims": [plan["claims"][0] | {"measure": "wishes"}]}, "measure is 'wishes'"),
                ({"claims": [plan["claims"][0] | {"low": 1e999}]}, "Infinity is no number"),
                ({"claims": [plan["claims"][0] | {"horizon": 1}]}, "horizon is 1"),
                ({"claims": [plan["claims"][0] | {"below": 0}]}, "below is 0"),
                ({"algorithms": plan["algorithms"] * 2}, "twice"),
                ({"choices": [{"label": "a", "labels": [], "how": "", "measure": "iterations",
                               "series": []}]}, "how is ''")):
            with self.subTest(change=change_of):
                self.refused(self.changed(put(json.dumps(plan | change_of))), said)

    def test_curves(self):
        for points, said in (([(0, 2.0)], "error 2"), ([(5, 1.0), (5, 0.0)], "at iteration 5 after 5"),
                             ([(0, float("nan"))], "error nan"), ([(-1, 0.0)], "-1")):
            blob = b"".join(struct.pack("<qd", *point) for point in points)
            self.refused(self.changed(f"UPDATE curve SET points = x'{blob.hex()}'"), "curve", said)
        path = self.changed("UPDATE curve SET points = x'' WHERE rowid = 1")  # none that is drawn
        self.assertEqual(len(read_experiments([path])[0].curves), 143)

    def test_two_answers_to_one_question(self):
        self.refused(self.changed("UPDATE run SET problem = 'same', repetition = 1"), "the question of another run")

class Anything(Foreign):
    """Values drawn at random: in one row, in a column of all rows, in the plan."""

    HEAD = 'name = "{name}"\nlimits.max_nodes = 300\nreport.kind = "compare"\nreport.reference = "{reference}"\n'
    SERIES = """
[[series]]
name = "a"
game = "pgame:branching=2,depth=8"
trees = { from = 1, to = 4 }
[[series]]
name = "b"
game = "pgame:branching=3,depth=4"
trees = { from = 1, to = 3 }
"""
    # Of one plan trees, of the other searches with a table.
    PLANS = {
        "trees": ("PN", {"PN": "pn", "R={R}": 'deeppn:R={R}"\nsweep = { key = "R", values = [1.0, 0.5, 0.25] }#',
                         "PPN n={n}": 'ppn:playouts={n}"\nsweep = { key = "n", values = [1, 8] }#'}),
        "tables": ("df-pn", {"df-pn": "dfpn", "small": "dfpn:table=64KiB", "epsilon": "dfpn:epsilon=0.5",
                             "deep": "dfpn:leaf=deep,E=2,D=2", "deeper": "dfpn:leaf=deep,E=3,D=2"}),
    }
    MORE = {"trees": """
[[claim]]
id = "c"
text = "Less."
source = "nowhere"
formula = "iterations(PPN n=8) < iterations(PN)"
[[claim]]
id = "d"
text = "Mostly less."
formula = "share(nodes_created(PPN n=8) < nodes_created(PN)) > 0.5"
""", "tables": """
[[choice]]
label = "tuned"
of = "deep"
how = "leave one out"
measure = "iterations"
[[claim]]
id = "c"
text = "Less."
formula = "iterations(tuned) < iterations(df-pn)"
"""}
    HOSTILE = ("NULL", "''", "'x'", "0", "-1", "1", "1e308", "9e999", "-9e999", "9223372036854775807", "x'ff'",
               "'\x1b[2J'", "'1e999'", "'{}'", "'[]'", "'null'", "zeroblob(100)", "'score>=999999'")
    PARAMETERS = ("'{\"playouts\":\"1e999\",\"R\":\"x\",\"E\":\"-\",\"table\":\"9e9GiB\"}'",
                  "'{\"playouts\":\"-1\",\"R\":\"1\",\"norm\":\"\",\"table\":\"1KiB\"}'",
                  "'{\"leaf\":\"deep\",\"E\":\"1e9\",\"D\":\"1e9\",\"table\":\"0.5MiB\"}'",
                  "'{\"epsilon\":\"nan\",\"R\":7,\"table\":\"x\"}'", "'{\"epsilon\":\"-3\",\"R\":\"1e300\"}'")
    DRAWS = int(os.environ.get("PLAYPROOF_DRAWS", "240" if NIGHTLY else "32"))

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.stores, cls.plans = {}, {}
        for name, (reference, algorithms) in cls.PLANS.items():
            text = cls.HEAD.format(name=name, reference=reference) + cls.SERIES + "".join(
                f'[[algorithm]]\nlabel = "{label}"\nspec = "{spec}"\n' for label, spec in algorithms.items())
            with open(cls.path("plan.toml"), "w", encoding="utf-8") as file:
                file.write(text + cls.MORE[name])
            cls.stores[name] = cls.path(name + ".db")
            experiment(cls.path("plan.toml"), cls.stores[name])
            with contextlib.closing(sqlite3.connect(cls.stores[name])) as database:
                cls.plans[name] = json.loads(database.execute("SELECT json FROM plan").fetchone()[0])
                cls.columns = [(table, row[1]) for table in opening.TABLES
                               for row in database.execute(f"PRAGMA table_info({table})")]

    def test_any_value_anywhere(self):
        draw = random.Random(int(os.environ.get("PLAYPROOF_SEED", "7")))
        statuses = {0: 0, DATA: 0, USAGE: 0}
        for number in range(self.DRAWS):
            name = draw.choice(list(self.PLANS))
            self.whole = self.stores[name]
            script = self.draw(draw, name)
            path = self.tried(script, draw.random() < 0.3)
            form = "html" if number % (6 if NIGHTLY else 16) == 0 else draw.choice(FORMATS)
            kind = draw.choice(("compare", "agreement")) if form in ("html", "text") else None
            status, said = self.status(path, form, *(["--kind", kind] if kind else []))
            self.assertIn(status, statuses, f"{number}: {form}, {kind}, {script[-3000:]}: {said}")
            statuses[status] += 1
        self.assertGreater(statuses[DATA], self.DRAWS // 5)
        self.assertGreater(statuses[0], self.DRAWS // 12)

    def draw(self, draw, name):
        """SQL."""
        if draw.random() < 0.4:
            text = json.dumps(damaged_json(draw, self.plans[name])).replace("'", "''")
            return f"UPDATE plan SET json = '{text}'"
        table, column = ("run", "parameters") if draw.random() < 0.2 else draw.choice(self.columns)
        value = draw.choice(self.HOSTILE if column != "parameters" else self.PARAMETERS)
        where = draw.choice(("", " WHERE ordinal = 3" if table == "plan_run" else " WHERE rowid < 3"))
        return f"UPDATE OR IGNORE {table} SET {column} = {value}{where}"

    def tried(self, script, unstrict):
        """What SQLite lets through."""
        try:
            return self.changed(script, unstrict)
        except sqlite3.IntegrityError:
            return self.whole


def damaged_json(draw, value, depth=0):
    """With one value replaced, somewhere."""
    if isinstance(value, (dict, list)) and value and (depth == 0 or draw.random() < 0.8):
        names = list(value) if isinstance(value, dict) else range(len(value))
        chosen = draw.choice(names)
        if isinstance(value, dict):
            return {**value, chosen: damaged_json(draw, value[chosen], depth + 1)}
        return [damaged_json(draw, of, depth + 1) if number == chosen else of
                for number, of in enumerate(value)]
    return draw.choice((None, "", "x", 0, -1, 2, 1e300, 1e-300, 10 ** 18, [], {}, [[]], True, "\x9b", 0.5))


if __name__ == "__main__":
    unittest.main()
