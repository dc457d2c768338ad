// Graphs as texts: what they say, what is refused and where, and that both rule sets read the same.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <string>
#include <utility>
#include <vector>

#include "games/core/error.h"
#include "games/graph/entry.h"
#include "games/list.h"
#include "tests/conformance.h"
#include "tests/graphs.h"

namespace playproof::graph_test {
namespace {

std::string error_of(const std::string& text) {
  try {
    graph_of(text);
    return "";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kData);
    return error.what();
  }
}

TEST(Graphs, SayNodesMoversValuesAndRule) {
  const auto graph = graph_of(
      "# a comment\n"
      "rule: repeater loses   # another\n"
      "start: b\r\n"
      "\n"
      "a first c b\n"
      "\tb min a\n"
      "c -7");
  const Graph::Rules& rules = graph->rules();
  EXPECT_EQ(graph->nodes(), 3u);
  EXPECT_EQ(rules.rule, PathRule::kRepeaterLoses);
  EXPECT_EQ(Graph::max_value(rules), 7);
  Graph::State state = Graph::initial(rules);
  EXPECT_EQ(GameText<Graph>::format(rules, state), "b");
  EXPECT_EQ(Graph::to_move(rules, state), Player::kSecond);
  Graph::play(rules, state, 0);
  EXPECT_EQ(GameText<Graph>::format(rules, state), "a");
  EXPECT_EQ(Graph::to_move(rules, state), Player::kFirst);
  Move moves[Graph::kMaxMoves];
  EXPECT_EQ(Graph::moves(rules, state, moves), 2);
  Graph::play(rules, state, GameText<Graph>::parse_move(rules, "1"));
  EXPECT_TRUE(Graph::finished(rules, state));
  EXPECT_EQ(Graph::value(rules, state), -7);
}

TEST(Graphs, ErrorsNameLineAndColumn) {
  for (const auto& [text, error] : std::vector<std::pair<std::string, std::string>>{
           {"", "graph:1:1: the graph has no nodes"},
           {"# nothing\n\n", "graph:3:1: the graph has no nodes"},
           {"a or b\n", "graph:1:6: node 'b' has no line"},
           {"start: x\na win\n", "graph:1:8: node 'x' has no line"},
           {"a win\na win\n", "graph:2:1: node 'a' has a line already"},
           {"a\n",
            "graph:1:2: expected who moves or what it is worth: first, second, or, and, max, "
            "min, win, loss, draw, true, false or a number, not the end of the line"},
           {"a or\n", "graph:1:5: expected the name of a node, not the end of the line"},
           {"a or # b\n", "graph:1:6: expected the name of a node, not the end of the line"},
           {"a or b b\n", "graph:1:8: node 'b' is there twice"},
           {"a 65\n", "graph:1:3: a value must be -64..64, not '65'"},
           {"a win b\n", "graph:1:7: expected the end of the line, not 'b'"},
           {"a win\n  b:c win\n", "graph:2:3: a name may have none of : , = ! in it: 'b:c'"},
           {"a wi\x01n\n", "graph:1:5: this byte is no printable ASCII"},
           {"rule: second draw\nrule: third draw\n", "graph:2:1: there is a rule already"},
           {"start: a\nstart: a\n", "graph:2:1: there is a start already"},
           {"a win\nrule: nobody wins\n",
            "graph:2:7: expected one of: infinite win, infinite draw, infinite loss, second draw, "
            "third "
            "draw, repeater loses; not 'nobody wins'"},
       }) {
    EXPECT_EQ(error_of(text), error);
  }
  EXPECT_EQ(error_of(std::string(65, 'x') + " win\n"),
            "graph:1:1: a name may have up to 64 characters");
  std::string wide = "a or";
  for (int i = 0; i <= Graph::kMaxMoves; ++i) wide += " b" + std::to_string(i);
  EXPECT_EQ(error_of(wide), "graph:1:1176: a node may lead to 256 others");
  EXPECT_THROW(GraphFile::open("no such file"), Error);
}

// Damage is refused with its place, or leaves a graph, which is the same for both rule sets.
void read_damaged(const std::string& text, int* refused) {
  static const std::regex place("graph:[0-9]+:[0-9]+: .+");
  try {
    const auto graph = graph_of(text);
    const auto rules = ReferenceOf<Graph>::rules(graph->rules());
    EXPECT_TRUE(RefGraph::is_whole(rules));
    EXPECT_EQ(rules.nodes.size(), graph->nodes());
  } catch (const Error& error) {
    EXPECT_TRUE(std::regex_match(error.what(), place)) << error.what();
    ++*refused;
  }
}

TEST(Graphs, AreReadAgainAsTheyAreWritten) {
  Draws draws(1);
  for (int i = 0; i < 300; ++i) {
    const std::string rule = kAllRules[static_cast<std::size_t>(i) % kAllRules.size()];
    const auto graph = graph_of(random_graph(draws, rule, 3 + draws.below(20)));
    std::string text;
    for (std::size_t k = 0; k < graph->lines(); ++k) text += graph->line(k) + "\n";
    const auto again = graph_of(text);
    ASSERT_EQ(again->lines(), graph->lines());
    EXPECT_EQ(ReferenceOf<Graph>::rules(again->rules()), ReferenceOf<Graph>::rules(graph->rules()));
  }
}

TEST(Graphs, DamagedOnesAreRefusedWithTheirPlace) {
  Draws draws(2);
  int refused = 0;
  const std::string whole = random_graph(draws, "second draw", 30);
  for (std::size_t cut = 0; cut < whole.size(); ++cut) read_damaged(whole.substr(0, cut), &refused);
  EXPECT_GT(refused, 300);
  refused = 0;
  int tried = 0;
  for (; refused < 10'000; ++tried) {
    std::string text = random_graph(draws, "repeater loses", 4 + draws.below(12));
    for (int changes = 1 + draws.below(3); changes > 0; --changes) {
      const auto at = static_cast<std::size_t>(draws.below(static_cast<int>(text.size())));
      text[at] =
          static_cast<char>(draws.below(2) == 0 ? draws.below(256) : "\n #:nwo1"[draws.below(8)]);
    }
    read_damaged(text, &refused);
    ASSERT_LT(tried, 100'000);
  }
}

TEST(Graphs, AMillionNodes) {
  std::string text = "start: n0\n";
  for (int i = 0; i < 1'000'000; ++i) {
    text += "n" + std::to_string(i);
    text += i % 3 == 2 ? " draw\n"
                       : " or n" + std::to_string((i * 7 + 1) % 1'000'000) + " n" +
                             std::to_string((i * 11 + 6) % 1'000'000) + "\n";
  }
  EXPECT_EQ(graph_of(text)->nodes(), 1'000'000u);
}

TEST(Graphs, BothRuleSetsPlayTheSame) {
  std::vector<std::shared_ptr<const GraphFile>> kept;
  std::vector<Graph::Rules> all;
  for (const char* name :
       {"figure-7", "figure-8", "figure-9", "sample-tree", "goals", "to-and-fro"}) {
    kept.push_back(graph_named(name));
    all.push_back(kept.back()->rules());
  }
  EXPECT_GE(conformance<Graph>(all, 5'000, 3, 4), 5'000);
}

// Rules point to the graph, and whoever asks about it keeps it: an open file is read once.
TEST(Graphs, LiveAsLongAsTheyAreAskedAbout) {
  const std::string name = ::testing::TempDir() + "live.graph";
  const auto write = [&](const std::string& text) { std::ofstream(name) << text; };
  write("a win\n");
  const std::shared_ptr<const GraphFile> first = GraphFile::open(name);
  EXPECT_EQ(GraphFile::open(name), first);
  const RulesOwner<Graph> owner(first->rules());
  write("a loss\n");
  const std::shared_ptr<const GraphFile> second = GraphFile::open(name);
  EXPECT_NE(second, first);
  EXPECT_EQ(Graph::value(first->rules(), {0}), 1);
  EXPECT_EQ(Graph::value(second->rules(), {0}), -1);
  visit_game("graph:file=" + name, [&]<class G>(const typename G::Rules& rules) {
    EXPECT_EQ(GameText<G>::canonical(rules), "graph:file=" + name);
    EXPECT_EQ(G::min_value(rules), -1);
  });
  std::filesystem::remove(name);
}

}  // namespace
}  // namespace playproof::graph_test
