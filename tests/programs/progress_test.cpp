// The line that a terminal shows while a search runs, and what a terminal is.
#include "src/io/progress.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "host/solve/solver.h"
#include "src/io/certificate_file.h"
#include "src/io/quantities.h"
#include "src/io/terminal.h"

namespace playproof::progress_test {
namespace {

std::unique_ptr<Solver> begun(const std::string& game, const std::string& algorithm,
                              const std::string& goal = "win") {
  SolveRequest request;
  request.game = game;
  request.algorithm = algorithm;
  request.goal = goal;
  auto solver = make_solver(request);
  solver->step(40);
  return solver;
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(ProgressLine, ShowsTheNumbersOfTheRoot) {
  const auto line = [](const std::string& algorithm) {
    const auto solver = begun("hex:size=5", algorithm);
    return progress_line(*solver, 12.34, {.max_memory = 1 << 30}, 200);
  };
  for (const char* algorithm : {"pn", "deeppn", "pn2", "wpns", "ppn:playouts=4", "mcpn:playouts=4",
                                "ews:playouts=4", "uct", "mcts", "dfpn:leaf=unit", "dfpn", "pds",
                                "pnstar", "dfppn:playouts=4", "dfews:playouts=4", "alphabeta"}) {
    const auto solver = begun("hex:size=5", algorithm);
    const std::string shown = line(algorithm);
    EXPECT_TRUE(shown.starts_with("12.3 s  ")) << shown;
    const NodeNumbers numbers = solver->nodes({0, 1})[0].numbers;
    ASSERT_FALSE(numbers.empty()) << algorithm;
    std::string name = numbers[0].first;
    for (char& c : name) c = c == '_' ? ' ' : c;
    EXPECT_TRUE(has(shown, "12.3 s  " + name + ' ')) << shown;
    EXPECT_TRUE(has(shown, "  best " + *solver->result().best_move)) << shown;
    EXPECT_TRUE(has(shown, std::to_string(solver->result().counters.nodes_created) + " nodes  "));
  }
  EXPECT_TRUE(has(line("pn"), "  pn ") && has(line("pn"), " dn ")) << line("pn");
  EXPECT_TRUE(has(line("ppn:playouts=4"), "  p 0.")) << line("ppn:playouts=4");
  EXPECT_TRUE(has(line("uct"), " mean 0.")) << line("uct");
  EXPECT_TRUE(has(line("dfppn:playouts=4"), "  p 0.")) << line("dfppn:playouts=4");
  EXPECT_TRUE(has(line("minimax"), " nodes")) << line("minimax");
}

// Of an OR node, as the papers have them: pn is the least of the children's and dn their sum; p is
// the chance that one child is a win.
TEST(ProgressLine, TheRootOfADepthFirstSearchIsWhatItsChildrenSay) {
  for (const char* algorithm : {"dfpn:leaf=unit", "dfpn", "pds", "pnstar", "alphabeta"}) {
    const std::vector<NodeRow> rows = begun("othello:size=6", algorithm)->nodes({1, 1000});
    ASSERT_GT(rows.size(), 1u);
    double pn = rows[1].numbers[0].second;
    double dn = 0;
    for (std::size_t i = 1; i < rows.size(); ++i) {
      pn = std::min(pn, rows[i].numbers[0].second);
      dn += rows[i].numbers[1].second;
    }
    ASSERT_EQ(rows[0].numbers.size(), 2u) << algorithm;
    EXPECT_EQ(rows[0].numbers[0].second, pn) << algorithm;
    EXPECT_EQ(rows[0].numbers[1].second, dn) << algorithm;
  }
  const std::vector<NodeRow> rows = begun("othello:size=6", "dfppn:playouts=4")->nodes({1, 1000});
  double none = 1;
  for (std::size_t i = 1; i < rows.size(); ++i) none *= 1 - rows[i].numbers[0].second;
  EXPECT_NEAR(rows[0].numbers[0].second, 1 - none, 1e-12);
}

TEST(ProgressLine, NamesTheNearestLimit) {
  const auto solver = begun("hex:size=5", "pn");
  const SolveResult result = solver->result();
  const auto line = [&](SearchLimits limits) {
    if (limits.max_memory == 0) limits.max_memory = std::uint64_t{1} << 40;
    return progress_line(*solver, 1, limits, 200);
  };
  EXPECT_TRUE(has(line({}), "  0 % of --max-memory"));
  EXPECT_TRUE(has(line({.max_nodes = 2 * result.counters.nodes_created}), "  50 % of --max-nodes"));
  EXPECT_TRUE(has(line({.max_memory = 4 * result.counters.peak_bytes}), "  25 % of --max-memory"));
  EXPECT_TRUE(has(
      line({.max_nodes = 2 * result.counters.nodes_created, .max_seconds = result.seconds / 0.6}),
      "  60 % of --max-seconds"));
}

TEST(ProgressLine, FitsEveryTerminal) {
  for (const char* algorithm : {"pn", "dfpn:leaf=unit", "ews:playouts=4", "minimax"}) {
    const auto solver = begun("othello:size=6", algorithm, "value");
    std::size_t before = 0;
    for (int columns = 0; columns < 160; ++columns) {
      const std::string line =
          progress_line(*solver, 1234.5, {.max_memory = std::uint64_t{1} << 30}, columns);
      ASSERT_LE(line.size(), static_cast<std::size_t>(std::max(columns, 1)));
      ASSERT_GE(line.size(), before) << line;  // more room never shows less
      before = line.size();
      ASSERT_EQ(line.substr(0, 8), std::string("1234.5 s").substr(0, line.size()));
    }
    EXPECT_GT(before, 60u);
  }
}

// From the widest terminal to the narrowest: docs/solve.md has the order.
TEST(ProgressLine, WhatSaysLeastIsLeftOutFirst) {
  const auto solver = begun("hex:size=5", "pn");
  const std::vector<std::string> parts = {"best ", "nodes/s", " nodes", "iB", "% of", "pn "};
  std::size_t gone = 0;
  for (int columns = 160; columns > 8; --columns) {
    const std::string line = progress_line(*solver, 1.5, {.max_memory = 1 << 30}, columns);
    while (gone < parts.size() && !has(line, parts[gone])) ++gone;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      EXPECT_EQ(has(line, parts[i]), i >= gone) << line;
    }
  }
  EXPECT_EQ(gone, parts.size());
}

TEST(Terminal, LocalesThatSayUtf8) {
  for (const char* yes : {"C.UTF-8", "de_DE.UTF-8", "en_US.utf8", "en_US.UTF-8@euro"}) {
    EXPECT_TRUE(says_utf8(yes)) << yes;
  }
  for (const char* no : {"", "C", "POSIX", "de_DE", "de_DE.ISO-8859-1", "UTF-8", "C.UTF-16"}) {
    EXPECT_FALSE(says_utf8(no)) << no;
  }
  // The first variable that is set decides.
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) unsetenv(name);
  EXPECT_FALSE(is_utf8_locale());
  setenv("LANG", "C.UTF-8", 1);
  EXPECT_TRUE(is_utf8_locale());
  setenv("LC_CTYPE", "C", 1);
  EXPECT_FALSE(is_utf8_locale());
  setenv("LC_ALL", "", 1);
  EXPECT_FALSE(is_utf8_locale());
  setenv("LC_ALL", "C.UTF-8", 1);
  EXPECT_TRUE(is_utf8_locale());
}

TEST(Quantities, AsPeopleReadThem) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1,000");
  EXPECT_EQ(grouped(18446744073709551615u), "18,446,744,073,709,551,615");
  EXPECT_EQ(bytes_text(512), "0.5 KiB");
  EXPECT_EQ(bytes_text(3 << 20), "3.0 MiB");
}

// Nodes are counted as they come, in whatever pieces.
TEST(NodeCount, OfEveryPiece) {
  const std::string_view certificate =
      "playproof-certificate 1\ngame hex:rows=2,columns=2\nrules 1\nposition\ngoal win\n"
      "attacker first\nclaim >=1 proved\nleaf 1 WBB.\none 2 WB.. a2 1\nfree 1\n"
      "card-all 7 .B.. a1 2\nroot 8\nclaim >=0 proved\nbound 1 ....\nroot 1\nchecksum 6d\n";
  for (std::size_t first = 0; first <= certificate.size(); ++first) {
    for (std::size_t second = first; second <= certificate.size(); ++second) {
      NodeCount count;
      count.add(certificate.substr(0, first));
      count.add(certificate.substr(first, second - first));
      count.add(certificate.substr(second));
      ASSERT_EQ(count.nodes(), 4u);
    }
  }
}

}  // namespace
}  // namespace playproof::progress_test
