// The reference rules of all games, which playproof-check reads by name. They share no code with
// the fast rules (games/list.h).
#pragma once

#include "games/connect/reference.h"
#include "games/graph/reference.h"
#include "games/hex/reference.h"
#include "games/loa/reference.h"
#include "games/nim/reference.h"
#include "games/othello/reference.h"
#include "games/pgame/reference.h"

namespace playproof {

template <class... Ref>
struct ReferenceList {
  // Is f(Ref()) true of one of them? Asks no further then.
  static bool any_of(const auto& f) { return (f(Ref()) || ...); }
};

using AllReferences =
    ReferenceList<RefHex, RefOthello, RefConnect, RefPGame, RefNim, RefGraph, RefLoa>;

}  // namespace playproof
