// A search that goes on when it has outgrown its memory, if there is more.
#pragma once

#include <cstdint>

#include "games/core/game.h"
#include "kernels/search/thread_tree.h"

namespace playproof {

// Where a label has gaps only its members are read: nobody has written the gaps.
template <class Label>
PP_HD Label members_of(const Label& label) {
  if constexpr (requires { label.members(); }) {
    return label.members();
  } else {
    return label;
  }
}

template <class Search>
class GrowingSearch : public Search {
 public:
  using Search::Search;
  using typename Search::Node;

  // Its nodes move to `capacity` ones from `nodes` on, more than it has: the iteration that found
  // no room for its children is gone on with, and the searches that are begun next have as much.
  PP_HD void move_to(Node* nodes, std::uint32_t capacity) {
    for (std::uint32_t i = 0; i < this->used_; ++i) {
      const Node& n = this->nodes_[i];
      nodes[i] =
          Node{members_of(n.label), n.first_child, n.edges, n.move, n.choices, n.decided, n.bounds};
    }
    this->nodes_ = nodes;
    this->capacity_ = capacity;
    this->result_.end = SearchEnd::kRunning;
  }
  PP_HD bool outgrown() const { return this->result_.end == SearchEnd::kOutgrown; }
  PP_HD Node* nodes() const { return this->nodes_; }
  PP_HD std::uint32_t room() const { return this->capacity_; }
};

}  // namespace playproof
