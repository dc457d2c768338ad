// Searches with playouts keep to the concept TreeEngine.
#include "tree_engine_conformance.h"

#include <gtest/gtest.h>

#include "kernels/schemes/mcpn.h"
#include "kernels/schemes/pn.h"
#include "kernels/schemes/ppn.h"

namespace playproof::tree_engine_playouts_conformance_test {
namespace {

template <class G>
using MctsEngine = Mcts<G>;

TEST(TreeEngineConformance, BestFirstWithPlayouts) {
  conforms<With<Mcpn>::Engine>(Mcpn{10, {false, 0.025}}, kAsTheyAre);
  conforms<With<Ppn>::Engine>(Ppn{32, {false, 1.0 / 128}},
                              [](auto& options) { options.early_break = false; });
  const PlayoutPn pn{LeafNumbers::from_playouts(64, {RateForm::Kind::kPower, 32768}, true)};
  conforms<With<PlayoutPn>::Engine>(pn, [](auto& options) { options.stay_on_path = true; });
}
TEST(TreeEngineConformance, Mcts) {
  conforms<MctsEngine>(MctsRule{10}, kAsTheyAre);
  conforms<MctsEngine>(MctsRule{3, MctsRule::Form::kOutside, 0.5}, kAsTheyAre);
}

}  // namespace
}  // namespace playproof::tree_engine_playouts_conformance_test
