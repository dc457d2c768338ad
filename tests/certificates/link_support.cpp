#include "tests/certificates/link_support.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <string_view>

#include "games/core/reference_text.h"

namespace playproof {
namespace {

using Cells = std::uint64_t;
using Line = std::vector<std::string>;

Cells bit(int cell) { return Cells{1} << cell; }

// A link that was found; `id` counts from 1, and 0 is no line: stones that touch.
struct Found {
  Cells carrier = 0;
  std::size_t id = 0;
};

// All links of one colour in one position, until there is one between the edges.
class HSearch {
 public:
  HSearch(const RefHex::Rules& rules, bool black, Cells own, Cells free)
      : rules_(rules),
        colour_(black ? 'B' : 'W'),
        own_(own),
        free_(free),
        cells_(rules.rows * rules.columns),
        full_(static_cast<std::size_t>((cells_ + 2) * (cells_ + 2))),
        semi_(full_.size()) {
    for (int point = 0; point < cells_ + 2; ++point) {
      if (point >= cells_ || ((own_ | free_) & bit(point)) != 0) points_.push_back(point);
    }
    for (const int a : points_) {
      for (const int b : points_) {
        if (a < b && touch(a, b)) at(full_, a, b).push_back({});
      }
    }
    for (int round = 0; round < kRounds && edges() == nullptr; ++round) {
      grow([this](int a, int b) { combine(a, b); });
      grow([this](int a, int b) { choose(a, b); });
    }
  }

  // The lines of the card that joins the edges, of all links below it, and of `more`; then the ends
  // of their lives. False if there is none.
  bool write(std::size_t more, Sheet* sheet) const {
    const Found* found = edges();
    if (found == nullptr) return false;
    std::set<std::size_t> used = {found->id};  // down from the last one, as lines cite lines above
    std::vector<std::size_t> number(lines_.size() + 1, 0);
    for (std::size_t i = 0; i < more; ++i) used.insert(lines_.size() * i / more + 1);
    for (std::size_t id = lines_.size(); id > 0; --id) {
      if (used.contains(id)) {
        for (const std::size_t below : cites_[id - 1]) used.insert(below);
      }
    }
    used.erase(0);
    std::size_t last = 0;
    Line freed = {"free"};
    for (const std::size_t id : used) {
      number[id] = ++last;
      freed.push_back(std::to_string(last));
      Line line = lines_[id - 1];
      line[1] = freed.back();
      for (const std::size_t below : cites_[id - 1]) {
        line.push_back(below == 0 ? "-" : std::to_string(number[below]));
      }
      sheet->push_back(line);
    }
    sheet->push_back({"card-link", std::to_string(last + 1), pattern(found->carrier),
                      std::to_string(number[found->id])});
    sheet->push_back(freed);
    return true;
  }
  std::string pattern(Cells carrier) const {
    std::string text;
    for (int i = 0; i < cells_; ++i) {
      text += (own_ & bit(i)) != 0 ? colour_ : (carrier & bit(i)) != 0 ? '-' : '.';
    }
    return text;
  }

 private:
  static constexpr int kRounds = 6;
  static constexpr std::size_t kMostFull = 5;  // of two points
  static constexpr std::size_t kMostSemi = 9;
  using Lists = std::vector<std::vector<Found>>;

  std::vector<Found>& at(Lists& lists, int a, int b) const {
    return lists[static_cast<std::size_t>(std::min(a, b) * (cells_ + 2) + std::max(a, b))];
  }
  const Found* edges() const {
    const auto& list = full_[static_cast<std::size_t>(cells_ * (cells_ + 2) + cells_ + 1)];
    return list.empty() || list[0].id == 0 ? nullptr : list.data();
  }
  // Do stones join these two?
  bool touch(int a, int b) const {
    std::vector<int> reached = {a};
    for (std::size_t i = 0; i < reached.size(); ++i) {
      for (int point = 0; point < cells_ + 2; ++point) {
        const bool stone = point == b || (point < cells_ && (own_ & bit(point)) != 0);
        if (!stone || !RefHex::touch(rules_, colour_, reached[i], point)) continue;
        if (point == b) return true;
        if (std::find(reached.begin(), reached.end(), point) == reached.end()) {
          reached.push_back(point);
        }
      }
    }
    return false;
  }
  std::string name(int point) const {
    if (point == cells_) return colour_ == 'B' ? "top" : "left";
    if (point > cells_) return colour_ == 'B' ? "bottom" : "right";
    return static_cast<char>('a' + point % rules_.columns) +
           std::to_string(point / rules_.columns + 1);
  }
  void grow(const auto& step) {
    for (const int a : points_) {
      for (const int b : points_) {
        const auto& full = at(full_, a, b);
        if (a < b && (full.empty() || full[0].id != 0)) step(a, b);
      }
    }
  }
  // Keeps it unless a link that needs less is known.
  void add(std::vector<Found>& list, std::size_t most, Cells carrier, Line line,
           const std::vector<std::size_t>& cites) {
    const bool known = std::any_of(list.begin(), list.end(), [&](const Found& found) {
      return (found.carrier & ~carrier) == 0;
    });
    if (known || list.size() == most) return;
    lines_.push_back(std::move(line));
    cites_.push_back(cites);
    list.push_back({carrier, lines_.size()});
  }
  Line head(const char* kind, Cells carrier, int a, int b) const {
    return {kind, "", pattern(carrier), name(a), name(b)};
  }
  void combine(int a, int b) {
    const Cells ends = (bit(a) | bit(b)) & (bit(cells_) - 1);
    for (const int cell : points_) {
      if (cell == a || cell == b || cell >= cells_) continue;
      const bool stone = (own_ & bit(cell)) != 0;
      for (const Found first : at(full_, a, cell)) {
        for (const Found second : at(full_, cell, b)) {
          const Cells both = first.carrier | second.carrier;
          if ((first.carrier & second.carrier) != 0 || (both & (ends | bit(cell))) != 0) continue;
          const Cells carrier = both | (stone ? 0 : bit(cell));
          Line line = head("link-and", carrier, a, b);
          line.push_back(name(cell));
          add(at(stone ? full_ : semi_, a, b), stone ? kMostFull : kMostSemi, carrier, line,
              {first.id, second.id});
        }
      }
    }
  }
  // Two to four semis that have no cell in common.
  void choose(int a, int b) {
    const std::vector<Found>& semis = at(semi_, a, b);
    for (int size = 2; size <= 4; ++size) {
      for (unsigned set = 0; set < 1u << semis.size(); ++set) {
        if (__builtin_popcount(set) != size) continue;
        Cells all = 0;
        Cells common = ~Cells{0};
        std::vector<std::size_t> cites;
        for (std::size_t i = 0; i < semis.size(); ++i) {
          if ((set >> i & 1) == 0) continue;
          all |= semis[i].carrier;
          common &= semis[i].carrier;
          cites.push_back(semis[i].id);
        }
        if (common == 0) add(at(full_, a, b), kMostFull, all, head("link-or", all, a, b), cites);
      }
    }
  }

  RefHex::Rules rules_;
  char colour_;
  Cells own_;
  Cells free_;
  int cells_;
  std::vector<int> points_;
  Lists full_;
  Lists semi_;
  Sheet lines_;                                  // without what they cite
  std::vector<std::vector<std::size_t>> cites_;  // of each line
};

// The position after `moves`, as sets and as text.
struct Placed {
  Cells black = 0;
  Cells white = 0;
  std::string board;

  Placed(const RefHex::Rules& rules, const std::vector<std::string>& moves)
      : board(static_cast<std::size_t>(rules.rows * rules.columns), '.') {
    for (std::size_t i = 0; i < moves.size(); ++i) {
      const Move cell = RefHex::move_named(rules, moves[i]);
      (i % 2 == 0 ? black : white) |= bit(cell);
      board[cell] = i % 2 == 0 ? 'B' : 'W';
    }
  }
};

// The lines from `own` stones, or from fewer of them.
bool write_links(const RefHex::Rules& rules, bool black, Cells own, Cells free,
                 const LinkWish& wish, Sheet* sheet) {
  Sheet lines;
  if (!HSearch(rules, black, own, free).write(wish.more, &lines)) return false;
  for (int cell = 0; wish.fewest && cell < rules.rows * rules.columns; ++cell) {
    Sheet fewer;
    if ((own & bit(cell)) == 0) continue;
    if (!HSearch(rules, black, own & ~bit(cell), free).write(wish.more, &fewer)) continue;
    own &= ~bit(cell);
    lines = fewer;
  }
  sheet->insert(sheet->end(), lines.begin(), lines.end());
  return true;
}

}  // namespace

Sheet link_sheet(const RefHex::Rules& rules, const std::vector<std::string>& moves,
                 const LinkWish& wish) {
  const Placed root(rules, moves);
  const bool black_moves = moves.size() % 2 == 0;
  Line position = {"position"};
  position.insert(position.end(), moves.begin(), moves.end());
  Sheet sheet = {{"playproof-certificate", "3"},
                 {"game", "hex:rows=" + std::to_string(rules.rows) +
                              ",columns=" + std::to_string(rules.columns)},
                 {"rules", "1"},
                 position,
                 {"goal", "win"},
                 {"attacker", black_moves ? "first" : "second"},
                 {"claim", ">=1", "disproved"}};
  const int cells = rules.rows * rules.columns;
  const Cells free = (bit(cells) - 1) & ~(root.black | root.white);
  const Cells waits = black_moves ? root.white : root.black;
  const auto card_of = [&] { return sheet[sheet.size() - 2]; };  // `free` stands behind it
  if (write_links(rules, !black_moves, waits, free, wish, &sheet)) {
    sheet.push_back({"root", card_of()[1]});
    return sheet;
  }
  sheet[6][2] = "proved";
  const Cells moves_now = black_moves ? root.black : root.white;
  for (int cell = 0; cell < cells; ++cell) {
    if ((free & bit(cell)) == 0) continue;
    Sheet lines;
    const Cells own = moves_now | bit(cell);
    if (!write_links(rules, black_moves, own, free & ~bit(cell), wish, &lines)) continue;
    sheet.insert(sheet.end(), lines.begin(), lines.end());
    const Line card = card_of();
    const std::string id = std::to_string(std::stoull(card[1]) + 1);
    const std::string move =
        static_cast<char>('a' + cell % rules.columns) + std::to_string(cell / rules.columns + 1);
    std::string pattern = card[2];
    pattern[static_cast<std::size_t>(cell)] = '-';
    if (wish.as_card) {
      sheet.push_back({"card-one", id, pattern, move, card[1]});
    } else {
      sheet.push_back({"one", id, root.board, move, card[1]});
    }
    sheet.push_back({"root", id});
    return sheet;
  }
  return {};
}

}  // namespace playproof
