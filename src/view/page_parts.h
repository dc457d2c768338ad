// The parts of the page as they stand in page.html, page.css and page.js; src/view/embed.cmake
// makes strings of them.
#pragma once

namespace playproof {

extern const char* const kPageHTML;
extern const char* const kPageCSS;
extern const char* const kPageJS;

}  // namespace playproof
