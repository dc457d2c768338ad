// JSON as the programs print it. Who makes or reads values includes <nlohmann/json.hpp> itself: it
// is long.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string_view>

namespace playproof {

// Keys in the order written: the order of the documentation.
using Json = nlohmann::ordered_json;

// Writes one line of JSON to stdout. Text that is no UTF-8 is replaced, never an error.
void print_json(const Json& value);

// Is it an object of JSON, with at most `deepest` lists and objects in each other? Who reads it
// deeper, or writes it, may run out of stack.
bool is_json_object(std::string_view text, int deepest);
// The second half of that: quick, and of any text.
bool nests_deeper(std::string_view json, int deepest);

}  // namespace playproof
