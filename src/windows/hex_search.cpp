#include "src/windows/hex_search.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <exception>
#include <string_view>
#include <vector>

#include "games/core/error.h"
#include "host/solve/position.h"
#include "src/io/internal_error.h"
#include "src/io/quantities.h"

namespace playproof {
namespace {

// A proof number; what is beyond numbers is "inf".
std::string number_text(double value) {
  return std::isfinite(value) && value < 1e18 ? fmt::format("{:.4g}", value) : "inf";
}

std::optional<double> number_named(const NodeRow& node, std::string_view name) {
  for (const auto& [own, value] : node.numbers) {
    if (own == name) return value;
  }
  return std::nullopt;
}

// "pn=12 dn=30"
std::string numbers_text(const NodeRow& node) {
  std::vector<std::string> texts;
  for (const auto& [name, value] : node.numbers) {
    texts.push_back(fmt::format("{}={}", name, number_text(value)));
  }
  return fmt::format("{}", fmt::join(texts, " "));
}

}  // namespace

std::string cell_shown(const std::string& cell, const SetUp& at) {
  return at.mirrored ? mirrored_cell(cell) : cell;
}

void HexSearch::begin(const HexBoard& board, std::optional<Player> player) {
  begin(board.game(), board.position(player));
}

void HexSearch::go_on(const HexBoard& board, std::optional<Player> player) {
  const SetUp at = board.position(player);
  const bool same = search_ && asked_.position == at.position && asked_.mirrored == at.mirrored;
  if (!same) begin(board.game(), at);
}

void HexSearch::begin(const std::string& game, const SetUp& at) {
  forget();
  const Player to_move = make_position(game, at.position)->to_move();
  asked_ = at;
  asker_ = at.mirrored ? opponent(to_move) : to_move;
  search_.emplace(options_, game, at.position, "win");
}

void HexSearch::forget() {
  search_.reset();
  trouble_.clear();
}

bool HexSearch::work(const std::function<bool()>& stopped) {
  if (!search_) return false;
  try {
    return search_->run(stopped);
  } catch (const Error& error) {
    trouble_ = error.what();
  } catch (const std::exception& error) {
    trouble_ = internal_error(error).what();
  }
  search_.reset();
  return false;
}

const IdleSearch& HexSearch::search() const {
  if (search_) return *search_;
  throw Error(ErrorCode::kData,
              trouble_.empty() ? "nothing is being solved: playproof-solve begins" : trouble_);
}

Player HexSearch::asker() const {
  search();
  return asker_;
}

void HexSearch::check_asker(std::optional<Player> player) const {
  if (!player || *player == asker()) return;
  throw Error(ErrorCode::kData,
              fmt::format("what is being solved is whether {} wins", player_name(asker_)));
}

std::string HexSearch::algorithm() const { return search().solver().algorithm_in_effect(); }

std::optional<Player> HexSearch::winner() const {
  if (!search().decided()) return std::nullopt;
  const bool wins = search().solver().result().verdict == Verdict::kProved;
  return wins ? asker_ : opponent(asker_);
}

std::string HexSearch::status() const {
  const SolveResult result = search().solver().result();
  std::string text;
  if (const std::optional<Player> winner = this->winner()) {
    text = fmt::format("proven: {} wins", player_name(*winner));
    if (result.best_move) text += ", with " + shown(*result.best_move);
  } else {
    text = search().running() ? "not known yet"
                              : fmt::format("not known: out of {}", to_string(search().reason()));
    if (result.best_move) text += fmt::format(", {} looks best", shown(*result.best_move));
    const std::vector<NodeRow> rows = search().rows();
    if (!rows.empty() && !rows[0].numbers.empty()) text += "; " + numbers_text(rows[0]);
  }
  return text + fmt::format("; {}, {:.1f} s", counted(result.counters.iterations, "iteration"),
                            result.seconds);
}

std::string HexSearch::line() const {
  std::vector<std::string> cells;
  for (const std::string& cell : search().solver().result().principal_variation) {
    cells.push_back(shown(cell));
  }
  return fmt::format("{}", fmt::join(cells, " "));
}

std::string HexSearch::zone() const {
  const SolveResult result = search().solver().result();
  if (result.zone.empty()) throw Error(ErrorCode::kData, "nothing is proven that has a zone");
  std::vector<std::string> cells;
  for (const std::string& cell : result.zone) cells.push_back(shown(cell));
  return fmt::format("{}", fmt::join(cells, " "));
}

std::string HexSearch::proof_numbers() const {
  std::vector<std::string> pairs;
  for (const NodeRow& node : search().rows()) {
    if (node.depth != 1) continue;
    std::string value;
    for (const auto& [name, number] : node.numbers) {
      value += (value.empty() ? "" : "/") + number_text(number);
    }
    if (node.verdict == Verdict::kProved) value = "win";
    if (node.verdict == Verdict::kDisproved) value = "loss";
    if (!value.empty()) pairs.push_back(shown(node.move) + ' ' + value);
  }
  return fmt::format("{}", fmt::join(pairs, " "));
}

std::string HexSearch::bounds() const {
  return bounds_as([](const std::string& pn, const std::string& dn) { return dn + ':' + pn; });
}

std::string HexSearch::bounds_as(const PairForm& pair) const {
  std::vector<std::string> pairs;
  // A root that is decided by itself may have no rows below it.
  const SolveResult result = search().solver().result();
  const std::string best =
      result.verdict == Verdict::kProved ? result.best_move.value_or("") : std::string();
  if (!best.empty()) pairs.push_back(shown(best) + " W");
  for (const NodeRow& node : search().rows()) {
    if (node.depth != 1 || node.move == best) continue;
    const std::optional<double> pn = number_named(node, "pn");
    const std::optional<double> dn = number_named(node, "dn");
    std::string bounds;
    if (pn && dn) bounds = pair(number_text(*pn), number_text(*dn));
    if (node.verdict == Verdict::kProved) bounds = "W";
    if (node.verdict == Verdict::kDisproved) bounds = "L";
    if (!bounds.empty()) pairs.push_back(shown(node.move) + ' ' + bounds);
  }
  return fmt::format("{}", fmt::join(pairs, " "));
}

std::string HexSearch::picture() const {
  std::string text = "gogui-gfx:\ndfpn\nVAR";
  char stone = asker() == Player::kFirst ? 'B' : 'W';
  for (const std::string& cell : search().solver().result().principal_variation) {
    text += fmt::format(" {} {}", stone, shown(cell));
    stone = stone == 'B' ? 'W' : 'B';
  }
  // HexGui begins another row of a cell's text where there is an '@'.
  const std::string bounds =
      bounds_as([](const std::string& pn, const std::string& dn) { return pn + "@@" + dn; });
  return text + fmt::format("\nLABEL {}\nTEXT {}\n\n", bounds, status());
}

}  // namespace playproof
