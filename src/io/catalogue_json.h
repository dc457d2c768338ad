// What a catalogue holds, as JSON.
#pragma once

#include "games/core/spec.h"
#include "src/io/json.h"

namespace playproof {

// Every entry with its options: name, type, default, range or words, help.
Json catalogue_json(const Catalogue& catalogue);
// A number as the option's type writes it.
Json number_json(const OptionInfo& option, double number);

}  // namespace playproof
