#include "games/loa/entry.h"

#include <utility>

namespace playproof {

CatalogueEntry LoaEntry::info() {
  OptionInfo repetition{"repetition",
                        OptionType::kWord,
                        "third",
                        0,
                        0,
                        {"third", "second", "none"},
                        "a position that comes so often is a draw; none: play without end is one"};
  OptionInfo both{"both",
                  OptionType::kWord,
                  "draw",
                  0,
                  0,
                  {"draw", "mover"},
                  "who wins if a move connects both"};
  return {"loa",
          "Lines of Action: connect your stones; no move left loses",
          {integer_option("size", "8", Loa::kMinSize, Loa::kMaxSize, "rows and columns"),
           std::move(repetition), std::move(both)},
          {},
          {{"linesofaction", "loa"}}};
}

}  // namespace playproof
