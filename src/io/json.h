// JSON as the programs print it. Who makes or reads values includes <nlohmann/json.hpp> itself: it
// is long.
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace playproof {

// Keys in the order written: the order of the documentation.
using Json = nlohmann::ordered_json;

// Writes one line of JSON to stdout. Text that is no UTF-8 is replaced, never an error.
void print_json(const Json& value);

}  // namespace playproof
