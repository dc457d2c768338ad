// States that somebody made up of searches with several batches out: every byte behind the tree is
// replaced, and what is read of it is refused, or leads to the right verdict. Other searches:
// checkpoint_test.cpp.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "games/core/error.h"
#include "saved.h"
#include "support.h"

namespace playproof::forged_states_test {
namespace {

struct Search {
  const char* game;
  const char* position;
  const char* algorithm;
};
// Every family of which leaves wait for playouts; `pn` and `pn2`, of which none does.
constexpr Search kSearches[] = {
    {"hex:size=3", "", "ppn:playouts=2"},
    {"hex:size=3", "a1", "ppn:playouts=3,patterns=20,order=random"},
    {"hex:size=3", "a1", "ppn:playouts=3,fill=full,probe=connections"},
    {"hex:size=3", "", "pn:leaf=playouts,playouts=2"},
    {"pgame:branching=3,depth=5,tree=7", "", "pn:leaf=playouts,playouts=2,ties=path,stop=one"},
    {"hex:size=3", "", "mcpn:playouts=3"},
    {"connect6:rows=3,columns=3,connect=3,stones=1", "BB", "mcpn:playouts=2,earlybreak=off"},
    {"hex:size=3", "", "ews:playouts=2,zones=off"},
    {"hex:size=3", "", "mcts:playouts=2"},
    {"pgame:branching=3,depth=5,tree=2", "", "mcts:playouts=2"},
    {"hex:size=3", "", "uct:playouts=2"},
    {"hex:size=3", "a1", "uct:playouts=3,reward=sign,zones=off"},
    {"hex:size=3", "", "pn:ties=path"},
    {"hex:size=3", "", "pn2:evaluate=immediate"},
};
struct Shape {
  std::uint32_t batch;
  std::uint32_t pipeline;
};
constexpr Shape kShapes[] = {{1, 4}, {3, 2}, {2, 3}, {7, 2}, {5, 1}};

SolveRequest request_of(const Search& search, const Shape& shape, std::uint64_t max_nodes) {
  SolveRequest request = ask(search.game, search.algorithm, search.position);
  request.seed = 3;
  request.batch = shape.batch;
  request.pipeline = shape.pipeline;
  request.limits.max_nodes = max_nodes;
  return request;
}
// Of a search that a limit has cut, in most cases within a batch.
std::string cut_at(const Search& search, const Shape& shape, std::uint64_t nodes) {
  const auto solver = make_solver(request_of(search, shape, nodes));
  std::string state = saved(*solver);
  while (solver->step(shape.batch) == StopReason::kRunning) state = saved(*solver);
  return solver->resumable() ? saved(*solver) : state;
}

// Where the nodes and edges end.
std::size_t end_of_tree(const std::string& state) {
  const auto number = [&](std::size_t at) {
    std::uint64_t value = 0;
    std::memcpy(&value, state.data() + at, sizeof value);
    return value;
  };
  // Reason, seconds, CPU seconds, no news; then the sizes of a node and of an edge, and both lists.
  const std::size_t sizes = 1 + 8 + 8 + 1;
  std::uint32_t node = 0;
  std::uint32_t edge = 0;
  std::memcpy(&node, state.data() + sizes, sizeof node);
  std::memcpy(&edge, state.data() + sizes + sizeof node, sizeof edge);
  const std::size_t nodes = sizes + sizeof node + sizeof edge;
  const std::size_t edges = nodes + 8 + number(nodes) * node;
  return edges + 8 + number(edges) * edge;
}

class Sweep {
 public:
  Sweep(const Search& search, const Shape& shape, std::uint64_t nodes)
      : request_(request_of(search, shape, 100000)),
        right_(solve(request_).verdict),
        state_(cut_at(search, shape, nodes)),
        what_(request_.game + ' ' + request_.algorithm + ", batch " + std::to_string(shape.batch) +
              ", pipeline " + std::to_string(shape.pipeline) + ", " + std::to_string(nodes) +
              " nodes") {
    EXPECT_NE(right_, Verdict::kUnknown) << what_;
    EXPECT_TRUE(accepts_state(request_, state_, right_)) << what_;
  }

  // Every so manieth byte of the tree, and every one behind it, by day every third: those of the
  // path and the batches, at the end, by many others.
  void run(std::size_t stride) {
    const std::size_t end = end_of_tree(state_);
    for (std::size_t i = 0; i < end; i += stride) {
      replace(i, static_cast<std::uint8_t>(state_[i] ^ (i % 2 == 0 ? 1 : 0x80)));
    }
    for (std::size_t i = end; i < state_.size(); i += nightly() ? 1 : 3) {
      const auto old = static_cast<std::uint8_t>(state_[i]);
      replace(i, static_cast<std::uint8_t>(old ^ (i % 2 == 0 ? 1 : 0x80)));
      if (state_.size() - i > kBehind && !nightly()) continue;
      for (const int other : {0, 1, 2, 0x7f, 0xff, old + 1, old - 1, old ^ 0x10}) {
        replace(i, static_cast<std::uint8_t>(other));
      }
    }
  }
  int refused() const { return refused_; }
  int taken() const { return taken_; }

 private:
  static constexpr std::size_t kBehind = 400;

  void replace(std::size_t at, std::uint8_t byte) {
    std::string forged = state_;
    forged[at] = static_cast<char>(byte);
    if (forged == state_) return;
    SCOPED_TRACE(what_ + ", byte " + std::to_string(at) + " of " + std::to_string(state_.size()) +
                 ": " + std::to_string(byte));
    accepts_state(request_, forged, right_) ? ++taken_ : ++refused_;
  }
  SolveRequest request_;
  Verdict right_;
  std::string state_;
  std::string what_;
  int refused_ = 0;
  int taken_ = 0;
};

class ForgedStates : public testing::TestWithParam<std::size_t> {};

TEST_P(ForgedStates, EveryByteBehindTheTree) {
  const Search& search = kSearches[GetParam()];
  int refused = 0;
  int taken = 0;
  for (const Shape& shape : kShapes) {
    if (std::string(search.algorithm).starts_with("pn2") && shape.batch != 3)
      continue;  // no batches
    const std::size_t turn = static_cast<std::size_t>(&shape - kShapes) + GetParam();
    for (const std::uint64_t nodes : {14, 31, 40}) {
      if (nodes != std::array{14u, 31u, 40u}[turn % 3] && !nightly()) continue;
      Sweep sweep(search, shape, nodes);
      sweep.run(nightly() ? 1 : 29);
      refused += sweep.refused();
      taken += sweep.taken();
      if (HasFailure()) return;
    }
  }
  // What is taken: times, estimates, and what of a count rules and tree leave open.
  EXPECT_GT(refused, 2 * taken);
}
INSTANTIATE_TEST_SUITE_P(Each, ForgedStates, testing::Range<std::size_t>(0, std::size(kSearches)));

}  // namespace
}  // namespace playproof::forged_states_test
