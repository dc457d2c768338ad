"""`merge`: stores of parts become one, all or nothing; whose runs differ are refused."""

import json
import lzma
import os
import random
import re
import shutil
import signal
import sqlite3
import struct
import subprocess
import sys
import time
import unittest

from experiments import (PLAN, SMOKE, ExperimentTest, change, curves, query, rows,
                         write_version)
from program import BAD_DATA, NIGHTLY, NO_OUTPUT, PROGRAM, SOURCE, TIMEOUT, USAGE, run
from test_terminal import on_terminal

sys.path.insert(0, os.path.join(SOURCE, "python"))
from playproof_report.shape import COUNTERS  # noqa: E402
from playproof_report.store import NULLABLE, VARYING  # noqa: E402

HOOK = os.environ.get("PLAYPROOF_KILL_AT_CALL", "")
SANITIZED = float(os.environ.get("PLAYPROOF_SLOWER", "1")) > 1
TABLES = ("plan", "plan_run", "invocation", "run", "curve")


def content(store):
    """All rows of all tables."""
    return {table: query(store, f"SELECT * FROM {table} ORDER BY 1, 2") for table in TABLES}


class MergeTest(ExperimentTest):

    def merge(self, *stores, into="all.db", status=0):
        process = run("merge", *stores, "--store", self.path(into))
        self.assert_status(process, status)
        return process

    def parts(self, plan, count=2):
        names = []
        for part in range(1, count + 1):
            names.append(self.path(f"part{part}.db"))
            self.experiment(plan, names[-1], "--shard", f"{part}/{count}")
        return names

    def refused(self, *stores, into="all.db", status=BAD_DATA, fragments=()):
        """Nothing is written, nothing is left."""
        before = sorted(os.listdir(self.folder))
        bytes_before = {name: self.bytes(name) for name in before}
        process = self.merge(*stores, into=into, status=status)
        self.assertEqual(process.stdout, "")
        for fragment in fragments:
            self.assertIn(fragment, process.stderr)
        self.assertEqual(sorted(os.listdir(self.folder)), before)
        self.assertEqual({name: self.bytes(name) for name in before}, bytes_before)
        return process.stderr

    def bytes(self, name):
        if not os.path.isfile(self.path(name)):
            return None
        with open(self.path(name), "rb") as file:
            return file.read()

    def half(self, store):
        """A store without every second run."""
        change(store, "DELETE FROM curve WHERE run_key IN (SELECT key FROM run WHERE rowid % 2);"
                      "DELETE FROM run WHERE rowid % 2;")


class Merge(MergeTest):

    def test_parts_make_the_whole(self):
        plan = self.write(PLAN)
        self.experiment(plan, self.path("whole.db"))
        names = self.parts(plan, 3)
        before = [self.bytes(os.path.basename(name)) for name in names]
        process = self.merge(*names)
        self.assertIn("8 runs added, 0 known", process.stdout)
        self.assertRegex(process.stdout, r"(?m)^test \([0-9a-f]{16}\): 8 of 8 runs$")
        self.same_rows(self.path("all.db"), self.path("whole.db"))
        self.assertEqual(curves(self.path("all.db")), curves(self.path("whole.db")))
        self.assertEqual(before, [self.bytes(os.path.basename(name)) for name in names])
        self.assertEqual(sorted(os.listdir(self.folder)),
                         sorted(["plan.toml", "whole.db", "all.db"] +
                                [os.path.basename(name) for name in names]))
        again = self.experiment(plan, self.path("all.db"))
        self.assertIn("(0 now, 8 before)", again.stdout)

    def test_the_order_changes_no_result(self):
        one, two = self.parts(self.write(PLAN))
        self.merge(one, two)
        self.merge(two, one, into="other.db")
        self.assertEqual(rows(self.path("all.db")), rows(self.path("other.db")))

    def test_rows_keep_who_made_them(self):
        one, two = self.parts(self.write(PLAN))
        change(two, "UPDATE invocation SET host = 'other', id = 7; UPDATE run SET invocation = 7, "
                    "host = 'other', seconds = 4.5;")
        self.merge(one, two)
        joined = "SELECT key, run.host, invocation.host, shard, seconds FROM run JOIN invocation ON " \
                 "id = invocation ORDER BY key"
        self.assertEqual(query(self.path("all.db"), joined),
                         sorted(query(one, joined) + query(two, joined)))

    def test_again_changes_nothing(self):
        one, two = self.parts(self.write(PLAN))
        self.merge(one, two)
        before = content(self.path("all.db"))
        process = self.merge(two, one, two)
        self.assertIn("0 runs added, 12 known", process.stdout)
        self.assertEqual(content(self.path("all.db")), before)

    def test_into_a_store_with_runs(self):
        one, two = self.parts(self.write(PLAN))
        shutil.copy(one, self.path("all.db"))
        self.assertIn("4 runs added, 0 known", self.merge(two).stdout)
        self.merge(one, two, into="new.db")
        self.assertEqual(rows(self.path("all.db")), rows(self.path("new.db")))

    def test_into_a_store_whose_program_was_killed(self):
        one, two = self.parts(self.write(PLAN))
        shutil.copy(one, self.path("live.db"))
        database = sqlite3.connect(self.path("live.db"))
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("UPDATE run SET seconds = 77")
        database.commit()
        for end in ("", "-wal"):
            shutil.copy(self.path("live.db") + end, self.path("all.db") + end)
        database.close()
        self.assertIn("4 runs added, 4 known", self.merge(two, one).stdout)
        self.assertFalse(os.path.exists(self.path("all.db-wal")))
        self.assertEqual(query(self.path("all.db"), "SELECT count(*) FROM run WHERE seconds = 77"),
                         [(4,)])

    def test_plans_of_several_names_and_texts(self):
        first = self.path("a.db")
        self.experiment(self.write(PLAN), first)
        second = self.path("b.db")
        self.experiment(self.write(PLAN.replace("to = 4", "to = 6")), second)
        third = self.path("c.db")
        self.experiment(self.write(PLAN.replace('"test"', '"other"')), third)
        out = self.merge(first, second, third).stdout
        self.assertIn("20 runs added, 8 known", out)
        self.assertEqual(sorted(line.split(": ")[1] for line in out.splitlines()[1:]),
                         ["12 of 12 runs", "8 of 8 runs", "8 of 8 runs"])
        report = run("report", self.path("all.db"), "--format", "csv")
        apart = run("report", first, second, third, "--format", "csv")
        self.assert_status(report, 0)
        self.assertEqual(len(report.stdout.splitlines()), len(apart.stdout.splitlines()))

    def test_the_newest_list_of_a_plan_counts(self):
        one, two = self.parts(self.write(PLAN))
        change(two, "DELETE FROM plan_run WHERE ordinal > 5; UPDATE plan SET last_used = '9';")
        self.merge(one, two)
        self.merge(two, one, into="other.db")
        for name in ("all.db", "other.db"):
            self.assertEqual(query(self.path(name), "SELECT count(*) FROM plan_run"), [(6,)])
            self.assertEqual(query(self.path(name), "SELECT last_used FROM plan"), [("9",)])

    def test_a_log_that_a_killed_program_left_is_read(self):
        one, two = self.parts(self.write(PLAN))
        database = sqlite3.connect(one)
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("UPDATE run SET seconds = 77")
        database.commit()
        os.makedirs(self.path("left"))
        for end in ("", "-wal"):
            shutil.copy(one + end, self.path("left/one.db" + end))
        database.close()
        before = self.bytes("left/one.db"), self.bytes("left/one.db-wal")
        self.merge(self.path("left/one.db"), two)
        self.assertEqual(query(self.path("all.db"), "SELECT count(*) FROM run WHERE seconds = 77"),
                         [(4,)])
        self.assertEqual((self.bytes("left/one.db"), self.bytes("left/one.db-wal")), before)

    def test_counters_that_a_store_of_version_1_lacks(self):
        one = self.parts(self.write(PLAN), 1)[0]
        old = self.path("old.db")
        shutil.copy(one, old)
        for name in sorted(NULLABLE - {"counters"}):
            change(old, f"ALTER TABLE run DROP COLUMN {name}")
        write_version(old, 1)
        before = self.bytes("old.db")
        for number, stores in enumerate([(old, one), (one, old)]):
            self.merge(*stores, into=f"{number}.db")
            self.assertEqual(rows(self.path(f"{number}.db")), rows(one))
        self.assertEqual(self.bytes("old.db"), before)
        self.merge(old, into="old-only.db")
        self.assertEqual(query(self.path("old-only.db"), "SELECT count(*), count(endings) FROM run"),
                         [(8, 0)])


class Differences(MergeTest):

    def setUp(self):
        super().setUp()
        self.one = self.parts(self.write(PLAN), 1)[0]
        self.two = self.path("two.db")
        shutil.copy(self.one, self.two)
        self.key = sorted(rows(self.one))[3]

    def spoil(self, sql):
        shutil.copy(self.one, self.two)
        change(self.two, sql)

    def test_counters_that_have_no_column_count_too(self):
        self.spoil(f"UPDATE run SET counters = json_set(counters, '$.bridges', 5) WHERE key = '{self.key}'")
        self.refused(self.one, self.two, into="r.db", fragments=(self.key, " counters is ", "nothing is merged"))

    def test_every_column_counts_but_those_that_vary(self):
        columns = query(self.one, "SELECT name, type, \"notnull\" FROM pragma_table_info('run')")
        self.assertEqual(len(columns), 60)
        refused = 0
        for name, kind, not_null in columns:
            if name == "key":
                continue
            new = {"TEXT": "'other'", "INTEGER": "987654", "REAL": "0.125"}[kind]
            if name in ("verdict", "outcome", "expected"):  # there are few words
                new = f"CASE {name} WHEN 'proved' THEN 'disproved' ELSE 'proved' END"
            if name == "counters":  # of which one may differ
                new = "json_set(counters, '$.peak_bytes', 5)"
            if name == "invocation":
                self.spoil("UPDATE invocation SET id = 987654; UPDATE run SET invocation = 987654;")
            else:
                forgets = ", counters = NULL" if name in COUNTERS else ""  # which would say otherwise
                self.spoil(f"UPDATE run SET {name} = {new}{forgets} WHERE key = '{self.key}'")
            into = f"{name}.db"
            with self.subTest(column=name):
                if name in VARYING:
                    self.merge(self.one, self.two, into=into)
                    kept = f"SELECT {name} FROM run ORDER BY key"
                    if name != "invocation":  # it has another number there
                        self.assertEqual(query(self.path(into), kept), query(self.one, kept))
                    os.remove(self.path(into))
                    continue
                refused += 1
                self.refused(self.one, self.two, into=into,
                             fragments=(self.key, f" {name} is ", "two.db", "nothing is merged"))
                if not not_null and name not in NULLABLE:
                    self.spoil(f"UPDATE run SET {name} = NULL WHERE key = '{self.key}'")
                    if rows(self.two) != rows(self.one):
                        self.refused(self.one, self.two, into=into, fragments=(self.key, name))
        self.assertEqual(refused, len(columns) - 1 - len(VARYING))

    def test_curves(self):
        for sql in (f"UPDATE curve SET points = zeroblob(16) WHERE run_key = '{self.key}'",
                    f"DELETE FROM curve WHERE run_key = '{self.key}'"):
            self.spoil(sql)
            for stores in ((self.one, self.two), (self.two, self.one)):
                self.refused(*stores, fragments=("another error curve", self.key))
        # Half a point; twice the same iteration, a negative one, errors of more than all and of none.
        for points in ("00" * 15, "00" * 32, "ff" * 8 + "00" * 8, "00" * 8 + struct.pack("<d", 1.5).hex(),
                       "00" * 8 + struct.pack("<d", float("nan")).hex()):
            self.spoil(f"UPDATE curve SET points = x'{points}' WHERE run_key = '{self.key}'")
            self.refused(self.two, fragments=("half a point, or one that cannot be", self.key))

    def test_an_invocation_that_is_not_there(self):
        self.spoil("UPDATE run SET invocation = 55")
        self.refused(self.two, fragments=("invocation 55",))

    def test_another_text_of_one_plan(self):
        self.spoil("UPDATE plan SET text = 'x'")
        self.refused(self.one, self.two, fragments=("another text",))

    def test_into_a_store_with_runs(self):
        self.half(self.one)
        shutil.copy(self.one, self.path("all.db"))
        change(self.two, f"UPDATE run SET iterations = 1, counters = NULL WHERE key IN (SELECT key FROM run WHERE "
                         "rowid % 2 = 0)")
        self.refused(self.two, fragments=("iterations",))

    def test_the_last_source_of_many(self):
        parts = self.parts(self.write(PLAN), 3)
        self.spoil(f"UPDATE run SET iterations = 1, counters = NULL WHERE key = '{self.key}'")
        self.refused(*parts, self.two, fragments=("iterations", "two.db"))


class BadFiles(MergeTest):

    def setUp(self):
        super().setUp()
        self.one, self.two = self.parts(self.write(PLAN))

    def test_foreign_files(self):
        self.write("no store", "text.db")
        self.write("", "empty.db")
        with lzma.open(self.path("packed.db.xz"), "wb") as file, open(self.two, "rb") as store:
            file.write(store.read())
        self.refused(self.one, self.path("packed.db.xz"), fragments=("packed.db.xz", "unpack it first (xz -dk)"))
        os.makedirs(self.path("folder.db"))
        os.mkfifo(self.path("pipe.db"))
        sqlite3.connect(self.path("foreign.db")).executescript("CREATE TABLE run (key); VACUUM;")
        change(self.path("other.db"), "CREATE TABLE x (y); PRAGMA application_id = 77;")
        for name in ("text.db", "empty.db", "foreign.db", "other.db"):
            self.refused(self.one, self.path(name), fragments=(name,))
        for name in ("folder.db", "pipe.db", "none.db", ""):
            process = run("merge", self.one, self.path(name) if name else "", "--store",
                          self.path("all.db"))
            self.assert_status(process, BAD_DATA)
            self.assertFalse(os.path.exists(self.path("all.db")))
        for name in (":memory:", "file:x.db"):
            process = run("merge", name, "--store", "all.db", cwd=self.folder)
            self.assert_status(process, BAD_DATA)
            self.assertIn("No such file", process.stderr)
        shutil.copy(self.two, self.path("file:x.db"))
        self.assert_status(run("merge", "file:x.db", "--store", "all.db", cwd=self.folder), 0)

    def test_truncated(self):
        with open(self.two, "rb") as file:
            whole = file.read()
        step = max(1, len(whole) // (400 if NIGHTLY and not SANITIZED else 30))
        cuts = [*range(0, len(whole), step), *range(1, 120, 7 if NIGHTLY else 17), len(whole) - 1]
        for cut in cuts:
            with open(self.path("cut.db"), "wb") as file:
                file.write(whole[:cut])
            process = run("merge", self.one, self.path("cut.db"), "--store", self.path("all.db"))
            self.assert_status(process, BAD_DATA)
            self.assertIn("cut.db", process.stderr)
            self.assertFalse(os.path.exists(self.path("all.db")), cut)

    def test_into_what_is_no_store(self):
        self.write("no store", "all.db")
        self.refused(self.one)
        os.remove(self.path("all.db"))
        os.makedirs(self.path("all.db"))
        self.merge(self.one, status=NO_OUTPUT)

    def test_a_folder_that_is_not_there(self):
        self.refused(self.one, into="none/all.db", status=NO_OUTPUT)

    def test_usage(self):
        self.assert_fails(["merge", "--store", self.path("all.db")], USAGE, "RESULTS")
        self.assert_fails(["merge", self.one], USAGE, "--store")
        for store in (":memory:", "file:x", ""):
            self.assert_fails(["merge", self.one, "--store", store], USAGE)
        for store in (self.one, self.two):
            self.refused(self.one, self.two, into=os.path.basename(store), status=USAGE,
                         fragments=("one file",))
        self.refused(self.path("all.db.new"), into="all.db", status=USAGE)


class Killed(MergeTest):

    def setUp(self):
        super().setUp()
        plan = self.write(PLAN)
        self.stores = self.parts(plan, 3)
        self.experiment(plan, self.path("whole.db"))
        self.sources = [self.bytes(os.path.basename(store)) for store in self.stores]
        self.files = sorted(os.listdir(self.folder))

    def fresh(self, existing):
        for name in os.listdir(self.folder):
            if name not in self.files:
                os.remove(self.path(name))
        if existing:
            shutil.copy(self.stores[0], self.path("all.db"))

    def holds(self, existing, moment):
        """Nothing or all; then the same command does it all, and leaves nothing behind."""
        store = self.path("all.db")
        self.assertEqual([self.bytes(os.path.basename(name)) for name in self.stores], self.sources)
        if existing or os.path.exists(store):
            # As any SQLite tool sees it: what was in hand is undone when it is opened.
            self.assertIn(len(rows(store)), (len(rows(self.stores[0])), 8) if existing else (8,),
                          moment)
        self.merge(*self.stores)
        self.same_rows(store, self.path("whole.db"))
        self.assertEqual(sorted(os.listdir(self.folder)), sorted([*self.files, "all.db"]), moment)

    @unittest.skipUnless(HOOK and not SANITIZED, "needs the hook, and to be loaded first")
    def test_between_any_two_changes_of_the_folder(self):
        for existing in (False, True):
            for call in range(1, 100):
                self.fresh(existing)
                process = subprocess.run(
                    [PROGRAM, "merge", *self.stores, "--store", self.path("all.db")],
                    env=os.environ | {"LD_PRELOAD": HOOK, "KILL_AT_CALL": str(call)},
                    capture_output=True, timeout=TIMEOUT, check=False)
                self.holds(existing, f"call {call}")
                if process.returncode != -signal.SIGKILL:
                    self.assertEqual(process.returncode, 0, process.stderr)
                    break
            self.assertGreater(call, 2)

    def test_at_random_moments(self):
        draw, killed = random.Random(5), 0
        begin = time.monotonic()
        self.merge(*self.stores)
        seconds = time.monotonic() - begin
        for number in range(24):
            self.fresh(existing=number % 2)
            with subprocess.Popen([PROGRAM, "merge", *self.stores, "--store", self.path("all.db")],
                                  stdout=subprocess.DEVNULL) as process:
                time.sleep(draw.uniform(0, seconds))
                process.kill()
            killed += process.returncode == -signal.SIGKILL
            self.holds(number % 2, f"kill {number}")
        self.assertGreater(killed, 5)


class Terminals(MergeTest):
    """A terminal gets nothing of others that it could take for orders; files and pipes get the bytes."""

    NAME = "a\x1b[2J\x9b31m\u2028\x7f\u00fc"
    SHOWN = "a\\x1b[2J\\xc2\\x9b31m\\xe2\\x80\\xa8\\x7f\u00fc"

    def setUp(self):
        super().setUp()
        self.plan, self.whole = self.write(PLAN), self.path("whole.db")
        self.experiment(self.plan, self.whole)

    def test_names_of_plans(self):
        """No plan of ours has such a name: it is escaped in a pipe, too."""
        change(self.whole, f"UPDATE plan SET name = '{self.NAME}', hash = hash || char(27)")
        change(self.whole, "UPDATE plan_run SET plan_hash = plan_hash || char(27);"
                           "UPDATE invocation SET plan_hash = plan_hash || char(27)")
        out = run("merge", self.whole, "--store", self.path("all.db")).stdout
        self.assertRegex(out, rf"(?m)^{re.escape(self.SHOWN)} \([0-9a-f]{{16}}\\x1b\): 8 of 8 runs$")
        status, seen = on_terminal("merge", self.whole, "--store", self.path("all.db"))
        self.assertEqual((status, seen), (0, out.replace("8 runs added, 0 known", "0 runs added, 8 known")))

    def test_names_of_files(self):
        store, page = self.path(self.NAME + ".db"), self.path(self.NAME + ".html")
        proof = self.path(self.NAME + ".cert")
        for command in (["experiment", self.plan, "--store", store], ["merge", self.whole, "--store", store],
                        ["solve", "hex:size=2", "--certificate", proof], ["view", proof, "--output", page]):
            with self.subTest(command[0]):
                process = run(*command)
                self.assert_status(process, 0)
                if command[0] != "solve":
                    self.assertIn(self.NAME, process.stdout)
                status, seen = on_terminal(*command)
                self.assertEqual(status, 0)
                self.assertIn(self.SHOWN, seen)
                for line in re.sub(r"\x1b\[[0-9;]*m", "", seen).splitlines():
                    self.assertTrue(line.isprintable(), line)

    def test_json_escapes(self):
        """For a terminal, too."""
        for get in (lambda *words: run(*words).stdout, lambda *words: on_terminal(*words)[1]):
            out = get("solve", "hex:size=2", "--json", "--certificate", self.path(self.NAME))
            self.assertTrue(out.strip().isprintable(), out)
            self.assertEqual(json.loads(out)["certificate"], self.path(self.NAME))


JOINED = PLAN.replace('name = "test"', 'name = "joined"').replace("""name = "trees"
game = "pgame:branching=2,depth=8"
trees = { from = 1, to = 4 }
""", """name = "late"
game = "pgame:branching=2,depth=8"
trees = { from = 3, to = 4 }
expected = "oracle"

[[series]]
name = "early"
game = "pgame:branching=2,depth=8"
positions = [{ position = "" }]
expected = "oracle"

[[series]]
name = "again"
game = "pgame:branching=2,depth=8"
trees = { from = 4, to = 4 }
""").replace('label = "PN"', 'label = "proof"').replace("(PN)", "(proof)").replace(
    'game = "pgame:branching=2,depth=8"\npositions', 'game = "pgame:branching=2,depth=8,tree=1"\npositions')


class Taken(MergeTest):
    """--plan: a plan takes the runs that it asks for, whatever they were called."""

    def setUp(self):
        super().setUp()
        self.old, self.plan = self.path("old.db"), self.path("joined.toml")
        self.experiment(self.write(PLAN), self.old)
        with open(self.plan, "w", encoding="utf-8") as file:
            file.write(JOINED)

    def take(self, *options, status=0, sources=()):
        process = run("merge", self.old, *sources, "--store", self.path("new.db"), "--plan", self.plan, *options)
        self.assert_status(process, status)
        return process

    def test_no_run_is_made_again(self):
        """Four of the eight, and tree 4 twice; names and keys are those of the plan, curves go with them."""
        before = self.bytes("old.db")
        said = self.take().stdout
        self.assertIn(": 8 runs added, 0 known, 2 of other plans left out\n", said)
        self.assertIn("): 8 of 8 runs\n", said)
        self.assertEqual(self.bytes("old.db"), before)
        self.experiment(self.plan, self.path("whole.db"))
        self.same_rows(self.path("new.db"), self.path("whole.db"))
        self.assertEqual(curves(self.path("new.db")), curves(self.path("whole.db")))
        process = self.experiment(self.plan, self.path("new.db"))
        self.assertIn("(0 now, 8 before)", process.stdout)
        self.assertEqual(query(self.path("new.db"), "SELECT name FROM plan"), [("joined",)])
        self.assertIn(": 0 runs added, 8 known", self.take().stdout)

    def test_some_series(self):
        self.assertIn(": 4 runs added", self.take("--series", "late").stdout)
        self.assertIn(": 4 runs added, 4 known", self.take("--series", "late", "early", "again").stdout)
        self.assertIn("no series 'x'", self.take("--series", "x", status=USAGE).stderr)
        process = run("merge", self.old, "--store", self.path("new.db"), "--series", "late")
        self.assert_status(process, USAGE)

    def test_the_series_that_has_most_of_them_counts(self):
        """Times of a run differ; where two series have it, all of one are taken together."""
        few = PLAN.replace('"trees"', '"few"').replace("from = 1", "from = 4")
        both = self.path("both.db")
        self.experiment(self.write(few), both)
        self.experiment(self.write(PLAN), both)
        change(both, "UPDATE run SET seconds = 777 WHERE series = 'few'")
        self.old = both
        self.take()
        self.assertEqual(query(self.path("new.db"), "SELECT DISTINCT seconds = 777 FROM run WHERE "
                               "series = 'late'"), [(0,)])

    def test_another_result(self):
        other = self.path("other.db")
        shutil.copy(self.old, other)
        change(other, "UPDATE run SET nodes_created = nodes_created + 1, counters = NULL")
        self.assertIn("another result of run", self.take(sources=[other], status=BAD_DATA).stderr)
        self.assertFalse(os.path.exists(self.path("new.db")))


class Smoke(MergeTest):

    def test_smoke(self):
        self.experiment(SMOKE, self.path("whole.db"))
        self.merge(*self.parts(SMOKE))
        self.same_rows(self.path("all.db"), self.path("whole.db"))
        both = [run("report", *stores, "--format", "claims").stdout for stores in
                ([self.path("all.db")], [self.path("part1.db"), self.path("part2.db")])]
        self.assertEqual(both[0], both[1])


if __name__ == "__main__":
    unittest.main()
