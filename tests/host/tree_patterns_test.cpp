// What leaves of a tree cite that patterns have decided: faults in it are found, and no state with
// one is loaded. (Searches with patterns: zones_tree_test.cpp.)
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "games/core/error.h"
#include "games/hex/entry.h"
#include "host/solve/tree_solver.h"
#include "host/tree/best_first.h"
#include "host/tree/tree_patterns.h"
#include "kernels/schemes/ppn.h"
#include "saved.h"
#include "support.h"

namespace playproof::tree_patterns_test {
namespace {

using Board = Hex<1>;
using Engine = BestFirst<Board, Ppn>;

// A search under way that some leaf cites in such a way: `newer` cites a node below which `older`
// cites.
struct Searched {
  SolveRequest request = ask("hex:size=4", "ppn:patterns=64", "b2");
  std::unique_ptr<Solver> solver = make_solver(request);
  std::uint32_t newer = 0;
  std::uint32_t older = 0;

  Searched() {
    while (!found() && solver->step(5) == StopReason::kRunning) {
    }
  }
  const Engine& engine() const {
    return dynamic_cast<const TreeSolver<Board, Engine>&>(*solver).engine();
  }
  TreePatterns<Board>& patterns() const {
    return const_cast<TreePatterns<Board>&>(*engine().patterns());
  }
  Tree<Ppn::Label>& tree() const { return const_cast<Tree<Ppn::Label>&>(engine().tree()); }
  Citation& citation(std::uint64_t i) const {
    return const_cast<Citation&>(patterns().citation(static_cast<std::uint32_t>(i)));
  }
  PatternSource& source() const { return const_cast<PatternSource&>(patterns().source(0, 0)); }
  std::vector<NodeIndex> parents() const {
    std::vector<NodeIndex> parents(tree().nodes(), kNoNode);
    for (NodeIndex node = 0; node < tree().nodes(); ++node) {
      const auto children = tree().children(tree().node(node));
      for (int c = 0; c < children.size(); ++c) {
        if (children.created(c)) parents[children.edge(c).node] = node;
      }
    }
    return parents;
  }

 private:
  bool found() {
    const std::vector<NodeIndex> above = parents();
    for (newer = 0; newer < patterns().citations(); ++newer) {
      for (older = 0; older < newer; ++older) {
        NodeIndex node = citation(older).leaf;
        while (node != kNoNode && node != citation(newer).source.node) node = above[node];
        if (node != kNoNode) return true;
      }
    }
    return false;
  }
};

void expect_found(const char* what, void (*plant)(const Searched&)) {
  SCOPED_TRACE(what);
  const Searched searched;
  ASSERT_LT(searched.newer, searched.patterns().citations());
  searched.solver->self_check();
  resumed(searched.request, saved(*searched.solver));
  plant(searched);
  EXPECT_THROW(searched.solver->self_check(), Error);
  EXPECT_THROW(resumed(searched.request, saved(*searched.solver)), Error);
}

TEST(TreePatterns, FaultsInWhatIsCitedAreFound) {
  expect_found("older than what it rests on",
               [](const Searched& s) { std::swap(s.citation(s.newer), s.citation(s.older)); });
  expect_found("another node", [](const Searched& s) { ++s.citation(s.newer).source.node; });
  expect_found("the root", [](const Searched& s) { s.citation(s.newer).source.node = 0; });
  expect_found("itself", [](const Searched& s) {
    s.citation(s.newer).source.node = s.citation(s.newer).leaf;
  });
  expect_found("a node above", [](const Searched& s) {
    s.citation(s.newer).source.node = s.parents()[s.citation(s.newer).leaf];
  });
  expect_found("no node", [](const Searched& s) { s.citation(s.newer).source.node = kNoNode; });
  expect_found("turned in another way",
               [](const Searched& s) { s.citation(s.newer).source.map ^= 1; });
  expect_found("a map that there is not",
               [](const Searched& s) { s.citation(s.newer).source.map = 4; });
}

TEST(TreePatterns, FaultsInWhoCitesAreFound) {
  expect_found("another leaf", [](const Searched& s) { ++s.citation(s.newer).leaf; });
  expect_found("no leaf", [](const Searched& s) { s.citation(s.newer).leaf = kNoNode; });
  expect_found("a leaf twice",
               [](const Searched& s) { s.citation(s.newer).leaf = s.citation(s.older).leaf; });
  expect_found("a leaf more", [](const Searched& s) {
    const auto last = static_cast<NodeIndex>(s.tree().nodes() - 1);
    s.patterns().cite(last, {{0, 0}, Player::kFirst, {}});
    s.citation(s.patterns().citations() - 1).source = s.citation(s.newer).source;
  });
}

TEST(TreePatterns, FaultsInWhatIsKeptAreFound) {
  expect_found("of another node", [](const Searched& s) { ++s.source().node; });
  expect_found("turned in another way", [](const Searched& s) { s.source().map ^= 1; });
  expect_found("a pattern that nobody left", [](const Searched& s) {
    const auto& ring = s.patterns().kept().ring(0);
    const_cast<PatternRing<1>&>(ring).add(ring.needed(0), CellSet<1>::all(16));
  });
  expect_found("a node that no edge leads to, with children that there are not",
               [](const Searched& s) {
                 const NodeIndex lost = s.tree().add_node({}, Bounds::unknown(-1, 1), false);
                 s.tree().node(lost).first_edge = 0xfffffff0u;
                 s.tree().node(lost).edges = 5;
               });
}

}  // namespace
}  // namespace playproof::tree_patterns_test
