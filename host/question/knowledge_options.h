// What a search is to know of positions beside what it proves: of connection games, with proof
// zones (host/zone/zone.h). Nothing unless it says so.
#pragma once

#include "games/core/fill_level.h"

namespace playproof {

struct KnowledgeOptions {
  bool zones = false;      // a proven reply solves its siblings outside its zone
  bool bridges = false;    // with zones: chains of bridges decide leaves
  bool templates = false;  // with bridges: also such as end in edge templates
  bool links = false;      // with zones: virtual connections decide nodes and leave the must-play
  int patterns = 0;        // with zones: how many proven patterns of a kind are asked about nodes
  FillLevel fill = FillLevel::kOff;  // with zones: which inferior cells are filled in
  bool ask_selected = false;         // links and fill are asked of a leaf once it is selected

  // What is asked of a leaf that is created, and of one that is selected: of that, fill leaves
  // replies out in any case (host/knowledge/knowledge.h).
  KnowledgeOptions of_created() const {
    KnowledgeOptions created = *this;
    created.links = links && !ask_selected;
    if (ask_selected) created.fill = FillLevel::kOff;
    return created;
  }
  // A table selects a leaf by entering it; of what is created it asks bridges alone.
  KnowledgeOptions of_table() const {
    KnowledgeOptions table = *this;
    table.ask_selected = true;
    return table;
  }
  KnowledgeOptions of_selected() const {
    KnowledgeOptions selected = *this;
    selected.bridges = false;
    selected.links = links && ask_selected;
    return selected;
  }
  KnowledgeOptions without_patterns() const {
    KnowledgeOptions without = *this;
    without.patterns = 0;
    return without;
  }
  // What proofs are written with. A chain of bridges makes a card smaller whoever asks for it.
  KnowledgeOptions of_cards() const {
    KnowledgeOptions cards = *this;
    cards.bridges = true;
    cards.templates = false;  // no kind of node says what they are: their bridges are cards
    cards.ask_selected = false;
    return cards;
  }
  // The version of certificates (docs/certificate.md): the least whose kinds of nodes are enough.
  int certificate_version() const {
    if (!zones) return 1;
    if (fill > FillLevel::kDead) return 4;
    return links ? 3 : 2;
  }
};

}  // namespace playproof
