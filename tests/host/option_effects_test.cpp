// The names that answers print: options that have an effect, no others, and the same search when
// they are given back. What is left out is set to other values, and changes nothing.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "games/core/error.h"
#include "games/core/spec.h"
#include "games/list.h"
#include "host/solve/algorithms.h"
#include "host/solve/solver.h"
#include "tests/host/random_search.h"
#include "tests/host/support.h"

namespace playproof::option_effects_test {
namespace {

struct Problem {
  std::string game, position, goal;
};

// Small ones of every game, each with many nodes or with nothing to search for soon.
std::vector<Problem> problems() {
  return {{"hex:size=3", "", "win"},
          {"hex:size=4", "a1 b2", "win"},
          {"hex:rows=2,columns=4", "", "draw"},
          {"othello:size=4", "", "win"},
          {"othello:size=4", random_othello(4, 7, 3), "score"},
          {"connect6:rows=3,columns=3,connect=3,stones=1", "", "value"},
          {"connect6:size=4,connect=4,stones=2", "BB", "win"},
          {"pgame:branching=3,depth=5,tree=7", "", "win"},
          {"nim", "", "win"}};
}

SolveRequest asked(const Problem& problem, const std::string& algorithm) {
  SolveRequest request = ask(problem.game, algorithm, problem.position, problem.goal);
  request.limits.max_nodes = 400;
  return request;
}

std::string told(const Problem& problem, const std::string& algorithm) {
  return make_solver(asked(problem, algorithm))->algorithm_in_effect();
}

// The same of an algorithm that may be refused.
std::optional<std::string> told_if_taken(const Problem& problem, const std::string& algorithm) {
  try {
    return told(problem, algorithm);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUsage) << algorithm;
    return std::nullopt;
  }
}

SolveResult searched(const Problem& problem, const std::string& algorithm) {
  return finish(*make_solver(asked(problem, algorithm)));
}

bool says(const std::string& name, const std::string& option) {
  return name.find(':' + option + '=') != std::string::npos ||
         name.find(',' + option + '=') != std::string::npos;
}

std::string with(const std::string& name, const std::string& option, const std::string& value) {
  return name + (name.find(':') == std::string::npos ? ':' : ',') + option + '=' + value;
}

// A search on turns: some of the options, many of which are refused there.
std::string random_on_turns(RandomChoices& draws, const CatalogueEntry& entry,
                            const Problem& problem) {
  while (true) {
    std::string text = entry.name + ":turns=" + (draws.once_in(2) ? "all" : "5");
    for (const OptionInfo& option : entry.options) {
      if (option.name == "turns" || !option.presets.empty() || !draws.once_in(8)) continue;
      text = with(text, option.name, random_value(draws, option));
    }
    if (told_if_taken(problem, text)) return text;
  }
}

// Random algorithms, `count` of each.
template <class F>
void for_each_search(int count, std::uint64_t seed, const F& f) {
  RandomChoices draws(seed);
  for (const CatalogueEntry& entry : algorithm_catalogue().entries) {
    for (const Problem& problem : problems()) {
      if (!entry.game.empty() && !problem.game.starts_with(entry.game)) continue;
      f(entry, problem, entry.name, draws);
      for (int i = 0; i < count; ++i) f(entry, problem, random_algorithm(draws, entry), draws);
      const bool turns =
          problem.game.ends_with("stones=2") && entry.game.empty() &&
          std::ranges::find(entry.options, "turns", &OptionInfo::name) != entry.options.end();
      for (int i = 0; turns && i < 4 * count; ++i) {
        f(entry, problem, random_on_turns(draws, entry, problem), draws);
      }
    }
  }
}

TEST(OptionEffects, WhatIsPrintedIsTheSameSearchWhenItIsGivenBack) {
  for_each_search(
      nightly() ? 60 : 2, 1,
      [](const auto&, const Problem& problem, const std::string& algorithm, RandomChoices&) {
        const std::optional<std::string> name = told_if_taken(problem, algorithm);
        if (!name) return;  // a combination that this game refuses
        SCOPED_TRACE(problem.game + ": " + algorithm + " is told as " + *name);
        EXPECT_EQ(told(problem, *name), *name);
        expect_same_search(searched(problem, algorithm), searched(problem, *name));
      });
}

TEST(OptionEffects, WhatIsLeftOutHasNoEffect) {
  int changed = 0;
  for_each_search(nightly() ? 30 : 1, 2,
                  [&](const CatalogueEntry& entry, const Problem& problem,
                      const std::string& algorithm, RandomChoices& draws) {
                    const std::optional<std::string> name = told_if_taken(problem, algorithm);
                    if (!name) return;
                    const SolveResult result = searched(problem, *name);
                    for (const OptionInfo& option : entry.options) {
                      if (says(*name, option.name) || !option.presets.empty()) continue;
                      const std::string other =
                          with(*name, option.name, random_value(draws, option));
                      if (told_if_taken(problem, other) != name)
                        continue;  // with this value it has one
                      SCOPED_TRACE(problem.game + ": " + other);
                      expect_same_search(result, searched(problem, other));
                      ++changed;
                    }
                  });
  EXPECT_GT(changed, nightly() ? 10000 : 300);
}

// What was printed of searches that have nothing to do with it.
TEST(OptionEffects, OptionsOfOtherGamesAndLeavesAreNotPrinted) {
  const Problem hex{"hex:size=3", "", "win"};
  const Problem othello{"othello:size=4", "", "win"};
  const Problem score{"othello:size=4", "", "score"};
  const Problem pgame{"pgame:branching=2,depth=3", "", "win"};
  const Problem turns{"connect6:size=4,connect=4,stones=2", "BB", "win"};
  const std::pair<Problem, std::pair<const char*, const char*>> cases[] = {
      {turns, {"dfpn:turns=9", "dfpn:leaf=unit,increment=1,epsilon=0,turns=9"}},
      {turns, {"pn:turns=all,replies=eager", "pn:ties=left,leaf=unit,turns=all,replies=eager"}},
      {turns, {"ppn:turns=9,rule=beta", "ppn:playouts=32,rule=beta,turns=9"}},
      {turns,
       {"pds:turns=9,leaf=playouts", "pds:leaf=playouts,playouts=64,form=power,A=32768,turns=9"}},
      {hex,
       {"dfpn:leaf=mustplay,epsilon=0.25,patterns=1024,widening=0.25,fill=full",
        "dfpn:leaf=mustplay,edge=0,epsilon=0.25,table=256MiB,places=4,gc=0,symmetry=on,"
        "earlybreak=on,order=resistance,widening=0.25,probe=connections,zones=on,patterns=1024,"
        "fill=full"}},
      {othello,
       {"dfpn:leaf=unit",
        "dfpn:leaf=unit,edge=0,increment=1,epsilon=0,table=256MiB,places=4,gc=0,symmetry=on,"
        "endings=12,earlybreak=on,order=natural"}},
      {score,
       {"pds:leaf=deep",
        "pds:leaf=deep,E=2,D=2,edge=0,table=256MiB,places=4,gc=0,symmetry=on,endings=12,"
        "bracket=linear,earlybreak=on,order=natural"}},
      {pgame,
       {"dfpn:form=log",
        "dfpn:leaf=playouts,playouts=64,form=log,S=1000,edge=0,increment=1,epsilon=0,table=256MiB,"
        "places=4,gc=0,earlybreak=on,order=natural"}},
      {pgame,
       {"ppn:rule=beta,theta=0.001,endings=3,fill=dead",
        "ppn:playouts=32,rule=beta,earlybreak=on,order=natural"}},
      {hex,
       {"pn:playouts=7,endings=3",
        "pn:ties=left,stop=own,leaf=unit,earlybreak=on,order=natural,zones=on"}}};
  for (const auto& [problem, names] : cases) EXPECT_EQ(told(problem, names.first), names.second);
}

}  // namespace
}  // namespace playproof::option_effects_test
