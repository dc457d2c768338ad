// Edge templates of Hex: a stone that is joined to its edge whatever the opponent does who moves
// first, with nothing but the cells of its carrier. Positions with many more stones of one side.
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "certified.h"
#include "games/hex/text.h"
#include "support.h"

namespace playproof::edge_templates_test {
namespace {

// Rows from that of the stone to the edge: 'B' the stone, '-' its carrier, '.' neither.
struct EdgeTemplate {
  std::string name;
  std::vector<std::string> rows;
};
std::vector<EdgeTemplate> templates() {
  std::vector<EdgeTemplate> all;
  for (const std::string& line : data_lines("hex-edge-templates.txt")) {
    std::istringstream in(line);
    EdgeTemplate one;
    in >> one.name;
    for (std::string row; in >> row;) one.rows.push_back(row);
    all.push_back(one);
  }
  return all;
}

// The template at the lower edge. Above it White has a row but for Black's stone that joins the
// template's to the upper edge; White has all that is no part of it, and moves first.
class Question {
 public:
  explicit Question(const EdgeTemplate& asked)
      : rows_(asked.rows), columns_(static_cast<int>(asked.rows[0].size())) {
    const std::size_t stone = rows_[0].find('B');
    std::string above(rows_[0].size(), '.');
    above[stone] = 'B';
    rows_.insert(rows_.begin(), above);
  }
  std::string game() const {
    return "hex:rows=" + std::to_string(rows_.size()) + ",columns=" + std::to_string(columns_);
  }
  std::string position() const {
    std::string text;
    for (const auto& [letter, side] : {std::pair{'B', ":B "}, {'.', ":W "}}) {
      for (const std::string& cell : cells(letter)) text += side + cell + ' ';
    }
    return text + ":W";
  }
  std::vector<std::string> cells(char letter) const {
    std::vector<std::string> found;
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      for (std::size_t column = 0; column < rows_[row].size(); ++column) {
        if (rows_[row][column] != letter) continue;
        found.push_back(letter_number(static_cast<int>(column), static_cast<int>(row)));
      }
    }
    return found;
  }
  void give_away(const std::string& cell) {
    int column = 0;
    int row = 0;
    ASSERT_TRUE(parse_letter_number(cell, &column, &row));
    rows_[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)] = '.';
  }

 private:
  std::vector<std::string> rows_;
  int columns_;
};

// Does Black hold if White moves first? Then *carrier is the empty cells of the answer's zone.
bool black_holds(const Question& question, const std::string& algorithm,
                 std::vector<std::string>* carrier) {
  SolveRequest request = ask(question.game(), algorithm, question.position());
  request.certificate = true;
  const auto solver = make_solver(request);
  const SolveResult result = finish(*solver);
  EXPECT_NE(result.verdict, Verdict::kUnknown);
  expect_certified(*solver, request, result);
  const std::vector<std::string> empty = question.cells('-');
  carrier->clear();
  for (const std::string& cell : result.zone) {
    if (std::find(empty.begin(), empty.end(), cell) != empty.end()) carrier->push_back(cell);
  }
  return result.verdict == Verdict::kDisproved;
}

TEST(EdgeTemplates, AreValidAndNothingOfThemCanGo) {
  const auto all = templates();
  for (const std::size_t height : {2u, 3u, 4u}) {
    EXPECT_TRUE(std::any_of(all.begin(), all.end(), [&](const EdgeTemplate& one) {
      return one.rows.size() == height;
    })) << height;
  }
  for (const EdgeTemplate& one : all) {
    SCOPED_TRACE(one.name);
    const Question whole(one);
    std::vector<std::string> carrier;
    for (const char* algorithm :
         {"dfpn:leaf=mustplay,epsilon=0.25,patterns=1024,widening=0.25,fill=full",
          "dfpn:patterns=1024", "pn:patterns=1024,probe=connections,fill=full"}) {
      SCOPED_TRACE(algorithm);
      EXPECT_TRUE(black_holds(whole, algorithm, &carrier));
      // No cell of it can go, so that every proof rests on all of them.
      EXPECT_EQ(carrier, whole.cells('-'));
    }
    for (const std::string& cell : whole.cells('-')) {
      Question less = whole;
      less.give_away(cell);
      EXPECT_FALSE(black_holds(less, "dfpn:patterns=1024,fill=full", &carrier)) << cell;
    }
  }
}

}  // namespace
}  // namespace playproof::edge_templates_test
