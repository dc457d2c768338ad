// Certificates of games whose positions can come again (docs/certificate.md): those of random
// graphs under every rule are accepted; forged ones are refused, unless what they then say is true.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "games/core/error.h"
#include "games/graph/entry.h"
#include "host/path/exhaustive.h"
#include "host/proof/certificate.h"
#include "host/solve/make_solver.h"
#include "tests/graphs.h"
#include "tests/host/certified.h"
#include "tests/host/saved.h"
#include "tests/host/support.h"

namespace playproof::path_test {
namespace {

constexpr const char* kAlgorithms[] = {"dfpn",
                                       "dfpn:history=basetwin,loops=dfpnr",
                                       "dfpn:table=600B",
                                       "dfpn:epsilon=0.25,loops=patience",
                                       "dfpn:similar=simulation",
                                       "dfpn:similar=killer,table=600B",
                                       "pds:similar=simulation,history=basetwin",
                                       "pds",
                                       "pnstar",
                                       "alphabeta",
                                       "pn",
                                       "deeppn",
                                       "wpns",
                                       "minimax",
                                       "pn:leaf=mobility",
                                       "pn:leaf=playouts,playouts=4",
                                       "pn2",
                                       "pn2:evaluate=immediate",
                                       "pn2:limit=breuker,a=40,b=10,leaf=mobility",
                                       "mcpn:playouts=2",
                                       "ppn:playouts=2",
                                       "ews:playouts=2",
                                       "ews:leaf=rollout,playouts=2",
                                       "mcts:playouts=2",
                                       "uct:playouts=2",
                                       "pn:merge=dag",
                                       "pn:merge=basetwin,leaf=mobility",
                                       "wpns:merge=dag,earlybreak=off",
                                       "wpns:merge=basetwin",
                                       "dfppn:playouts=2",
                                       "dfppn:playouts=2,epsilon=0,table=600B",
                                       "dfews:playouts=2",
                                       "dfews:leaf=rollout,playouts=2,history=basetwin"};
constexpr const char* kTrees[] = {"pn",
                                  "wpns",
                                  "pn:leaf=playouts,playouts=4,ties=path",
                                  "pn2",
                                  "pn2:evaluate=immediate",
                                  "mcpn:playouts=2",
                                  "ppn:playouts=2",
                                  "ews:playouts=2",
                                  "mcts:playouts=2",
                                  "uct:playouts=2",
                                  "pn:merge=dag",
                                  "pn:merge=basetwin",
                                  "wpns:merge=dag",
                                  "wpns:merge=basetwin,earlybreak=off"};

struct Question {
  SolveRequest request;
  int threshold;
};
Question question_of(const std::string& algorithm, int threshold) {
  Question question{{}, threshold};
  SolveRequest& request = question.request;
  request.game = "graph";
  request.algorithm = algorithm;
  request.goal = threshold == 1 ? "win" : "draw";
  request.certificate = true;
  request.limits.max_nodes = 50'000;
  request.limits.max_memory = std::uint64_t{1} << 28;
  return question;
}
std::unique_ptr<Solver> solver_of(const Graph::Rules& rules, const Question& question) {
  const ReadRequest<Graph> read = read_request<Graph>(rules, question.request);
  return make_claim_solver<Graph>(rules, read.position, question.threshold, read.algorithm,
                                  question.request, read.names);
}

// What is proven of the start of a graph; the certificate goes to *text. Nothing if a limit came.
std::optional<bool> solved(const Graph::Rules& rules, const std::string& algorithm, int threshold,
                           std::string* text) {
  const auto solver = solver_of(rules, question_of(algorithm, threshold));
  while (solver->step(1 << 20) == StopReason::kRunning) continue;
  const SolveResult result = solver->result();
  if (result.verdict == Verdict::kUnknown) return std::nullopt;
  solver->self_check();
  TextSink out;
  solver->write_certificate(out);
  *text = out.text();
  const check::Report report = check_text(*text);
  EXPECT_EQ(report.status, check::kValid) << algorithm << ": " << report.error << "\n" << *text;
  EXPECT_EQ(report.verdict, to_string(result.verdict));
  EXPECT_EQ(report.best_move, result.best_move.value_or(""));
  return result.verdict == Verdict::kProved;
}

std::optional<bool> truth_of(const Graph::Rules& rules, int threshold) {
  const Graph::State at = Graph::initial(rules);
  EveryPath<Graph> paths(rules, {Graph::to_move(rules, at), static_cast<Value>(threshold)});
  paths.begin(at, {});
  if (!paths.run(200'000)) return std::nullopt;
  return paths.answer();
}

// Calls f(rules, threshold, truth) with so many random graphs.
template <class F>
void for_each_graph(int graphs, std::uint64_t seed, F&& f) {
  Draws draws(seed);
  for (int i = 0; i < graphs && !::testing::Test::HasFailure(); ++i) {
    const std::string rule = kAllRules[static_cast<std::size_t>(i) % kAllRules.size()];
    const auto graph = graph_of(random_graph(draws, rule, 4 + draws.below(7)));
    for (const int threshold : {0, 1}) {
      const std::optional<bool> truth = truth_of(graph->rules(), threshold);
      if (truth) f(graph->rules(), threshold, *truth);
    }
  }
}

TEST(PathCertificates, OfEveryAlgorithmAndRule) {
  int conditions = 0;
  int again = 0;
  for_each_graph(nightly() ? 20'000 : 200, 1,
                 [&](const Graph::Rules& rules, int threshold, bool truth) {
                   for (const char* algorithm : kAlgorithms) {
                     std::string text;
                     const std::optional<bool> proved = solved(rules, algorithm, threshold, &text);
                     if (!proved) continue;
                     EXPECT_EQ(*proved, truth) << algorithm << "\n" << text;
                     conditions += static_cast<int>(text.find(" if ") != std::string::npos);
                     again += static_cast<int>(text.find("\nagain ") != std::string::npos);
                   }
                 });
  EXPECT_GT(conditions, 30);
  EXPECT_GT(again, 300);
}

// What is labelled unsafe is: nodes that are one, whatever the path.
TEST(PathCertificates, TheDcgMethodIsWrongSometimes) {
  int wrong = 0;
  int decided = 0;
  for_each_graph(3000, 7, [&](const Graph::Rules& rules, int threshold, bool truth) {
    for (const char* algorithm : {"pn:merge=dcg", "wpns:merge=dcg"}) {
      Question question = question_of(algorithm, threshold);
      EXPECT_THROW(solver_of(rules, question), Error);  // no certificates
      question.request.certificate = false;
      const auto solver = solver_of(rules, question);
      while (solver->step(1 << 20) == StopReason::kRunning) continue;
      const Verdict verdict = solver->result().verdict;
      if (verdict == Verdict::kUnknown) continue;
      ++decided;
      wrong += static_cast<int>((verdict == Verdict::kProved) != truth);
    }
  });
  EXPECT_GT(decided, 5000);
  EXPECT_GT(wrong, 5);
  EXPECT_LT(wrong, decided / 20);
}

// A tree that is saved on its way goes on as if nothing had been; what a file says of repetitions
// is held against the path.
TEST(PathCertificates, TreesAreSavedOnTheirWay) {
  int saves = 0;
  int refused = 0;
  Draws draws(5);
  for_each_graph(300, 6, [&](const Graph::Rules& rules, int threshold, bool /*truth*/) {
    const char* const tree =
        kTrees[static_cast<std::size_t>(draws.below(static_cast<int>(std::size(kTrees))))];
    const Question question = question_of(tree, threshold);
    const auto whole = solver_of(rules, question);
    const auto first = solver_of(rules, question);
    first->step(static_cast<std::uint64_t>(1 + draws.below(6)));
    const std::string state = saved(*first);
    const auto second = solver_of(rules, question);
    StringSource source(state);
    second->load(source);
    second->self_check();
    while (whole->step(1 << 20) == StopReason::kRunning) continue;
    while (second->step(1 << 20) == StopReason::kRunning) continue;
    EXPECT_EQ(whole->result().verdict, second->result().verdict);
    EXPECT_EQ(whole->result().counters, second->result().counters);
    if (whole->result().verdict != Verdict::kUnknown) {
      EXPECT_EQ(certificate(*whole), certificate(*second));
    }
    ++saves;
    std::string damaged = state;
    char& byte = damaged[static_cast<std::size_t>(draws.below(static_cast<int>(damaged.size())))];
    byte = static_cast<char>(byte ^ (1 << draws.below(8)));
    const auto third = solver_of(rules, question);
    StringSource bad(damaged);
    try {
      third->load(bad);
    } catch (const Error&) {
      ++refused;
    }
  });
  EXPECT_GT(saves, 500);
  EXPECT_GT(refused, saves / 3);
}

std::vector<std::string> words_of(const std::string& line) {
  std::vector<std::string> words;
  for (std::size_t begin = 0; begin < line.size();) {
    const std::size_t end = std::min(line.find(' ', begin), line.size());
    words.push_back(line.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}
std::string joined(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) line += (line.empty() ? "" : " ") + word;
  return line;
}
// Without the checksum, which is made anew.
std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin);
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  lines.pop_back();
  return lines;
}
check::Report check_lines(const std::vector<std::string>& lines) {
  TextSink out;
  CertificateSink sealed(out);
  for (const std::string& line : lines) sealed.write(line + "\n");
  sealed.finish();
  return check_text(out.text());
}
bool is_node(const std::string& line) {
  return line.starts_with("one ") || line.starts_with("all ") || line.starts_with("again ") ||
         line.starts_with("leaf ");
}

// A proof lists no condition that it does not need: with any one of them left out it is refused.
TEST(PathCertificates, EveryConditionIsNeeded) {
  int refused = 0;
  Draws draws(2);
  while (refused < (nightly() ? 20'000 : 6'000) && !HasFailure()) {
    const auto graph = graph_of(random_graph(draws, "repeater loses", 5 + draws.below(6)));
    for (const int threshold : {0, 1}) {
      if (!truth_of(graph->rules(), threshold)) continue;
      std::string text;
      if (!solved(graph->rules(), "dfpn", threshold, &text)) continue;
      const std::vector<std::string> lines = lines_of(text);
      const std::string root = words_of(lines.back()).back();
      for (std::size_t i = 0; i < lines.size(); ++i) {
        const std::vector<std::string> words = words_of(lines[i]);
        const auto begin = std::find(words.begin(), words.end(), "if");
        // What the root asks for is asked of nobody.
        if (!is_node(lines[i]) || begin == words.end() || words[1] == root) continue;
        for (auto one = begin + 1; one != words.end(); ++one) {
          std::vector<std::string> less = words;
          less.erase(less.begin() + (one - words.begin()));
          if (less.back() == "if") less.pop_back();
          std::vector<std::string> forged = lines;
          forged[i] = joined(less);
          const check::Report report = check_lines(forged);
          ASSERT_EQ(report.status, check::kNotProof) << text << forged[i];
          ++refused;
        }
      }
    }
  }
}

// One word, or line, is another. What is accepted must be true.
TEST(PathCertificates, ForgedOnesAreRefusedOrTrue) {
  int refused = 0;
  int accepted = 0;
  Draws draws(3);
  const auto forge = [&](std::vector<std::string> lines, std::size_t i) {
    std::vector<std::string> words = words_of(lines[i]);
    const auto pick = [&](std::size_t count) {
      return static_cast<std::size_t>(draws.below(static_cast<int>(count)));
    };
    switch (draws.below(6)) {
      case 0:  // a word of another line
        words[pick(words.size())] = words_of(lines[pick(lines.size())]).back();
        break;
      case 1:  // a word less
        words.erase(words.begin() + static_cast<std::ptrdiff_t>(pick(words.size())));
        break;
      case 2:  // a line less
        lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(i));
        return lines;
      case 3:  // another kind
        words[0] = std::vector<std::string>{"one", "all", "leaf", "again"}[pick(4)];
        break;
      case 4:  // the contrary
        for (std::string& line : lines) {
          if (!line.starts_with("claim ")) continue;
          const bool proved = line.ends_with(" proved");
          line = line.substr(0, line.rfind(' ')) + (proved ? " disproved" : " proved");
        }
        break;
      default:  // two words change places
        std::swap(words[pick(words.size())], words[pick(words.size())]);
    }
    lines[i] = joined(words);
    return lines;
  };
  const int graphs = nightly() ? 6000 : 2000;
  for_each_graph(graphs, 4, [&](const Graph::Rules& rules, int threshold, bool truth) {
    std::string text;
    if (!solved(rules, draws.below(2) == 0 ? "dfpn" : "pn", threshold, &text)) return;
    const std::vector<std::string> lines = lines_of(text);
    for (int tries = 0; tries < 12; ++tries) {
      const auto i = static_cast<std::size_t>(draws.below(static_cast<int>(lines.size())));
      if (!is_node(lines[i])) continue;
      const std::vector<std::string> forged = forge(lines, i);
      if (forged == lines) continue;
      const check::Report report = check_lines(forged);
      if (report.status == check::kValid) {
        ++accepted;
        EXPECT_EQ(report.verdict == "proved", truth) << joined(forged) << "\n" << text;
      } else {
        ++refused;
      }
    }
  });
  EXPECT_GT(refused, 3 * graphs);
  EXPECT_LT(accepted, refused / 10);
}

check::Asked asked(const std::string& game) {
  check::Asked asked;
  asked.game = game;
  return asked;
}

// Every byte of it counts, and another graph is another game.
TEST(PathCertificates, AreAboutTheGraphThatTheyHold) {
  const auto graph = GraphFile::open("");
  std::string text;
  ASSERT_TRUE(solved(graph->rules(), "dfpn", 1, &text).value_or(false));
  EXPECT_EQ(check_text(text, asked("graph")).status, check::kValid);
  const std::string other = std::string(PLAYPROOF_TEST_DATA) + "/graphs/figure-7.graph";
  EXPECT_EQ(check_text(text, asked("graph:file=" + other)).status, check::kNotProof);
  EXPECT_EQ(check_text(text, asked("graph:file=none")).status, check::kNotProof);
  std::vector<std::string> lines = lines_of(text);
  for (std::string& line : lines) {
    if (line == "graph G win") line = "graph G loss";
  }
  EXPECT_EQ(check_lines(lines).status, check::kNotProof);
  for (std::size_t cut = 0; cut < text.size(); ++cut) {
    EXPECT_EQ(check_text(text.substr(0, cut)).status, check::kUnreadable);
  }
}

}  // namespace
}  // namespace playproof::path_test
