#include "games/nim/entry.h"

#include <utility>

namespace playproof {

CatalogueEntry NimEntry::info() {
  OptionInfo heaps{
      "heaps", OptionType::kText, "3.4.5", 0, 0, {}, "objects of each heap, 1..8 heaps of 1..15"};
  return {"nim", "take from one heap; who takes the last object wins", {std::move(heaps)}};
}

}  // namespace playproof
