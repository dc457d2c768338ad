#include "src/view/search_document.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "src/io/checkpoint.h"
#include "src/io/machine.h"
#include "src/io/solve_result.h"
#include "src/view/board_json.h"

namespace playproof {
namespace {

// The number by which the side to move prefers a move: the attacker, then the other side. `more`:
// the greater, the better.
struct Preference {
  const char* attackers;
  bool attackers_more;
  const char* others;
  bool others_more;
  const char* words;
};
constexpr std::array kPreferences = {
    Preference{"pn", false, "dn", false,
               "the least pn where the attacker moves, the least dn elsewhere"},
    Preference{"work_to_win", false, "work_to_lose", false,
               "the least work_to_win where the attacker moves, the least work_to_lose elsewhere"},
    Preference{"p", true, "p", false,
               "the greatest p where the attacker moves, the least elsewhere"},
    Preference{"visits", true, "visits", true, "the most visits"},
};

std::optional<double> number_of(const NodeRow& row, std::string_view name) {
  for (const auto& [key, value] : row.numbers) {
    if (key == name) return value;
  }
  return std::nullopt;
}

// JSON has no infinity.
Json number_json(std::optional<double> number) {
  if (!number || std::isnan(*number)) return nullptr;
  if (std::isinf(*number)) return *number > 0 ? "inf" : "-inf";
  return *number;
}

// What is decided for the side to move comes first, what is decided against it last.
int rank(const NodeRow& row, bool attackers) {
  if (row.verdict == Verdict::kUnknown) return 1;
  return (row.verdict == Verdict::kProved) == attackers ? 0 : 2;
}

}  // namespace

SearchDocument::SearchDocument(const std::string& path, std::string name, std::uint64_t max_memory)
    : name_(std::move(name)) {
  request_.limits.max_memory = max_memory;
  request_.threads = all_cores();
  solver_ = load_to_look(path, &request_);
  start_ = make_position(solver_->game(), request_.position);
  NodeLook look;
  look.depth = 1 << 20;
  look.most = kMostLooked + 1;  // the last one tells where reading stopped
  rows_ = solver_->nodes(look);
  if (rows_.size() > kMostLooked) {
    whole_depth_ = rows_.back().depth - 1;
    unread_from_ = rows_.back().parent;
    rows_.pop_back();
  }
  children_.resize(rows_.size());
  for (std::size_t i = 1; i < rows_.size(); ++i) {
    children_[rows_[i].parent].push_back(static_cast<std::uint32_t>(i));
  }
  for (const NodeRow& row : rows_) {
    for (const auto& [key, value] : row.numbers) {
      if (std::find(numbers_.begin(), numbers_.end(), key) == numbers_.end()) {
        numbers_.emplace_back(key);
      }
    }
  }
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    std::stable_sort(children_[i].begin(), children_[i].end(),
                     [&](std::uint32_t a, std::uint32_t b) {
                       return preferred(rows_[a], rows_[b], rows_[i].attackers);
                     });
  }
}

bool SearchDocument::preferred(const NodeRow& a, const NodeRow& b, bool attackers) const {
  if (const int difference = rank(a, attackers) - rank(b, attackers); difference != 0) {
    return difference < 0;
  }
  for (const Preference& by : kPreferences) {
    const char* name = attackers ? by.attackers : by.others;
    const auto first = number_of(a, name);
    const auto second = number_of(b, name);
    if (!first || !second) {
      if (first || second) return first.has_value();
      continue;
    }
    if (*first == *second) continue;
    return (*first > *second) == (attackers ? by.attackers_more : by.others_more);
  }
  return false;
}

std::unique_ptr<AnyPosition> SearchDocument::position_of(std::uint64_t number) const {
  std::vector<std::size_t> path;
  for (std::size_t at = number; at != 0; at = rows_[at].parent) path.push_back(at);
  auto position = start_->copy();
  std::reverse(path.begin(), path.end());
  for (const std::size_t at : path) position->play(rows_[at].move);
  return position;
}

// Number, verdict, bounds, then the numbers by name.
Json SearchDocument::row_json(std::uint64_t number) const {
  const NodeRow& row = rows_[number];
  Json out = {number, to_string(row.verdict), row.lower, row.upper};
  for (const std::string& name : numbers_) out.push_back(number_json(number_of(row, name)));
  return out;
}

std::optional<std::string> SearchDocument::node(std::uint64_t number) const {
  if (number >= rows_.size()) return std::nullopt;
  const auto position = position_of(number);
  Json children = Json::array();
  for (const std::uint32_t child : children_[number]) {
    children.push_back({rows_[child].move, row_json(child)});
  }
  const std::string cells = cells_of(*position);
  return json_for_page(Json{number, 0, "search", cells.empty() ? position->text() : cells,
                            position->to_move() == Player::kFirst, position->finished(),
                            rows_[number].expanded, children});
}

std::vector<std::uint64_t> SearchDocument::below(std::uint64_t number) const {
  if (number >= rows_.size()) return {};
  return {children_[number].begin(), children_[number].end()};
}

Json SearchDocument::head() const {
  const char* words = "the order of moves";
  for (const Preference& by : kPreferences) {
    if (std::find(numbers_.begin(), numbers_.end(), by.attackers) != numbers_.end()) {
      words = by.words;
      break;
    }
  }
  const SolveResult result = solver_->result();
  return {{"kind", "search"},
          {"file", name_},
          {"game", solver_->game()},
          {"position", request_.position},
          {"goal", solver_->goal()},
          {"attacker", start_->to_move() == Player::kFirst ? "first" : "second"},
          {"algorithm", solver_->algorithm_in_effect()},
          {"seed", request_.seed},
          {"verdict", verdict_text(make_answer(*solver_, request_, result.reason))},
          {"best_move", result.best_move ? Json(*result.best_move) : Json()},
          {"iterations", result.counters.iterations},
          {"nodes_created", result.counters.nodes_created},
          {"version", version_text()},
          {"players", players_json(*start_)},
          {"board", board_json(*start_)},
          {"start", {{"cells", cells_of(*start_)}, {"first", start_->to_move() == Player::kFirst}}},
          {"read", rows_.size()},
          {"unread_from", unread_from_ ? Json(*unread_from_) : Json()},
          {"numbers", numbers_},
          {"preference", words},
          {"root", row_json(0)}};
}

}  // namespace playproof
