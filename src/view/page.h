// A page of a document: HTML that needs no network and no other file.
#pragma once

#include <cstddef>
#include <string>

#include "src/view/document.h"

namespace playproof {

// What the page of a file may take, in bytes, and what a served page takes along at once.
inline constexpr std::size_t kPageBytes = 5'000'000;
inline constexpr std::size_t kServedBytes = 400'000;

struct Page {
  std::string html;
  std::uint64_t shown = 0;  // nodes that are on it
  int whole_depth = 0;      // all that are up to so many steps from a root are on it
  bool all = false;         // nothing is left out
};

// Nodes are on it by their distance from the roots, as long as they fit into `most` bytes; roots
// always. `served`: the page asks for the others by number (src/view/server.h).
Page make_page(const Document& document, std::size_t most, bool served);

// What the policy of a page allows, and that of a served one.
std::string page_policy(bool served);

}  // namespace playproof
