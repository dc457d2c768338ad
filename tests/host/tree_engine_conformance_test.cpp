// Best-first search without playouts, and the search of two levels, keep to the concept TreeEngine.
#include "tree_engine_conformance.h"

#include <gtest/gtest.h>

#include "host/tree/pn2.h"
#include "kernels/schemes/deep_pn.h"
#include "kernels/schemes/pn.h"

namespace playproof::tree_engine_conformance_test {
namespace {

// Its scheme is in its options.
template <class G>
struct Pn2Engine : Pn2<G> {
  Pn2Engine(const typename G::Rules& rules, const typename G::State& position, const Claim& claim,
            const Pn& /*scheme*/, const typename Pn2<G>::Options& options)
      : Pn2<G>(rules, position, claim, options) {}
};

TEST(TreeEngineConformance, BestFirst) {
  conforms<With<Pn>::Engine>(Pn{true}, kAsTheyAre);
  conforms<With<Pn>::Engine>(Pn{}, [](auto& options) {
    options.stop = StopRule::kOwn;
    options.stay_on_path = true;
  });
  conforms<With<Deepest<Pn>>::Engine>(Deepest<Pn>{Pn{}}, kAsTheyAre);
  conforms<With<DeepPn>::Engine>(DeepPn{0.35, false}, kAsTheyAre);
}
TEST(TreeEngineConformance, Pn2) {
  for (const bool immediate : {false, true}) {
    conforms<Pn2Engine>(Pn{}, [=](auto& options) { options.immediate = immediate; });
  }
}

}  // namespace
}  // namespace playproof::tree_engine_conformance_test
