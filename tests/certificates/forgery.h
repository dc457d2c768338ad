// What forgeries of certificates of Hex share: places in a sheet, many different ones of a class,
// and what is expected of them.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "tests/certificates/mutants.h"
#include "tests/certificates/plain_cards.h"

namespace playproof {

using SheetLine = std::vector<std::string>;

// One of the lines that `wanted` takes; nullptr if there is none.
SheetLine* pick(Sheet& sheet, Draw& draw, const auto& wanted) {
  std::vector<SheetLine*> lines;
  for (SheetLine& line : sheet) {
    if (wanted(line)) lines.push_back(&line);
  }
  return lines.empty() ? nullptr : lines[draw.below(lines.size())];
}
inline std::string move_name(const Sheet& sheet, std::size_t cell) {
  const std::string& game = sheet[1][1];
  const std::size_t columns = std::stoull(game.substr(game.rfind('=') + 1));
  return static_cast<char>('a' + cell % columns) + std::to_string(cell / columns + 1);
}
// The number of cells if it names none (another forgery may have changed it).
inline std::size_t cell_of(const Sheet& sheet, const std::string& move, std::size_t cells) {
  std::size_t cell = 0;
  while (cell < cells && move_name(sheet, cell) != move) ++cell;
  return cell;
}
inline std::string next_id(const Sheet& sheet, std::size_t more = 1) {
  return std::to_string(std::stoull(sheet[sheet.size() - 2][1]) + more);
}
// Without the ends of lives, so that whatever is above may be cited.
inline void keep_all(Sheet& sheet) {
  std::erase_if(sheet, [](const SheetLine& line) { return line[0] == "free"; });
}

// Certificates, and the classes of forgeries that are tried on them.
struct Forger {
  const std::vector<Sheet>& certificates;
  const std::vector<MutationClass>& forgeries;

  const MutationClass& named(const std::string& name) const;
  // Different forgeries of one class, until `visit` says false or `count` were made.
  int forge(const MutationClass& forgery, int count,
            const std::function<bool(const Sheet&)>& visit) const;
};

// Are the claim, every card and every link true, by exhaustive search?
bool is_true(const PlainVerdict& verdict);

// How many forgeries there must be at least.
struct LeastForged {
  int of_class;
  int few_classes;  // so many classes may have less than what was asked for
  int total;
  int refused;  // of a class more than one in so many
};
// `count` forgeries of each class: accepted is what the plain rules accept, and that is true.
void expect_nothing_false(const Forger& forger, int count, const LeastForged& least);

// What the checker says where a rule refuses, and the class of forgeries of which it refuses
// something false in these words, within so many tries.
using Refusals = std::vector<std::pair<std::string, std::string>>;
void expect_each_refuses(const Forger& forger, const Refusals& rules, int tries);

// Rules of the plain judge, and the class of forgeries of which it accepts something false without
// the rule, within so many tries.
using Faults = std::vector<std::pair<CardRule, std::string>>;
void expect_each_needed(const Forger& forger, const Faults& rules, int tries);

}  // namespace playproof
