// knowledge=: one word for the options that say what is known of positions. Every preset is the
// search that its switches are, under their name; a switch beside it goes before it.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "games/core/error.h"
#include "games/core/spec.h"
#include "host/solve/algorithms.h"
#include "host/solve/solver.h"
#include "tests/host/support.h"

namespace playproof::knowledge_presets_test {
namespace {

const OptionInfo* knowledge_of(const CatalogueEntry& entry) {
  const auto& all = entry.options;
  const auto found = std::find_if(all.begin(), all.end(),
                                  [](const OptionInfo& o) { return o.name == "knowledge"; });
  return found == all.end() ? nullptr : &*found;
}

template <class F>
void for_each_preset(const F& f) {
  for (const CatalogueEntry& entry : algorithm_catalogue().entries) {
    const OptionInfo* knowledge = knowledge_of(entry);
    if (knowledge == nullptr) continue;
    for (const OptionInfo::Preset& preset : knowledge->presets) f(entry, preset);
  }
}

std::string switches(const OptionInfo::Preset& preset, const std::string& but = "") {
  std::string text;
  for (const auto& [name, value] : preset.values) {
    if (name != but) text += (text.empty() ? "" : ",") + name + "=" + value;
  }
  return text;
}

SolveResult searched(const std::string& game, const std::string& algorithm) {
  SolveRequest request = ask(game, algorithm);
  request.limits.max_nodes = 300;
  return finish(*make_solver(request));
}

TEST(KnowledgePresets, AreThere) {
  std::set<std::string> words;
  for (const CatalogueEntry& entry : algorithm_catalogue().entries) {
    const auto& all = entry.options;
    const bool zones =
        std::any_of(all.begin(), all.end(), [](const OptionInfo& o) { return o.name == "zones"; });
    const OptionInfo* knowledge = knowledge_of(entry);
    ASSERT_EQ(knowledge != nullptr, zones) << entry.name;
    if (!zones) continue;
    EXPECT_GE(knowledge->presets.size(), 2u) << entry.name;
    ASSERT_EQ(knowledge->words.size(), knowledge->presets.size());
    for (std::size_t i = 0; i < knowledge->words.size(); ++i) {
      EXPECT_EQ(knowledge->words[i], knowledge->presets[i].word);
      words.insert(knowledge->words[i]);
    }
  }
  EXPECT_EQ(words, (std::set<std::string>{"none", "zones", "bridges", "templates", "connections",
                                          "full"}));
}

TEST(KnowledgePresets, EachIsTheSearchOfItsSwitches) {
  for_each_preset([](const CatalogueEntry& entry, const OptionInfo::Preset& preset) {
    const std::string by_word = entry.name + ":knowledge=" + preset.word;
    const std::string by_switches = entry.name + ":" + switches(preset);
    SCOPED_TRACE(by_word + " is " + by_switches);
    for (const bool has_zones : {false, true}) {
      const Options word = algorithm_options(by_word, has_zones);
      const Options single = algorithm_options(by_switches, has_zones);
      EXPECT_EQ(word.canonical(), single.canonical());
      EXPECT_EQ(word.stored_name(), single.stored_name());
      EXPECT_EQ(word.canonical().find("knowledge"), std::string::npos);
      for (const auto& [name, value] : preset.values) EXPECT_EQ(word.word(name), value);
    }
    for (const char* game : {"hex:size=4", "nim"}) {
      expect_same_search(searched(game, by_word), searched(game, by_switches));
    }
  });
}

TEST(KnowledgePresets, ASwitchBesideItGoesFirst) {
  int beside = 0;
  for_each_preset([&](const CatalogueEntry& entry, const OptionInfo::Preset& preset) {
    for (const auto& [name, value] : preset.values) {
      if (name == "zones") continue;  // the others need it
      const std::string other = name + "=" +
                                (name == "patterns" ? "0"
                                 : name == "fill"   ? "off"
                                                    : "none");
      const std::string single = entry.name + ":" + switches(preset, name) + "," + other;
      for (const std::string& word : {entry.name + ":knowledge=" + preset.word + "," + other,
                                      entry.name + ":" + other + ",knowledge=" + preset.word}) {
        EXPECT_EQ(algorithm_options(word, true).canonical(),
                  algorithm_options(single, true).canonical());
        ++beside;
      }
    }
  });
  EXPECT_GT(beside, 50);
  // What does not go together is refused as it is without the word.
  EXPECT_THROW(algorithm_options("dfpn:knowledge=full,zones=off", true), Error);
  EXPECT_THROW(algorithm_options("dfpn:knowledge=none,fill=dead", true), Error);
  EXPECT_THROW(algorithm_options("dfpn:knowledge=much", true), Error);
  EXPECT_THROW(algorithm_options("dfpn:knowledge=zones,knowledge=full", true), Error);
}

}  // namespace
}  // namespace playproof::knowledge_presets_test
