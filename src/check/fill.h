// The rules of proof for cells that are filled in (docs/certificate.md, "Filled cells"): sets of
// free cells that are as good as the prover's, by trying everything there. Beside what cards need
// of a game's reference rules they need to know which points touch.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "games/core/reference_text.h"
#include "src/check/counts.h"
#include "src/check/reader.h"

namespace playproof::check {

template <class R>
concept HasFill = requires(const typename R::Rules& rules) {
  { R::touch(rules, R::letter(Player::kFirst), 0, 1) } -> std::same_as<bool>;
};

// A pattern as a position: the prover's letter, '-' for free cells, '.' for the opponent's, who has
// all that does not matter.
template <HasFill R>
class Fill {
 public:
  using State = typename R::State;
  using Rules = typename R::Rules;

  Fill(const Rules& rules, char own, SearchBudget& budget)
      : rules_(rules), own_(own), budget_(budget) {}

  // Puts stones of the prover on the cells of a word such as "a1+b1", which must be as good as his.
  void fill(State& pattern, std::string_view word) const {
    std::vector<Move> cells;
    for (std::size_t from = 0; from <= word.size();) {
      const std::size_t end = std::min(word.find('+', from), word.size());
      const Move cell = R::move_named(rules_, word.substr(from, end - from));
      const bool twice = std::find(cells.begin(), cells.end(), cell) != cells.end();
      if (cell == kNoMove || pattern.cells[cell] != '-' || twice) {
        reject("what is filled must be '-' of the pattern, not " + shown(word));
      }
      cells.push_back(cell);
      from = end + 1;
    }
    if (cells.size() > kMostCells) {
      reject("more than " + std::to_string(kMostCells) + " cells are filled at a time");
    }
    if (!becomes_his(pattern, cells)) reject("not all is captured of " + shown(word));
    for (const Move cell : cells) pattern.cells[cell] = own_;
  }

 private:
  static constexpr std::size_t kMostCells = 6;

  // Are these cells as good as the prover's? They are free, or the opponent has just played there.
  // What is dead is anybody's; each move of the opponent to one that is not must have an answer
  // after which this is so of all the rest.
  bool becomes_his(State position, std::vector<Move> cells) const {
    for (std::size_t i = 0; i < cells.size();) {
      if (is_dead(position, cells[i])) {
        position.cells[cells[i]] = own_;
        cells.erase(cells.begin() + static_cast<std::ptrdiff_t>(i));
        i = 0;
      } else {
        ++i;
      }
    }
    bool any = cells.empty();
    for (const Move cell : cells) {
      if (position.cells[cell] != '-') continue;
      any = true;
      if (!has_answer(position, cells, cell)) return false;
    }
    return any;
  }
  bool has_answer(const State& position, const std::vector<Move>& cells, Move cell) const {
    for (const Move answer : cells) {
      if (answer == cell || position.cells[answer] != '-') continue;
      State next = position;
      next.cells[cell] = '.';
      next.cells[answer] = own_;
      std::vector<Move> rest = cells;
      std::erase(rest, answer);
      if (becomes_his(next, rest)) return true;
    }
    return false;
  }
  // Whatever becomes of the free cells that touch it: do the prover's points that touch it hang
  // together without it? Then no way of his needs it.
  bool is_dead(const State& position, Move cell) const {
    const int cells = static_cast<int>(position.cells.size());
    std::vector<int> free;
    std::vector<int> own;
    for (int point = 0; point < cells + 2; ++point) {  // the last two are his edges
      if (point == cell || !R::touch(rules_, own_, cell, point)) continue;
      const char there = point < cells ? position.cells[static_cast<std::size_t>(point)] : own_;
      if (there == own_) own.push_back(point);
      if (there == '-') free.push_back(point);
    }
    for (std::size_t filling = 0; filling < std::size_t{1} << free.size(); ++filling) {
      budget_.spend();
      std::vector<int> his = own;
      for (std::size_t i = 0; i < free.size(); ++i) {
        if ((filling >> i & 1) != 0) his.push_back(free[i]);
      }
      if (!hang_together(his)) return false;
    }
    return true;
  }
  bool hang_together(std::vector<int> points) const {
    if (points.empty()) return true;
    std::vector<int> waiting = {points.back()};
    points.pop_back();
    while (!waiting.empty()) {
      const int from = waiting.back();
      waiting.pop_back();
      for (std::size_t i = points.size(); i-- > 0;) {
        if (!R::touch(rules_, own_, from, points[i])) continue;
        waiting.push_back(points[i]);
        points.erase(points.begin() + static_cast<std::ptrdiff_t>(i));
      }
    }
    return points.empty();
  }

  const Rules& rules_;
  char own_;
  SearchBudget& budget_;
};

}  // namespace playproof::check
