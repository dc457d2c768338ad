// Every sentence of the concept Scheme (kernels/schemes/scheme.h) that a compiler cannot check, on
// random labels of every scheme. A new scheme joins by one line.
#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "host/table/label_payload.h"
#include "kernels/schemes/deep_pn.h"
#include "kernels/schemes/ews.h"
#include "kernels/schemes/mcpn.h"
#include "kernels/schemes/pn.h"
#include "kernels/schemes/ppn.h"
#include "kernels/schemes/wpns.h"
#include "tests/conformance.h"

namespace playproof::scheme_conformance_test {
namespace {

template <Scheme S>
class SchemeConformance {
  using Label = typename S::Label;

 public:
  SchemeConformance(S scheme, std::uint64_t seed) : scheme_(std::move(scheme)), draws_(seed) {}

  void check() {
    for (int i = 0; i < 300; ++i) labels_.push_back(leaf());
    for (int i = 0; i < 300; ++i) labels_.push_back(inner(i % 2 == 0));
    for (int i = 0; i < 20000 && !::testing::Test::HasFailure(); ++i) {
      check_order(i % 2 == 0, any(), any(), any());
    }
  }

 private:
  struct Child {
    Label label;
    bool decided = false;
    bool open() const { return !decided; }
  };
  struct Children {
    std::vector<Child> all;
    int size() const { return static_cast<int>(all.size()); }
    const Child& operator[](int i) const { return all[static_cast<std::size_t>(i)]; }
  };

  const Label& any() {
    return labels_[static_cast<std::size_t>(draws_.below(static_cast<int>(labels_.size())))];
  }

  // A leaf is not solved, and is what it can be.
  Label leaf() {
    Leaf leaf;
    leaf.or_node = draws_.below(2) == 0;
    leaf.depth = static_cast<std::uint32_t>(draws_.below(30));
    leaf.mobility = 1 + draws_.below(60);
    leaf.plies_left = 1 + draws_.below(60);
    if constexpr (S::kPlayouts) {
      leaf.playouts = scheme_.playouts;
      leaf.reached = draws_.below(scheme_.playouts + 1);
    }
    const Label label = scheme_.leaf(leaf);
    EXPECT_FALSE(label == scheme_.proved()) << "a leaf looks proved";
    EXPECT_FALSE(label == scheme_.disproved()) << "a leaf looks disproved";
    EXPECT_TRUE(label == scheme_.leaf(leaf)) << "leaf() is a function";
    check_bytes(label);
    if constexpr (S::kPlayouts) {
      EXPECT_TRUE(scheme_.possible(label, leaf)) << "leaf() says what possible() denies";
      EXPECT_FALSE(scheme_.possible(scheme_.proved(), leaf)) << "a proof is no estimate";
      EXPECT_FALSE(scheme_.possible(scheme_.disproved(), leaf)) << "a proof is no estimate";
    }
    return label;
  }

  // An unsolved node over some labels and some children that do not decide it.
  Label inner(bool or_node) {
    Children children;
    const int size = 1 + draws_.below(6);
    for (int i = 0; i < size; ++i) children.all.push_back({any()});
    const int decided = draws_.below(3);
    for (int i = 0; i < decided; ++i) {
      children.all.push_back({or_node ? scheme_.disproved() : scheme_.proved(), true});
    }
    Label label = leaf();
    scheme_.back_up(or_node, children, label);
    Label again = label;
    scheme_.back_up(or_node, children, again);
    EXPECT_TRUE(label == again) << "backing up twice changes the label";
    check_choice(or_node, children);
    check_bytes(label);
    return label;
  }
  // Labels that are checked when they are read from a file.
  void check_bytes(const Label& label) {
    if constexpr (requires { label.valid(); }) {
      EXPECT_TRUE(label.valid()) << "a label that no search would take";
      EXPECT_TRUE(scheme_.proved().valid() && scheme_.disproved().valid());
    }
    if constexpr (requires { sizeof(KeptLabel<Label>); }) {
      for (const Label& known : {label, scheme_.proved(), scheme_.disproved()}) {
        typename KeptLabel<Label>::Packed packed;
        packed.pack(known);
        EXPECT_TRUE(packed.unpack() == known) << "a table keeps another label";
      }
    }
  }

  // The engine takes an open child that no open one is preferred to, the first of them.
  void check_choice(bool or_node, const Children& children) {
    const int best = best_open_child(scheme_, or_node, children);
    ASSERT_GE(best, 0);
    ASSERT_TRUE(children[best].open());
    for (int i = 0; i < children.size(); ++i) {
      if (!children[i].open()) continue;
      ASSERT_FALSE(scheme_.prefers(or_node, children[i].label, children[best].label));
      if (i < best) {
        ASSERT_TRUE(scheme_.prefers(or_node, children[best].label, children[i].label));
      }
    }
    const Children none{{{scheme_.disproved(), true}}};
    ASSERT_EQ(best_open_child(scheme_, or_node, none), -1);
  }

  void check_order(bool or_node, const Label& a, const Label& b, const Label& c) {
    const auto less = [&](const Label& x, const Label& y) {
      return scheme_.prefers(or_node, x, y);
    };
    ASSERT_FALSE(less(a, a)) << "prefers itself";
    ASSERT_FALSE(less(a, b) && less(b, a)) << "prefers both";
    if (less(a, b) && less(b, c)) {
      ASSERT_TRUE(less(a, c)) << "not transitive";
    }
    if (!less(a, b) && !less(b, a) && !less(b, c) && !less(c, b)) {
      ASSERT_TRUE(!less(a, c) && !less(c, a)) << "ties are not transitive";
    }
    if constexpr (requires { scheme_.nearly(or_node, a, b, 1.0); }) {
      ASSERT_TRUE(less(b, a) || scheme_.nearly(or_node, a, b, 1)) << "leaves for no reason";
      ASSERT_TRUE(!scheme_.nearly(or_node, a, b, 1) || scheme_.nearly(or_node, a, b, 0.5));
    }
    if constexpr (HasCost<S>) {
      ASSERT_EQ(less(a, b), scheme_.cost(or_node, a) < scheme_.cost(or_node, b));
    }
  }

  S scheme_;
  Draws draws_;
  std::vector<Label> labels_;
};

template <Scheme S>
void conforms(const S& scheme) {
  for (const std::uint64_t seed : {1u, 2u, 3u}) SchemeConformance<S>(scheme, seed).check();
}

TEST(SchemeConformance, Pn) {
  conforms(Pn{false});
  conforms(Pn{true});
  conforms(Deepest<Pn>{Pn{true}});
}
TEST(SchemeConformance, PlayoutPn) {
  for (const bool both : {false, true}) {
    const RateForm form{RateForm::Kind::kPower, 32768};
    const PlayoutPn pn{LeafNumbers::from_playouts(64, form, both)};
    conforms(pn);
    conforms(Deepest<PlayoutPn>{pn});
  }
}
TEST(SchemeConformance, DeepPn) {
  for (const double R : {0.0, 0.35, 0.65, 1.0}) conforms(DeepPn{R, R > 0.5});
}
TEST(SchemeConformance, Wpns) {
  conforms(Wpns{});
  conforms(Wpns{Pn{true}});
}
TEST(SchemeConformance, Mcpn) {
  conforms(Mcpn{10, {false, 0.025}});
  conforms(Mcpn{1, {true, 0}});
}
TEST(SchemeConformance, Ppn) {
  conforms(Ppn{32, {false, 1.0 / 128}});
  conforms(Ppn{1000, {true, 0}});
}
TEST(SchemeConformance, Ews) {
  conforms(Ews{});
  conforms(Ews{7, EwsLeafWork::both(7, 1e12, 8)});
  conforms(Ews{1, EwsLeafWork::rollout()});
  conforms(Ews{1000, EwsLeafWork::unit()});
}

}  // namespace
}  // namespace playproof::scheme_conformance_test
