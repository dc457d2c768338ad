"""Opens the result stores of others: nothing in them runs, and none takes time or space without end.

A store is opened for reading only, and before its rows are read it must hold the tables of
src/store/schema.h and nothing else (a view in a table's place is a program, and so is a trigger, a
generated column or an index of an expression), each value in them of its column's type and of a size
that the program writes. Stores compressed with xz are unpacked first, within bounds. Standard library
only.
"""

import lzma
import os
import re
import sqlite3
import tempfile
import time
import zlib
from contextlib import contextmanager

from .errors import DATA, ReportError

APPLICATION_ID = 0x504C5950
# CRC-32 of all columns, table after table: name, type, NOT NULL, place in the primary key, hidden.
VERSIONS = {1: 0x91DB590C, 2: 0x012AD413, 3: 0x1E66AC02, 4: 0x3D89A25B}
TABLES = ("plan", "plan_run", "invocation", "run", "curve")
# SQLite's own, of the primary keys.
_INDICES = {f"sqlite_autoindex_{table}_1": table for table in ("plan", "run", "curve")}
# All that a table of the program is made of: no default, check, collation or generated column.
_COLUMN = (r'"?\w+"? (?:TEXT|INTEGER|REAL|BLOB)(?: NOT NULL)?(?: PRIMARY KEY)?'
           r"(?: REFERENCES run ?\(key\))?")
_TABLE = re.compile(rf'CREATE TABLE "?(\w+)"? ?\( ?{_COLUMN}(?: ?, ?{_COLUMN})*'
                    r"(?: ?, ?PRIMARY KEY \(\w+(?:, \w+)*\))? ?\) STRICT(?:, WITHOUT ROWID)?")
_LONGEST_SQL = 1 << 16

MIB = 1 << 20
MOST_OF_VALUE = 64 * MIB  # bytes; as src/store/foreign.h has it
MOST_OF_STORE = 4096 * MIB  # bytes that the values of a store take here, with CELL for each
CELL = 64
# Unpacked, of the larger of the two: stores of the program become 20 to 60 times as large.
LEAST_BOUND, GROWTH = 64 * MIB, 200
MOST_OF_UNPACKER = 256 * MIB  # bytes of its dictionary; `xz -9` needs 65 MiB
BLOCK = MIB
# Bytes 18 and 19 of a database: how it is written. The log of one that was packed alone is not there.
_WRITE_AHEAD, _ROLLBACK = b"\2\2", b"\1\1"
# Of one question to a store: a minute, and a second for each MiB of the file.
PATIENCE, PATIENCE_PER_MIB = 60.0, 1.0
STEPS = 10_000  # of SQLite's machine between two looks at the clock
# SQLite would have to undo what the program had begun.
LEFT = "a program that was killed left a journal beside it; start that program again"


class OpenStore:
    """One open file, checked. Raises ReportError(DATA) that names it if it is no store or is damaged."""

    def __init__(self, path):
        self.path = path
        if not os.path.isfile(path):
            reason = ("is a directory" if os.path.isdir(path) else
                      "is not a regular file" if os.path.exists(path) else "no such file")
            raise ReportError(DATA, f"{path}: cannot read the result store: {reason}")
        with self._reading():
            size = os.path.getsize(path)
            if path.endswith(".xz"):
                self.database, size = _unpacked(path)
            else:
                self.database = _connect(path, "mode=ro")
            self._patience = PATIENCE + PATIENCE_PER_MIB * size / MIB
            self._guard()
            self._check()

    @contextmanager
    def _reading(self):
        """What damage does to names and texts is no bug of ours."""
        try:
            yield
        except (sqlite3.Error, UnicodeDecodeError, OverflowError, lzma.LZMAError,
                EOFError) as error:
            cause = LEFT if "readonly database" in str(error) else error
            raise ReportError(DATA, f"{self.path}: not a usable result store: {cause}") from error
        except OSError as error:
            raise ReportError(DATA, f"{self.path}: cannot read the result store: "
                                    f"{error.strerror or error}") from error

    def _guard(self):
        """Nothing of the schema is trusted, no value is longer than ours, no question lasts for ever."""
        for pragma in ("trusted_schema = OFF", "cell_size_check = ON", "mmap_size = 0"):
            self.database.execute(f"PRAGMA {pragma}")
        if hasattr(self.database, "setlimit"):  # Python 3.11
            self.database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MOST_OF_VALUE + BLOCK)
        self.database.set_progress_handler(lambda: time.monotonic() > self._until, STEPS)
        self._until = 0.0

    def fail(self, damage):
        raise ReportError(DATA, f"{self.path}: the store is damaged: {damage}")

    def rows(self, sql, *values):
        """[{column: value}, ...]"""
        with self._reading():
            self._until = time.monotonic() + self._patience
            try:
                found = self.database.execute(sql, values)
                names = [column[0] for column in found.description]
                return [dict(zip(names, row)) for row in found]
            except sqlite3.OperationalError as error:
                if str(error) != "interrupted":
                    raise
                if time.monotonic() <= self._until:  # a signal came while SQLite looked at the clock
                    raise KeyboardInterrupt from None
                self.fail(f"a question to it lasts longer than {self._patience:.0f} seconds, which "
                          "no store of its size takes")

    def _value(self, sql):
        row, = self.rows(sql)
        return next(iter(row.values()))

    def _check(self):
        if self._value("PRAGMA application_id") != APPLICATION_ID:
            raise ReportError(DATA, f"{self.path}: this SQLite file is not a result store of "
                                    "playproof")
        version = self._value("PRAGMA user_version")
        if version not in VERSIONS:
            raise ReportError(DATA, f"{self.path}: store version {version}, but this program reads "
                                    f"versions {min(VERSIONS)} to {max(VERSIONS)}")
        self._check_objects()
        columns = {table: self.rows(f"PRAGMA table_xinfo({table})") for table in TABLES}
        told = [f"{c['name']} {c['type']} {c['notnull']} {c['pk']} {c['hidden']}"
                for table in TABLES for c in columns[table]]
        if zlib.crc32(" ".join(told).encode()) != VERSIONS[version]:
            self.fail("its columns are not those of its version")
        # Not quick_check: that does not hold the indices against the tables.
        damage = self._value("PRAGMA integrity_check(1)")
        if damage != "ok":
            self.fail(damage)
        taken = sum(self._check_values(table, columns[table]) for table in TABLES)
        if taken > MOST_OF_STORE:
            raise ReportError(DATA, f"{self.path}: the store is too large for a report: its values take "
                                    f"{taken / MIB:,.0f} MiB, and a report takes {MOST_OF_STORE // MIB:,}")

    def _check_objects(self):
        """Just the tables of the program, and what SQLite makes for their keys."""
        tables = set()
        for row in self.rows("SELECT type, name, tbl_name, rootpage, substr(sql, 1, ?) AS sql FROM "
                             "sqlite_master", _LONGEST_SQL):
            kind, name = row["type"], row["name"]
            sql = " ".join((row["sql"] or "").split())
            if kind == "index" and row["sql"] is None and _INDICES.get(name) == row["tbl_name"]:
                continue
            if kind != "table" or name not in TABLES:
                raise ReportError(DATA, f"{self.path}: the store has the {kind} '{name}', which is not of "
                                        f"playproof; a result store holds the tables {', '.join(TABLES)} "
                                        "and nothing else")
            made = _TABLE.fullmatch(sql)
            if not made or made.group(1) != name or not row["rootpage"]:
                raise ReportError(DATA, f"{self.path}: the table '{name}' is not as playproof makes it: "
                                        f"{sql[:200] or 'without SQL'}")
            tables.add(name)
        for name in TABLES:
            if name not in tables:
                raise ReportError(DATA, f"{self.path}: the store lacks the table '{name}', and has not the "
                                        "columns of its version")

    def _check_values(self, table, columns):
        """Types and sizes, before any value is fetched. Returns what all of them take in memory."""
        asked = []
        for number, column in enumerate(columns):
            name, kind = f'"{column["name"]}"', column["type"].lower()
            null = "" if column["notnull"] or column["pk"] else ", 'null'"
            asked.append(f"max(typeof({name}) NOT IN ('{kind}'{null})) AS wrong{number}")
            if kind in ("text", "blob"):
                length = f"length({name})" if kind == "blob" else f"length(CAST({name} AS BLOB))"
                asked += [f"max({length}) AS most{number}", f"total({length}) AS all{number}"]
        found, = self.rows(f"SELECT count(*) AS rows, {', '.join(asked)} FROM {table}")
        taken = float(found["rows"] * len(columns) * CELL)
        for number, column in enumerate(columns):
            place = f"the column '{column['name']}' of '{table}'"
            if found[f"wrong{number}"]:
                self.fail(f"{place} holds what is no {column['type']}")
            if (found.get(f"most{number}") or 0) > MOST_OF_VALUE:
                self.fail(f"{place} holds a value of {found[f'most{number}']:,} bytes, and the program "
                          f"writes none of more than {MOST_OF_VALUE:,}")
            taken += found.get(f"all{number}", 0.0)
        return taken


def _connect(path, how):
    name = os.path.abspath(path)
    for letter, code in (("%", "%25"), ("?", "%3f"), ("#", "%23")):
        name = name.replace(letter, code)
    return sqlite3.connect(f"file:{name}?{how}", uri=True)


def _unpacked(path):
    """(the database, its bytes) of a file compressed with xz.

    It lies in a file without a name, which is gone with the process however that ends: SQLite opens it
    while it is empty, and then it loses its name.
    """
    bound = max(LEAST_BOUND, GROWTH * os.path.getsize(path))
    descriptor, name = tempfile.mkstemp(prefix="playproof-", suffix=".db")
    with os.fdopen(descriptor, "wb") as plain:
        try:
            database = _connect(name, "mode=ro")
        finally:
            os.unlink(name)
        size = 0
        for block in _blocks(path):
            if size == 0 and block[18:20] == _WRITE_AHEAD:
                block = block[:18] + _ROLLBACK + block[20:]
            size += len(block)
            if size > bound:
                raise ReportError(DATA, f"{path}: unpacked the store has more than {bound // MIB:,} MiB, "
                                        "which no store of playproof packed into so little has; if it is "
                                        "one, unpack it with `xz -d`")
            plain.write(block)
    return database, size


def _blocks(path):
    """What a file compressed with xz holds, piece by piece; it may have several streams."""
    with open(path, "rb") as packed:
        data = packed.read(BLOCK)
        while True:
            unpacker = lzma.LZMADecompressor(format=lzma.FORMAT_XZ, memlimit=MOST_OF_UNPACKER)
            while not unpacker.eof:
                if unpacker.needs_input and not data:
                    data = packed.read(BLOCK)
                    if not data:
                        raise EOFError("compressed file ended before the end of its stream")
                yield unpacker.decompress(data, BLOCK)
                data = b""
            data = unpacker.unused_data.lstrip(b"\0") or packed.read(BLOCK).lstrip(b"\0")
            if not data:
                return
