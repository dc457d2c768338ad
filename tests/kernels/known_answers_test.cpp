// The known answers of games/PLAYOUTS.md, computed by the reference engine and by the CPU's at
// every level.
#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

#include "games/list.h"
#include "kernels/list.h"
#include "tests/kernels/positions.h"
#include "tests/nightly.h"

namespace playproof::known_answers_test {
namespace {

std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> fields;
  std::istringstream in(line);
  for (std::string field; std::getline(in, field, '|');) {
    const auto begin = field.find_first_not_of(' ');
    const auto end = field.find_last_not_of(' ');
    fields.push_back(begin == std::string::npos ? "" : field.substr(begin, end - begin + 1));
  }
  return fields;
}

template <Game G>
using Engine = std::function<Tally(const typename G::Rules&, const LeafRequest<G>&)>;

struct Answer {
  std::vector<std::string> fields;

  std::uint64_t number(std::size_t i) const { return std::stoull(fields[i]); }

  template <Game G>
  int operator()(const typename G::Rules& rules) const {
    const auto state = GameText<G>::parse(rules, fields[2]);
    std::vector<Engine<G>> engines = {reference_playouts<G>};
    for (const SimdLevel level : simd_levels()) {
      engines.push_back([level](const typename G::Rules& r, const LeafRequest<G>& request) {
        Tally tally;
        play_on_cpu<G>(level, r, std::span(&request, 1), &tally);
        return tally;
      });
    }
    for (const Engine<G>& engine : engines) {
      if (fields[0] == "tally") {
        expect_tally<G>(rules, state, engine);
      } else {
        expect_lanes<G>(rules, state, engine);
      }
    }
    return 0;
  }

  template <Game G>
  void expect_tally(const typename G::Rules& rules, const typename G::State& state,
                    const Engine<G>& engine) const {
    Tally wanted;
    std::istringstream(fields[6]) >> wanted.wins >> wanted.draws >> wanted.losses;
    const auto first = static_cast<std::uint32_t>(number(4));
    const auto playouts = static_cast<std::uint32_t>(number(5));
    EXPECT_EQ(engine(rules, request_of<G>(rules, state, first, playouts, number(3))), wanted);
  }

  // A lane is what a longer tally has that a shorter one has not: by day those of the first lanes.
  template <Game G>
  void expect_lanes(const typename G::Rules& rules, const typename G::State& state,
                    const Engine<G>& engine) const {
    const auto first = static_cast<std::uint32_t>(32 * number(4));
    std::uint32_t won = 0;
    std::uint32_t drawn = 0;
    const std::uint32_t lanes = nightly() ? 32 : 12;
    const std::uint32_t mask = ~0u >> (32 - lanes);
    Tally before;
    for (std::uint32_t lane = 0; lane < lanes; ++lane) {
      const auto request = request_of<G>(rules, state, first, lane + 1, number(3));
      const Tally tally = engine(rules, request);
      won |= (tally.wins - before.wins) << lane;
      drawn |= (tally.draws - before.draws) << lane;
      before = tally;
    }
    EXPECT_EQ(won, std::stoul(fields[5], nullptr, 16) & mask);
    EXPECT_EQ(drawn, std::stoul(fields[6], nullptr, 16) & mask);
  }
};

TEST(KnownAnswers, EveryEngine) {
  std::ifstream in(PLAYPROOF_TEST_DATA "/playout-known-answers.txt");
  ASSERT_TRUE(in);
  int lines = 0;
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') continue;
    SCOPED_TRACE(line);
    ++lines;
    const std::vector<std::string> fields = fields_of(line);
    ASSERT_EQ(fields.size(), 7u);
    visit_game(fields[1], Answer{fields});
  }
  EXPECT_GE(lines, 25);
}

}  // namespace
}  // namespace playproof::known_answers_test
