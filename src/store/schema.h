// The SQL of the result store (src/store/store.h says what the tables are for).
#pragma once

#include <array>

namespace playproof {

inline constexpr const char* kCreateTables = R"sql(
CREATE TABLE plan (
  hash TEXT PRIMARY KEY, name TEXT NOT NULL, text TEXT NOT NULL, json TEXT NOT NULL,
  first_used TEXT NOT NULL, last_used TEXT NOT NULL
) STRICT;
CREATE TABLE plan_run (
  plan_hash TEXT NOT NULL, ordinal INTEGER NOT NULL, key TEXT NOT NULL,
  PRIMARY KEY (plan_hash, ordinal)
) STRICT, WITHOUT ROWID;
CREATE TABLE invocation (
  id INTEGER PRIMARY KEY, plan_hash TEXT NOT NULL, command TEXT NOT NULL, version TEXT NOT NULL,
  revision TEXT NOT NULL, compiler TEXT NOT NULL, build_type TEXT NOT NULL, host TEXT NOT NULL,
  cpu_model TEXT NOT NULL, cores INTEGER NOT NULL, concurrent INTEGER NOT NULL,
  shard TEXT NOT NULL, started TEXT NOT NULL, finished TEXT
) STRICT;
CREATE TABLE run (
  key TEXT PRIMARY KEY, invocation INTEGER NOT NULL,
  plan TEXT NOT NULL, series TEXT NOT NULL, problem TEXT NOT NULL,
  game TEXT NOT NULL, position TEXT NOT NULL, goal TEXT NOT NULL,
  algorithm TEXT NOT NULL, spec TEXT NOT NULL, parameters TEXT NOT NULL,
  repetition INTEGER NOT NULL, seed INTEGER NOT NULL, batch INTEGER NOT NULL,
  threads INTEGER NOT NULL, max_nodes INTEGER NOT NULL, max_memory INTEGER NOT NULL,
  backend TEXT NOT NULL, device TEXT NOT NULL,
  outcome TEXT NOT NULL, verdict TEXT NOT NULL, reason TEXT NOT NULL,
  expected TEXT, expected_source TEXT, best_move TEXT,
  lower INTEGER NOT NULL, upper INTEGER NOT NULL,
  iterations INTEGER NOT NULL, iteration_divisor INTEGER NOT NULL,
  iterations_normalised REAL NOT NULL,
  nodes_created INTEGER NOT NULL, nodes_expanded INTEGER NOT NULL,
  evaluations INTEGER NOT NULL, playouts INTEGER NOT NULL,
  max_depth INTEGER NOT NULL, node_visits INTEGER NOT NULL, re_entries INTEGER NOT NULL,
  branch_switches INTEGER NOT NULL, root_switches INTEGER NOT NULL,
  peak_bytes INTEGER NOT NULL,
  seconds REAL NOT NULL, cpu_seconds REAL NOT NULL,
  version TEXT NOT NULL, revision TEXT NOT NULL, compiler TEXT NOT NULL, host TEXT NOT NULL,
  cpu_model TEXT NOT NULL, started TEXT NOT NULL, finished TEXT NOT NULL,
  shallow_switches INTEGER, endings INTEGER, ending_nodes INTEGER,
  table_lookups INTEGER, table_hits INTEGER, table_useful_hits INTEGER,
  table_stored INTEGER, table_replaced INTEGER, table_discarded INTEGER,
  counters TEXT, max_cpu_seconds REAL
) STRICT;
CREATE TABLE curve (run_key TEXT PRIMARY KEY REFERENCES run (key), points BLOB NOT NULL) STRICT;
)sql";

// A column of `run` up to version 2, after `nodes_expanded`: it never held anything but 0. What a
// depth-first search expands again is in `re_entries` (docs/numbers.md).
inline constexpr const char* kDroppedColumn = "nodes_reexpanded";
inline constexpr const char* kBeforeDropped = "nodes_expanded";

// Columns of `run` since version 4: its last ones, which rows of older versions have no value in.
inline constexpr std::array kLaterColumns = {"counters TEXT", "max_cpu_seconds REAL"};

inline constexpr std::array kTables = {"plan", "plan_run", "invocation", "run", "curve"};

}  // namespace playproof
