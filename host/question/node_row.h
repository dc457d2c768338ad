// A node of a search as people look at it: what a tree shows, whatever the search.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "host/question/question.h"
#include "kernels/numbers/bounds.h"

namespace playproof {

// Numbers have names: "pn", "dn"; "p"; "visits", "mean"; and what else a scheme has.
using NodeNumbers = std::vector<std::pair<const char*, double>>;

struct NodeRow {
  std::size_t parent = 0;               // the number of its row; the root's is its own
  int depth = 0;                        // plies below the root
  std::string move;                     // that leads to it; empty: the root
  bool attackers = true;                // the attacker is to move
  bool expanded = false;                // it has children, of this look or below its depth
  Verdict verdict = Verdict::kUnknown;  // of the claim that is searched for
  int lower = 0;                        // bounds of its value for the attacker
  int upper = 0;
  NodeNumbers numbers;

  void tell(const Bounds& bounds, Value threshold) {
    lower = bounds.lower();
    upper = bounds.upper();
    if (bounds.proves(threshold)) verdict = Verdict::kProved;
    if (bounds.disproves(threshold)) verdict = Verdict::kDisproved;
  }
};

// How much to look at: so many plies below the root, and at most so many nodes.
struct NodeLook {
  int depth = 1;
  std::size_t most = 100'000;
};

}  // namespace playproof
