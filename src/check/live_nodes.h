// The nodes of a claim that later lines may name: in bounded memory, whatever ids a file chooses.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "games/core/reference_text.h"
#include "src/check/counts.h"
#include "src/check/reader.h"

namespace playproof::check {

inline std::uint64_t read_id(std::string_view word) {
  std::uint64_t id = 0;
  if (!ref_number(word, ~std::uint64_t{0}, &id)) unreadable("expected an id, not " + shown(word));
  return id;
}

// The value of the root for the attacker is >= threshold (proved), or it is not.
struct Claim {
  int threshold = 0;
  bool proved = true;
};

enum class NodeKind : char {
  kPosition,
  kRechecked,    // a position that was searched
  kCard,         // a pattern, whoever moves
  kProversCard,  // a pattern with the prover to move
  kLink,         // a pattern and its two ends, so longer than any position, whoever moves
  kProversLink,  // the same with the prover to move
  kRace,         // a board with places, and stones of a turn, the prover to move
};
using NodeText = std::pair<std::string, NodeKind>;  // the position or pattern, packed
// What is kept of a node.
struct LiveNode {
  std::string_view position;  // or pattern, and ends
  NodeKind kind;

  bool is_card() const { return kind == NodeKind::kCard || kind == NodeKind::kProversCard; }
  bool is_link() const { return kind == NodeKind::kLink || kind == NodeKind::kProversLink; }
};

class LiveNodes {
 public:
  explicit LiveNodes(const Limits& limits) : limits_(limits) {}

  LiveNode find(std::string_view word) const {
    const std::string_view text = at(word)->second;
    return {text.substr(0, text.size() - 1), static_cast<NodeKind>(text.back())};
  }
  // Ids ascend. `root_move`: of a node `one` that could be the root, else empty.
  void add(std::uint64_t id, std::string position, NodeKind kind, std::string_view root_move) {
    if (id <= last_id_) reject("ids must ascend, so that none is used twice");
    last_id_ = id;
    position += static_cast<char>(kind);
    bytes_ += bytes_of(position) + (root_move.empty() ? 0 : kNodeBytes);
    nodes_.emplace_hint(nodes_.end(), id, std::move(position));
    if (!root_move.empty()) root_moves_.emplace(id, root_move);
    if (bytes_ > limits_.max_memory) {
      unreadable("its nodes that live take more than " + std::to_string(limits_.max_memory >> 20) +
                 " MiB; --max-memory allows more");
    }
  }
  std::string root_move(std::string_view word) const {
    const auto found = root_moves_.find(read_id(word));
    return found == root_moves_.end() ? "" : found->second;
  }
  void free(std::string_view word) {
    const auto node = at(word);
    bytes_ -= bytes_of(node->second) + root_moves_.erase(node->first) * kNodeBytes;
    nodes_.erase(node);
  }
  std::uint64_t size() const { return nodes_.size(); }

 private:
  // A map leads from an id, which may be chosen badly, to what is kept of its node: no hashing.
  using Nodes = std::map<std::uint64_t, std::string>;
  static constexpr std::uint64_t kNodeBytes = 96;  // beside the text

  static std::uint64_t bytes_of(const std::string& text) { return kNodeBytes + text.size(); }
  Nodes::const_iterator at(std::string_view word) const {
    const auto found = nodes_.find(read_id(word));
    if (found == nodes_.end()) reject("no node " + std::string(word) + " lives here");
    return found;
  }

  const Limits& limits_;
  Nodes nodes_;  // the last character is its NodeKind
  Nodes root_moves_;
  std::uint64_t last_id_ = 0;
  std::uint64_t bytes_ = 0;
};

}  // namespace playproof::check
