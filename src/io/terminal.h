// What a terminal can show.
#pragma once

#include <string_view>

namespace playproof {

// Do the locale's variables say UTF-8 (LC_ALL, else LC_CTYPE, else LANG: the first that is set)?
bool is_utf8_locale();
// Does its name: "de_DE.UTF-8", "C.utf8", "en_US.UTF-8@euro"?
bool says_utf8(std::string_view locale);

// May a terminal behind this descriptor be written to in colours? Not if it is none, if it is
// "dumb", or if NO_COLOR is set and not empty (no-color.org).
bool takes_colours(int descriptor);

// The columns of the terminal behind a descriptor; 80 if it does not say.
int terminal_columns(int descriptor);

}  // namespace playproof
