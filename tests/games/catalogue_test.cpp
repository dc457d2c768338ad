// Games by name: what exists, and how a wrong name, key or value is refused.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/games/support.h"

namespace playproof::catalogue_test {
namespace {

// The names of all games, as error texts list them.
std::string all_games() {
  std::string names;
  for (const CatalogueEntry& entry : game_catalogue().entries) {
    names += (names.empty() ? "" : ", ") + entry.name;
  }
  return names;
}

TEST(GameNames, CanonicalNames) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"pgame", "pgame:branching=2,depth=20,tree=1"},
      {"pgame:tree=200,branching=8,depth=8", "pgame:branching=8,depth=8,tree=200"},
      {"hex", "hex:size=5"},
      {"hex:size=11", "hex:size=11"},
      {"hex:rows=4,columns=4", "hex:size=4"},
      {"hex:columns=7,rows=3", "hex:rows=3,columns=7"},
      {"othello", "othello:size=8"},
      {"othello:size=6", "othello:size=6"},
      {"connect6", "connect6:size=19"},
      {"connect6:size=8", "connect6:size=8"},
      {"connect6:rows=19,columns=19,connect=6,stones=2", "connect6:size=19"},
      {"connect6:size=4,connect=3", "connect6:rows=4,columns=4,connect=3,stones=2"},
      {"connect6:rows=3,columns=5,connect=4", "connect6:rows=3,columns=5,connect=4,stones=2"},
      {"connect6:size=19,stones=8", "connect6:rows=19,columns=19,connect=6,stones=8"},
  };
  for (const auto& [game, canonical] : cases) {
    EXPECT_EQ(game_answer(game), canonical);
    EXPECT_EQ(game_answer(canonical), canonical);
  }
}

// What is written for a name that others use is a game.
TEST(GameNames, NamesOfElsewhere) {
  int names = 0;
  for (const CatalogueEntry& entry : game_catalogue().entries) {
    for (const auto& [there, written] : entry.elsewhere) {
      ++names;
      EXPECT_EQ(there.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789"), std::string::npos);
      EXPECT_EQ(parse_spec(written).name, entry.name) << there;
      EXPECT_EQ(game_answer(written).substr(0, entry.name.size()), entry.name) << there;
      EXPECT_NE(game_answer(there).find("; nearest: '" + written + "'"), std::string::npos);
    }
  }
  EXPECT_GE(names, 4);
}

TEST(GameNames, RefusedNames) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", "'': expected NAME or NAME:key=value,key=value"},
      {"hexx", "unknown game 'hexx'; there is: " + all_games() + "; nearest: 'hex'"},
      {"hex:", "hex: expected key=value, not '' in 'hex:'"},
      {"hex:size", "hex: expected key=value, not 'size' in 'hex:size'"},
      {"hex:size=", "hex: expected key=value, not 'size=' in 'hex:size='"},
      {"hex:sise=5", "hex: unknown key 'sise'; there is: size, rows, columns; nearest: 'size'"},
      {"hex:size=25", "hex: size must be 2..19, not 25"},
      {"hex:size=1", "hex: size must be 2..19, not 1"},
      {"hex:size=five", "hex: size must be a whole number 2..19, not 'five'"},
      {"hex:size=5.0", "hex: size must be a whole number 2..19, not '5.0'"},
      {"hex:size=05", "hex: size must be a whole number 2..19, not '05' (no leading zeros)"},
      {"pgame:tree=01",
       "pgame: tree must be a whole number 0..4294967295, not '01' (no leading zeros)"},
      {"pgame:tree=-0",
       "pgame: tree must be a whole number 0..4294967295, not '-0' (no leading zeros)"},
      {"hex:size=5,size=6", "hex: key 'size' is given twice"},
      {"hex:size=5,rows=5", "hex: give size, or rows and columns, not both"},
      {"hex:rows=5", "hex: rows and columns go together; columns is missing"},
      {"hex:columns=5", "hex: rows and columns go together; rows is missing"},
      {"othello:size=5", "othello: size must be one of 4, 6, 8, not '5'"},
      {"othello:size=10", "othello: size must be one of 4, 6, 8, not '10'"},
      {"connect6:size=20", "connect6: size must be 2..19, not 20"},
      {"connect6:size=4",
       "connect6: connect must be 2..4 on a board of 4 rows and 4 columns, not 6"},
      {"connect6:rows=3,columns=9,connect=10",
       "connect6: connect must be 2..9 on a board of 3 rows and 9 columns, not 10"},
      {"connect6:stones=0", "connect6: stones must be 1..8, not 0"},
      {"connect6:size=19,columns=19", "connect6: give size, or rows and columns, not both"},
      {"pgame:branching=1", "pgame: branching must be 2..64, not 1"},
      {"pgame:depth=65", "pgame: depth must be 1..64, not 65"},
      {"pgame:tree=-1", "pgame: tree must be 0..4294967295, not -1"},
  };
  for (const auto& [game, says] : cases) EXPECT_EQ(game_answer(game), says) << game;
}

// Every game of the catalogue is found by its name and its defaults are what the table says.
TEST(GameNames, CatalogueIsWhatExists) {
  for (const char* name : {"pgame", "hex", "othello", "connect6"}) {
    EXPECT_EQ(game_catalogue().find(name).name, name);
  }
  for (const CatalogueEntry& entry : game_catalogue().entries) {
    EXPECT_TRUE(game_answer(entry.name).starts_with(entry.name)) << entry.name;
    EXPECT_FALSE(entry.summary.empty());
    for (const OptionInfo& option : entry.options) EXPECT_FALSE(option.help.empty());
  }
}

TEST(GameNames, WordWidthFollowsTheBoard) {
  const auto kind = [](const std::string& game) {
    return visit_game(game, []<class G>(const typename G::Rules&) {
      return std::is_same_v<G, Hex<1>>       ? 'h'
             : std::is_same_v<G, Hex<2>>     ? 'i'
             : std::is_same_v<G, Hex<6>>     ? 'H'
             : std::is_same_v<G, Connect<1>> ? 'c'
             : std::is_same_v<G, Connect<6>> ? 'C'
                                             : '?';
    });
  };
  EXPECT_EQ(kind("hex:size=8"), 'h');
  EXPECT_EQ(kind("hex:size=9"), 'i');
  EXPECT_EQ(kind("hex:size=11"), 'i');
  EXPECT_EQ(kind("hex:size=12"), 'H');
  EXPECT_EQ(kind("hex:rows=4,columns=16"), 'h');
  EXPECT_EQ(kind("hex:rows=5,columns=13"), 'i');
  EXPECT_EQ(kind("hex:rows=8,columns=16"), 'i');
  EXPECT_EQ(kind("hex:rows=10,columns=13"), 'H');
  EXPECT_EQ(kind("connect6:size=8"), 'c');
  EXPECT_EQ(kind("connect6:rows=19,columns=4"), 'C');
}

TEST(Spec, Sizes) {
  EXPECT_EQ(parse_size("--max-memory", "1000"), 1000u);
  EXPECT_EQ(parse_size("--max-memory", "64MiB"), 64u << 20);
  EXPECT_EQ(parse_size("--max-memory", "3B"), 3u);
  for (const char* bad : {"", "0", "-1", "1.5GiB", "MiB", "1 MiB", "1MB", "9999999999TiB"}) {
    EXPECT_THROW(parse_size("--max-memory", bad), Error) << bad;
  }
}

// An option that came later is no part of a name of what is stored while it says what was done
// before, and of no name while that is its default.
TEST(Spec, NeutralValuesAreNotNamed) {
  CatalogueEntry entry{"walk", "", {integer_option("steps", "4", 1, 9, "")}};
  const auto named = [&](const char* text) { return Options(entry, parse_spec(text)).canonical(); };
  const std::string stored = named("walk");
  EXPECT_EQ(stored, "walk:steps=4");
  OptionInfo pace{"pace", OptionType::kWord, "slow", 0, 0, {"slow", "fast"}, ""};
  entry.options.insert(entry.options.begin(), pace);
  EXPECT_NE(named("walk"), stored);
  entry.options.front().neutral = "slow";
  EXPECT_EQ(named("walk"), stored);
  EXPECT_EQ(named("walk:pace=slow"), stored);
  EXPECT_EQ(named("walk:pace=fast"), "walk:pace=fast,steps=4");
  EXPECT_EQ(Options(entry, parse_spec("walk")).word("pace"), "slow");
  // Then the default becomes another.
  entry.options.front().default_text = "fast";
  EXPECT_EQ(named("walk"), "walk:pace=fast,steps=4");
  EXPECT_EQ(named("walk:pace=slow"), "walk:pace=slow,steps=4");
  Options walk(entry, parse_spec("walk:pace=slow"));
  EXPECT_EQ(walk.stored_name(), stored);
  EXPECT_EQ(walk.first_name(), stored);
  EXPECT_EQ(Options(entry, parse_spec("walk")).stored_name(), "walk:pace=fast,steps=4");
  // But not for every use.
  const auto slowly = [&](const char* text) {
    Options options(entry, parse_spec(text));
    options.set_default("pace", "slow");
    EXPECT_EQ(options.stored_name(), options.canonical());
    return options.canonical();
  };
  EXPECT_EQ(slowly("walk"), stored);
  EXPECT_EQ(slowly("walk:pace=slow"), stored);
  EXPECT_EQ(slowly("walk:pace=fast"), "walk:pace=fast,steps=4");
}

// A preset is what it stands for, but for what is written beside it, and stands in no name.
TEST(Spec, PresetsStandForOtherOptions) {
  OptionInfo style{"style", OptionType::kWord, "", 0, 0, {"calm", "quick"}, ""};
  style.presets = {{"calm", {{"steps", "2"}}}, {"quick", {{"steps", "9"}, {"rests", "1"}}}};
  const CatalogueEntry entry{
      "walk",
      "",
      {integer_option("steps", "4", 1, 9, ""), style, integer_option("rests", "3", 0, 9, "")}};
  const auto named = [&](const char* text) { return Options(entry, parse_spec(text)).canonical(); };
  EXPECT_EQ(named("walk"), "walk:steps=4,rests=3");
  EXPECT_EQ(named("walk:style=calm"), named("walk:steps=2"));
  EXPECT_EQ(named("walk:style=quick"), named("walk:steps=9,rests=1"));
  EXPECT_EQ(named("walk:style=quick,steps=5"), named("walk:steps=5,rests=1"));
  EXPECT_EQ(named("walk:rests=8,style=quick"), named("walk:steps=9,rests=8"));
  const Options quick(entry, parse_spec("walk:style=quick"));
  EXPECT_TRUE(quick.given("steps") && quick.given("rests"));
  EXPECT_FALSE(quick.given("style"));
  EXPECT_THROW(named("walk:style=wild"), Error);
  EXPECT_THROW(named("walk:style=calm,style=quick"), Error);
}

TEST(Spec, ListSeparators) {
  const Spec spec = parse_spec("a:b=c=d,e=f:g");
  EXPECT_EQ(spec.name, "a");
  ASSERT_EQ(spec.options.size(), 2u);
  EXPECT_EQ(spec.options[0].second, "c=d");
  EXPECT_EQ(spec.options[1].second, "f:g");
}

}  // namespace
}  // namespace playproof::catalogue_test
