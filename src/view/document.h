// What a page shows, a certificate or a search, node by node. docs/view.md has the forms of its
// JSON, which src/view/page.js reads.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "src/io/json.h"

namespace playproof {

class Document {
 public:
  virtual ~Document() = default;
  // What there is to say of the whole.
  virtual Json head() const = 0;
  virtual std::vector<std::uint64_t> roots() const = 0;
  // A node as one line of JSON; nothing if there is no node of this number.
  virtual std::optional<std::string> node(std::uint64_t number) const = 0;
  // The numbers of the nodes that it leads to.
  virtual std::vector<std::uint64_t> below(std::uint64_t number) const = 0;
  // Nodes deeper than this may be missing.
  virtual std::optional<int> whole_depth() const { return std::nullopt; }
};

// JSON as it may stand within a script element: without '<'.
std::string json_for_page(const Json& value);

}  // namespace playproof
