// How often the loops of whole searches run, for one thread and for a warp, whose threads go on
// together: a loop of theirs runs as often as in the one that needs it most. The playouts of all
// their leaves they share out (kernels/search/pooled_leaves.h). Against
// tests/golden/search-lockstep.txt, from which test_search_code.py counts instructions. With
// PLAYPROOF_WRITE_GOLDEN=1 the table is written instead of compared.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "kernels/pgame/leaf_playouts.h"
#include "kernels/schemes/pn.h"
#include "kernels/schemes/ppn.h"
#include "kernels/search/growing_search.h"
#include "kernels/search/pooled_leaves.h"
#include "kernels/search/thread_search.h"

namespace playproof::search_lockstep_test {
namespace {

constexpr std::uint32_t kWarp = 32;
constexpr std::uint32_t kPlies = 4;  // with 2 branches

// Of an iteration.
struct Loops {
  double steps = 0;     // of the descent
  double updates = 0;   // nodes that are backed up
  double bounds = 0;    // of these, with their bounds: those of a child have changed
  double portions = 0;  // of playouts
  double plies = 0;     // of these
  double blocks = 0;    // of random bits, one for kPlies
  static constexpr double Loops::*kAll[] = {&Loops::steps,    &Loops::updates, &Loops::bounds,
                                            &Loops::portions, &Loops::plies,   &Loops::blocks};
};
// Children that wait for playouts, and how many plies are left there.
struct Waiting {
  std::uint32_t children = 0;
  std::uint32_t plies = 0;
};

template <class S>
class Counted : public ThreadSearch<PGame, S> {
 public:
  using ThreadSearch<PGame, S>::ThreadSearch;
  // `updates`: of each node that was backed up, whether with its bounds.
  Loops iterate_counted(std::uint32_t game_depth, SearchEnd* end, Waiting* waiting,
                        std::vector<bool>* updates) {
    const std::uint32_t from = this->depth_;
    const TreeResult before = this->result_;
    *end = this->iterate();
    const TreeResult& now = this->result_;
    Loops loops;
    loops.steps = this->previous_ - from;
    loops.updates = static_cast<double>(now.node_visits - before.node_visits);
    waiting->children = static_cast<std::uint32_t>(now.evaluations - before.evaluations);
    waiting->plies = game_depth - this->previous_ - 1;
    note_updates(updates);
    loops.bounds = static_cast<double>(std::ranges::count(*updates, true));
    return loops;
  }
  // A new tree has new bounds.
  void forget() { known_.clear(); }

 private:
  // From the leaf that was extended up to where the update ended.
  void note_updates(std::vector<bool>* updates) {
    const auto* nodes = this->nodes_;
    const auto children = this->children(nodes[this->path_[this->previous_].node]);
    bool with_bounds = false;
    for (int i = 0; i < children.size(); ++i) with_bounds |= children[i].decided;
    if (known_.empty()) known_.push_back(this->unknown());  // the root
    for (std::uint32_t d = this->previous_;; --d) {
      updates->push_back(with_bounds);
      const std::uint32_t node = this->path_[d].node;
      with_bounds = !(nodes[node].bounds == known_[node]);
      known_[node] = nodes[node].bounds;
      if (d == this->depth_) break;
    }
    while (known_.size() < this->used_) known_.push_back(nodes[known_.size()].bounds);
  }

  std::vector<Bounds> known_;  // of the nodes, before the iteration
};

std::uint32_t blocks(std::uint32_t plies) { return (plies + kPlies - 1) / kPlies; }

// The leaves of a warp, the longest ones first; each turn takes as long as the longest of its
// portions.
void share_out(std::vector<Waiting> threads, const Portions& portions, Loops* thread, Loops* warp) {
  std::ranges::sort(threads, std::ranges::greater{}, &Waiting::plies);
  std::vector<std::uint32_t> leaves;
  for (const Waiting& waiting : threads) {
    leaves.insert(leaves.end(), waiting.children, waiting.plies);
    const double own = waiting.children * portions.size();
    thread->portions += own;
    thread->plies += own * waiting.plies;
    thread->blocks += own * blocks(waiting.plies);
  }
  std::vector<std::uint32_t> turns;
  for (std::uint32_t t = 0; t < kWarp; ++t) {
    PortionTurns turn(portions.size(), t, kWarp);
    for (std::size_t k = 0; turn.leaf() < leaves.size(); turn.next(), ++k) {
      if (k == turns.size()) turns.push_back(0);
      turns[k] = std::max(turns[k], leaves[turn.leaf()]);
    }
  }
  warp->portions = static_cast<double>(turns.size());
  for (const std::uint32_t plies : turns) {
    warp->plies += plies;
    warp->blocks += blocks(plies);
  }
}

// The means over some thousand iterations: of all threads, and of the greatest of each warp.
struct Means {
  Loops thread;
  Loops warp;
};
template <class S>
Means measure(const S& scheme, std::uint32_t depth) {
  constexpr int kTurns = 20000;
  constexpr std::uint32_t kRoom = 1 << 16;
  PGame::Rules rules;
  rules.branching = 2;
  rules.depth = static_cast<std::uint8_t>(depth);
  const TreeOptions options;
  const typename Counted<S>::Node none{{}, 0, 0, kNoMove, {}, false, Bounds::exact(0)};
  std::vector<typename Counted<S>::Node> nodes(std::size_t{kWarp} * kRoom, none);
  std::vector<std::unique_ptr<Counted<S>>> searches;
  std::uint64_t tree = 0;
  const auto begin = [&](Counted<S>& search) {
    PGame::Rules own = rules;
    own.tree = ++tree;
    TreeRequest<PGame> request;
    request.position = PGame::initial(own);
    request.claim.threshold = 1;
    search.begin(request);
    search.forget();
  };
  for (std::uint32_t lane = 0; lane < kWarp; ++lane) {
    searches.push_back(std::make_unique<Counted<S>>(
        rules, scheme, options, nodes.data() + std::size_t{lane} * kRoom, kRoom));
    begin(*searches.back());
  }
  Means means;
  for (int turn = 0; turn < kTurns; ++turn) {
    Loops most;
    Loops all;
    std::vector<Waiting> waiting(kWarp);
    std::vector<bool> with_bounds;  // of any thread's nodes that are backed up at the same time
    for (std::uint32_t lane = 0; lane < kWarp; ++lane) {
      Counted<S>& search = *searches[lane];
      SearchEnd end = SearchEnd::kRunning;
      std::vector<bool> updates;
      const Loops loops = search.iterate_counted(depth, &end, &waiting[lane], &updates);
      with_bounds.resize(std::max(with_bounds.size(), updates.size()));
      for (std::size_t i = 0; i < updates.size(); ++i) {
        if (updates[i]) with_bounds[i] = true;
      }
      for (const auto loop : Loops::kAll) {
        most.*loop = std::max(most.*loop, loops.*loop);
        all.*loop += loops.*loop;
      }
      if (end != SearchEnd::kRunning) begin(search);
    }
    most.bounds = static_cast<double>(std::ranges::count(with_bounds, true));
    if constexpr (S::kPlayouts) {
      share_out(waiting, Portions{static_cast<std::uint32_t>(scheme.playouts)}, &all, &most);
    }
    for (const auto loop : Loops::kAll) {
      means.thread.*loop += all.*loop / kWarp / kTurns;
      means.warp.*loop += most.*loop / kTurns;
    }
  }
  return means;
}

std::string row(const std::string& name, const Means& means) {
  std::string text = name;
  for (const Loops* loops : {&means.thread, &means.warp}) {
    for (const auto loop : Loops::kAll) {
      std::array<char, 32> number{};
      std::snprintf(number.data(), number.size(), " | %.2f", loops->*loop);
      text += number.data();
    }
  }
  return text + "\n";
}

TEST(SearchLockstep, IsThatOfTheTable) {
  const std::string path = PLAYPROOF_TEST_DATA "/../golden/search-lockstep.txt";
  const std::string found =
      "# How often loops of whole searches run in an iteration: P-games with 2 branches and 20 "
      "plies,\n"
      "# 20,000 iterations of 32 trees; written by tests/kernels/search_lockstep_test.cpp.\n"
      "# scheme | a thread: steps down | nodes backed up | of these with bounds | portions of\n"
      "# playouts | their plies | their blocks of random bits | a warp: the same\n" +
      row("Pn", measure(Pn{}, 20)) + row("Ppn", measure(Ppn{10, {false, 0.025}}, 20));
  if (std::getenv("PLAYPROOF_WRITE_GOLDEN") != nullptr) std::ofstream(path) << found;
  std::ostringstream wanted;
  wanted << std::ifstream(path).rdbuf();
  EXPECT_EQ(found, wanted.str());
}

}  // namespace
}  // namespace playproof::search_lockstep_test
