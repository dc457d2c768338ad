// What forgeries of certificates of Hex share: places in a sheet, and many different ones of a
// class.
#pragma once

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/certificates/mutants.h"

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

// Different forgeries of one class, until `visit` says false or `count` were made.
int forge(const std::vector<Sheet>& certificates, const MutationClass& forgery, int count,
          const auto& visit) {
  std::uint64_t seed = 0;
  for (const char* c = forgery.name; *c != 0; ++c) {
    seed = mix64(seed + static_cast<unsigned char>(*c));
  }
  Draw draw(seed);
  std::set<std::string> seen;
  int made = 0;
  for (int barren = 0; made < count && barren < 3000; ++barren) {
    Sheet sheet = certificates[draw.below(certificates.size())];
    const Sheet before = sheet;
    if (!forgery.apply(sheet, draw) || sheet == before) continue;
    if (!seen.insert(text_of(sheet)).second) continue;
    ++made;
    barren = 0;
    if (!visit(sheet)) break;
  }
  return made;
}

}  // namespace playproof
