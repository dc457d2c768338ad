// Stores may come from anybody: what is held against one before it is read or written.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "src/store/run_row.h"

struct sqlite3;

namespace playproof {

// The longest text, blob or row of a store, written or read: an error curve of four million points.
inline constexpr int kMostStoredBytes = 64 << 20;

// Must be called before the first statement: nothing that stands in the schema runs (triggers,
// views, functions), no cell is read beyond its page, and no value is longer than kMostStoredBytes.
// Throws SqliteFailure.
void distrust(sqlite3* database);

// Throws Error(kData) that names the first table, index, view, trigger or column which a store of
// this version has not, or lacks, or has in another form. Throws SqliteFailure, as the next one
// does.
void check_schema(sqlite3* database, const std::string& path, std::int64_t version);

// Throws Error(kData) that names a run or a plan with a value that none of ours has: a verdict of
// another name, a divisor of 0, a count below 0, JSON that cannot be read. Of the version that
// src/store/schema.h has.
void check_values(sqlite3* database, const std::string& path);

// The column that has such a value, of a row that somebody else has made; null if none has.
const char* wrong_column(const RunRow& row);
// Does an error curve go forward from an iteration of at least 0, with errors of 0..1?
bool is_curve(const ErrorCurve& curve);
// The same of the bytes that stores keep (src/store/store.h).
bool is_packed_curve(std::string_view points);

}  // namespace playproof
