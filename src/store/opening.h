// What is held against a result store when it is opened, and what is brought up to date in it.
#pragma once

#include <cstddef>
#include <string>

struct sqlite3;

namespace playproof {

// Throws Error(kData) naming the first table or column that is not as src/store/schema.h makes it.
// `run` may lack its last `lacking` columns; `dropped` says whether it has kDroppedColumn. Throws
// SqliteFailure, as the next one does.
void check_columns(sqlite3* database, const std::string& path, std::size_t lacking, bool dropped);

// The key of a run that rests on these tallies (own_tallies of host/playouts/evaluator.h).
std::string with_tallies(const std::string& key, const std::string& tallies);

// Rows that were written before their keys told tallies get the keys that they would have now, from
// their column `backend`; within one transaction of the caller. A row whose new key is there
// already is the same run, and goes.
void bring_keys_up_to_date(sqlite3* database);

}  // namespace playproof
