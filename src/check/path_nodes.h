// The nodes of a claim where positions can come again, in bounded memory (src/check/paths.h).
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "src/check/counts.h"
#include "src/check/live_nodes.h"
#include "src/check/reader.h"

namespace playproof::check {

// What the rules of a game are beside their name, if that is not all: lines of the header that
// begin with it. Stops at the line behind them.
template <class R>
void read_rules(Reader& reader, int version, const Limits& limits, typename R::Rules* rules) {
  if (version < 7) unreadable("positions that come again belong to version 7");
  if constexpr (requires { R::is_whole(*rules); }) {
    constexpr std::uint64_t kLineBytes = 200;  // beside the text
    constexpr std::uint64_t kWordBytes = 32;
    std::uint64_t bytes = 0;
    for (; reader.words()[0] == R::kName; reader.advance()) {
      bytes += kLineBytes;
      for (const std::string_view word : reader.words()) bytes += kWordBytes + word.size();
      if (bytes > limits.max_memory) {
        unreadable("the rules up to here take more than " +
                   std::to_string(limits.max_memory >> 20) + " MiB; --max-memory allows more");
      }
      const bool good =
          R::add_line(rules, RefWords(reader.words().begin() + 1, reader.words().end()));
      if (!good) reject("not a line of the rules");
    }
    if (!R::is_whole(*rules)) reject("lines of the rules are missing");
  }
}

using Positions = std::set<std::string, std::less<>>;  // packed

struct PathNode {
  std::string position;  // packed
  bool again = false;    // it was before
  Positions before;      // it holds if these were before,
  Positions not_before;  // and these were not
  std::string move;      // of a node `one`
};

class PathNodes {
 public:
  explicit PathNodes(const Limits& limits) : limits_(limits) {}

  const PathNode& at(std::string_view word) const {
    const auto found = nodes_.find(read_id(word));
    if (found == nodes_.end()) reject("no node " + std::string(word) + " lives here");
    return found->second;
  }
  void add(std::uint64_t id, PathNode node) {
    if (id <= last_id_) reject("ids must ascend, so that none is used twice");
    last_id_ = id;
    spend(bytes_of(node));
    if (!node.again) ++listed_[node.position];
    nodes_.emplace_hint(nodes_.end(), id, std::move(node));
  }
  void free(std::string_view word) {
    const PathNode& node = at(word);
    bytes_ -= bytes_of(node);
    const auto count = listed_.find(node.position);
    if (!node.again && --count->second == 0) listed_.erase(count);
    nodes_.erase(read_id(word));
  }
  std::uint64_t size() const { return nodes_.size(); }

  // The position has a line that lives, or will have one.
  void promise(const std::string& position) {
    if (listed_.contains(position)) return;
    if (promised_.insert(position).second) spend(kNodeBytes + position.size());
  }
  void keep_promise(const std::string& position) {
    if (promised_.erase(position) > 0) bytes_ -= kNodeBytes + position.size();
  }
  bool lacks_any() const { return !promised_.empty(); }

 private:
  static constexpr std::uint64_t kNodeBytes = 96;  // beside the text

  static std::uint64_t bytes_of(const PathNode& node) {
    std::uint64_t bytes = 2 * (kNodeBytes + node.position.size()) + node.move.size();
    for (const Positions* all : {&node.before, &node.not_before}) {
      for (const std::string& one : *all) bytes += kNodeBytes + one.size();
    }
    return bytes;
  }
  void spend(std::uint64_t bytes) {
    bytes_ += bytes;
    if (bytes_ <= limits_.max_memory) return;
    unreadable("its nodes that live take more than " + std::to_string(limits_.max_memory >> 20) +
               " MiB; --max-memory allows more");
  }

  const Limits& limits_;
  std::map<std::uint64_t, PathNode> nodes_;
  std::map<std::string, std::uint64_t, std::less<>> listed_;  // by how many lines that live
  Positions promised_;                                        // cited as `again`; a line is to come
  std::uint64_t last_id_ = 0;
  std::uint64_t bytes_ = 0;
};

}  // namespace playproof::check
