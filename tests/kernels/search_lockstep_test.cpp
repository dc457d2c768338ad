// How often the loops of whole searches run, for one thread and for a warp, whose threads go on
// together: a loop of theirs runs as often as in the one that needs it most. Against
// tests/golden/search-lockstep.txt, from which test_search_code.py counts instructions. With
// PLAYPROOF_WRITE_GOLDEN=1 the table is written instead of compared.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "kernels/pgame/leaf_playouts.h"
#include "kernels/schemes/pn.h"
#include "kernels/schemes/ppn.h"
#include "kernels/search/growing_search.h"
#include "kernels/search/thread_search.h"

namespace playproof {
namespace {

constexpr std::uint32_t kWarp = 32;

// Of an iteration.
struct Loops {
  double steps = 0;      // of the descent
  double updates = 0;    // nodes that are backed up
  double evaluated = 0;  // children with playouts
  double plies = 0;      // of a playout, summed over those
  static constexpr double Loops::*kAll[] = {&Loops::steps, &Loops::updates, &Loops::evaluated,
                                            &Loops::plies};
};

template <class S>
class Counted : public ThreadSearch<PGame, S> {
 public:
  using ThreadSearch<PGame, S>::ThreadSearch;
  Loops iterate_counted(int game_depth, SearchEnd* end) {
    const std::uint32_t from = this->depth_;
    const TreeResult before = this->result_;
    *end = this->iterate();
    const TreeResult& now = this->result_;
    Loops loops;
    loops.steps = this->previous_ - from;
    loops.updates = static_cast<double>(now.node_visits - before.node_visits);
    loops.evaluated = static_cast<double>(now.evaluations - before.evaluations);
    loops.plies = loops.evaluated * (game_depth - static_cast<int>(this->previous_) - 1);
    return loops;
  }
};

// The means over some thousand iterations: of all threads, and of the greatest of each warp.
struct Means {
  Loops thread;
  Loops warp;
};
template <class S>
Means measure(const S& scheme, int depth) {
  constexpr int kTurns = 20000;
  constexpr std::uint32_t kRoom = 1 << 16;
  PGame::Rules rules;
  rules.branching = 2;
  rules.depth = static_cast<std::uint8_t>(depth);
  const TreeOptions options;
  const typename Counted<S>::Node none{{}, 0, 0, kNoMove, kNoMove, false, Bounds::exact(0)};
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
  };
  for (std::uint32_t lane = 0; lane < kWarp; ++lane) {
    searches.push_back(std::make_unique<Counted<S>>(
        rules, scheme, options, nodes.data() + std::size_t{lane} * kRoom, kRoom));
    begin(*searches.back());
  }
  Means means;
  for (int turn = 0; turn < kTurns; ++turn) {
    Loops most;
    for (const auto& search : searches) {
      SearchEnd end = SearchEnd::kRunning;
      const Loops loops = search->iterate_counted(depth, &end);
      for (const auto loop : Loops::kAll) {
        most.*loop = std::max(most.*loop, loops.*loop);
        means.thread.*loop += loops.*loop / kWarp / kTurns;
      }
      if (end != SearchEnd::kRunning) begin(*search);
    }
    for (const auto loop : Loops::kAll) means.warp.*loop += most.*loop / kTurns;
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
      "# scheme | a thread: steps down | nodes backed up | children with playouts | plies of all "
      "of\n"
      "# these | a warp: steps | nodes | children | plies\n" +
      row("Pn", measure(Pn{}, 20)) + row("Ppn", measure(Ppn{10, {false, 0.025}}, 20));
  if (std::getenv("PLAYPROOF_WRITE_GOLDEN") != nullptr) std::ofstream(path) << found;
  std::ostringstream wanted;
  wanted << std::ifstream(path).rdbuf();
  EXPECT_EQ(found, wanted.str());
}

}  // namespace
}  // namespace playproof
