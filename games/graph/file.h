// A graph as a text that people write (docs/graphs.md), and where the graphs live that are in use.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "games/graph/rules.h"

namespace playproof {

// Words for a path rule, as files write them: "infinite draw", "repeater loses".
std::string_view path_rule_words(PathRule rule);

class GraphFile : public std::enable_shared_from_this<GraphFile> {
 public:
  static constexpr std::size_t kLongestName = 64;

  // Reads the text of a file; time and memory grow with its length (a second for 10^6 nodes).
  // Throws Error(kData): "NAME:LINE:COLUMN: what is wrong", both from 1, columns in bytes.
  GraphFile(std::string name, std::string text);
  ~GraphFile() = default;
  GraphFile(const GraphFile&) = delete;
  GraphFile& operator=(const GraphFile&) = delete;

  // The graph of a file, or of no name the one that is built in (kFigure9). It lives as long as
  // anybody keeps it; a file that is in use and has not changed is read once. Throws Error(kData).
  static std::shared_ptr<const GraphFile> open(const std::string& name);
  // Whoever keeps this keeps the graph of the rules, which somebody must keep already.
  static std::shared_ptr<const GraphFile> keep(const Graph::Rules& rules);

  // They point into this.
  const Graph::Rules& rules() const { return rules_; }
  const std::string& name() const { return name_; }  // of the file; empty: built in
  // It is made of the text; two texts may share one.
  std::uint64_t fingerprint() const;
  std::size_t nodes() const { return nodes_.size(); }
  std::string_view node_name(std::uint32_t node) const {
    return std::string_view{text_}.substr(names_[node].offset, names_[node].size);
  }
  std::optional<std::uint32_t> find(std::string_view name) const;
  // The same graph as lines "rule: ...", "start: ..." and one for each node.
  std::string line(std::size_t i) const;
  std::size_t lines() const { return nodes_.size() + 2; }

 private:
  class Reader;
  struct Name {
    std::uint32_t offset;  // where the text names the node first
    std::uint32_t size;
  };
  // Where a name stands, or is to stand: what most names need to be told apart is there.
  struct Slot {
    std::uint64_t first = 0;  // bytes of the name, up to eight
    std::uint32_t size = 0;   // of the name
    std::uint32_t node = 0;   // + 1
    bool is_free() const { return node == 0; }
  };
  static std::uint64_t first_bytes(std::string_view name);
  std::size_t slot_of(std::string_view name) const;

  std::string name_;
  std::string text_;
  std::vector<GraphNode> nodes_;
  std::vector<std::uint32_t> arrows_;
  std::vector<Name> names_;
  std::vector<Slot> slots_;  // by the hash of the name
  Graph::Rules rules_;
};

}  // namespace playproof
