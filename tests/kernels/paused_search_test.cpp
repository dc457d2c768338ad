// Whole searches that are paused between iterations and go on in another object, as the threads of
// a device do from launch to launch: the same counts and curves. What a pause keeps is needed: with
// any of it changed some search is another one.
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/pgame/leaf_playouts.h"
#include "kernels/schemes/pn.h"
#include "kernels/schemes/ppn.h"
#include "kernels/search/growing_search.h"
#include "kernels/search/thread_search.h"

namespace playproof::paused_search_test {
namespace {

constexpr std::uint64_t kTrees = 60;
constexpr std::uint32_t kRoom = 1 << 12;  // nodes
constexpr std::uint32_t kPoints = 64;

PGame::Rules rules_of(std::uint64_t tree) {
  PGame::Rules rules;
  rules.branching = 3;
  rules.depth = 6;
  rules.tree = tree;
  return rules;
}

struct Found {
  TreeResult result;
  std::vector<CurvePoint> curve;
  bool operator==(const Found&) const = default;
};

template <class S>
using Search = GrowingSearch<ThreadSearch<PGame, S>>;

// `paused`: after each iteration; `change` is done to what the pause keeps.
template <class S, class Change>
Found search_tree(const S& scheme, const TreeOptions& options, std::uint64_t tree, bool paused,
                  const Change& change) {
  using Node = typename Search<S>::Node;
  const PGame::Rules rules = rules_of(tree);
  TreeRequest<PGame> request;
  request.position = PGame::initial(rules);
  request.claim.threshold = 1;
  request.seed = tree;
  request.legal_moves = 3;
  request.right_moves = 1 + tree % 6;  // which are right is not asked of them here
  request.max_nodes = tree % 4 == 3 ? 200 : 4000;
  Found found;
  found.curve.resize(kPoints);
  const CurveRoom curve{found.curve.data(), kPoints};
  std::vector<Node> nodes(kRoom, Node{{}, 0, 0, kNoMove, {}, false, Bounds::exact(0)});
  auto search = std::make_unique<Search<S>>(rules, scheme, options, nodes.data(), kRoom);
  search->begin(request, curve);
  while (search->iterate() == SearchEnd::kRunning) {
    if (!paused) continue;
    PausedTree kept = search->pause();
    change(kept);
    search = std::make_unique<Search<S>>(rules, scheme, options, nodes.data(), kRoom);
    search->resume(kept, request, curve);
  }
  found.result = search->result();
  return found;
}

std::vector<TreeOptions> set_ups() {
  std::vector<TreeOptions> all(3);
  all[1].stop = StopRule::kNone;
  all[2].stay_on_path = true;
  return all;
}

// Of all trees, set-ups and schemes: PPN, whose numbers change up to the root, pauses there alone.
template <class Change>
int count_differing(const Change& change) {
  int differing = 0;
  const auto count = [&](const auto& scheme) {
    for (const TreeOptions& options : set_ups()) {
      for (std::uint64_t tree = 1; tree <= kTrees; ++tree) {
        differing += search_tree(scheme, options, tree, true, change) !=
                     search_tree(scheme, options, tree, false, change);
      }
    }
  };
  count(Pn{});
  count(DeepestPn{});
  count(Ppn{5, {false, 0.025}});
  return differing;
}

TEST(PausedSearch, GoesOnAsIfItHadNotBeenPaused) {
  EXPECT_EQ(count_differing([](PausedTree&) {}), 0);
}
TEST(PausedSearch, KeepsNothingThatIsNotNeeded) {
  const auto notices = [](const char* what, const auto& change) {
    EXPECT_GT(count_differing(change), 0) << what;
  };
  notices("result", [](PausedTree& kept) { kept.result.re_entries = 0; });
  notices("used", [](PausedTree& kept) { kept.used = kRoom; });
  notices("depth", [](PausedTree& kept) { kept.depth = 0; });
  notices("previous", [](PausedTree& kept) { kept.previous = kept.depth; });
  notices("wrong", [](PausedTree& kept) { kept.wrong = kept.tied - kept.wrong; });
  notices("tied", [](PausedTree& kept) { ++kept.tied; });
  notices("last_root_child", [](PausedTree& kept) { kept.last_root_child = -1; });
}

}  // namespace
}  // namespace playproof::paused_search_test
