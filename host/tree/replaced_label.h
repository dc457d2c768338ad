// Children of a node with one label replaced: what a full update would show of them, without a
// change of the tree.
#pragma once

#include "host/tree/tree.h"

namespace playproof {

template <class Label>
struct ReplacedLabel {
  typename Tree<Label>::Children children;
  int replaced;
  Label label;

  int size() const { return children.size(); }
  typename Tree<Label>::Node operator[](int i) const {
    auto node = children[i];
    if (i == replaced) node.label = label;
    return node;
  }
};

}  // namespace playproof
