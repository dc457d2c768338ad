// Children of a node with one label replaced: what a full update would show of them, without a
// change of the tree.
#pragma once

#include "games/core/game.h"

namespace playproof {

template <class Children, class Label>
struct ReplacedLabel {
  // What schemes ask of a child (AnyChildren in kernels/schemes/scheme.h).
  struct Child {
    const Label& label;
    bool decided;
    bool is_open;
    PP_HD bool open() const { return is_open; }
  };

  Children children;
  int replaced;  // -1: none
  const Label& label;

  PP_HD int size() const { return children.size(); }
  PP_HD Child operator[](int i) const {
    const auto& node = children[i];
    return {i == replaced ? label : node.label, static_cast<bool>(node.decided), node.open()};
  }
};

}  // namespace playproof
