#include "host/solve/position.h"

#include <algorithm>
#include <utility>

#include "games/core/board_picture.h"
#include "games/core/error.h"
#include "games/core/text_tools.h"
#include "games/list.h"

namespace playproof {
namespace {

// Does a state know how it is written? Those of P-games do not know their path.
template <class G>
concept KnowsItsText = requires(const typename G::Rules& rules, const typename G::State& state,
                                std::string* out) {
  CertificateText<G>::append(rules, state, out);
};

template <Game G>
class PositionOf final : public AnyPosition {
 public:
  PositionOf(const typename G::Rules& rules, const std::string& text)
      : rules_(rules), text_(joined_words(text, ' ')) {
    states_.push_back(GameText<G>::parse(rules, text));
  }
  std::unique_ptr<AnyPosition> copy() const override { return std::make_unique<PositionOf>(*this); }

  std::string game() const override { return GameText<G>::canonical(rules_); }
  std::string text() const override {
    if constexpr (KnowsItsText<G>) {
      return GameText<G>::format(rules_, state());
    } else {
      std::string path = text_;
      for (const std::string& move : played()) path += (path.empty() ? "" : " ") + move;
      return path;
    }
  }
  Player to_move() const override { return G::to_move(rules_, state()); }
  bool finished() const override { return G::finished(rules_, state()); }
  int value() const override {
    if (!finished()) {
      throw Error(ErrorCode::kUsage, game() + ": the game is not over, so it has no value yet");
    }
    return G::value(rules_, state());
  }
  std::vector<std::string> moves() const override {
    std::vector<std::string> texts;
    for (const Move move : legal()) texts.push_back(move_text(move));
    return texts;
  }
  int max_plies_left() const override { return G::max_plies_left(rules_, state()); }
  std::uint64_t key() const override { return G::key(rules_, state()); }
  bool same(const AnyPosition& other) const override {
    const auto* of_type = dynamic_cast<const PositionOf*>(&other);
    return of_type != nullptr && game() == of_type->game() && state() == of_type->state();
  }

  void play(std::string_view text) override {
    if (finished()) {
      throw Error(ErrorCode::kData,
                  game() + ": no move can follow, the game is over, not " + quoted(text));
    }
    const Move move = GameText<G>::parse_move(rules_, text);
    const std::vector<Move> moves = legal();
    if (move == kNoMove || std::find(moves.begin(), moves.end(), move) == moves.end()) {
      throw Error(ErrorCode::kData, game() + ": expected a legal move such as " +
                                        quoted(move_text(moves.front())) + ", not " + quoted(text));
    }
    states_.push_back(state());
    G::play(rules_, states_.back(), move);
    moves_.push_back(move);
  }
  void undo() override {
    if (moves_.empty()) throw Error(ErrorCode::kUsage, game() + ": there is no move to take back");
    states_.pop_back();
    moves_.pop_back();
  }
  std::vector<std::string> played() const override {
    std::vector<std::string> texts;
    for (const Move move : moves_) texts.push_back(move_text(move));
    return texts;
  }

  std::string svg(std::string_view best, int width) const override {
    Move best_move = kNoMove;
    if (!best.empty()) {
      best_move = GameText<G>::parse_move(rules_, best);
      if (best_move == kNoMove) {
        throw Error(ErrorCode::kUsage, game() + ": " + quoted(best) + " is no move");
      }
    }
    const std::string title = game() + ": " + (text().empty() ? "(initial)" : text());
    const std::optional<BoardView> view = board();
    if (!view) return text_svg(title, width);
    return board_svg(*view, moves_.empty() ? kNoMove : moves_.back(), best_move, title, width);
  }
  std::optional<BoardView> board() const override {
    if constexpr (requires { GameText<G>::board(rules_, state()); }) {
      return GameText<G>::board(rules_, state());
    } else {
      return std::nullopt;
    }
  }

 private:
  const typename G::State& state() const { return states_.back(); }
  std::string move_text(Move move) const { return GameText<G>::move_text(rules_, move); }
  std::vector<Move> legal() const {
    if (finished()) return {};
    Move moves[G::kMaxMoves];
    const int count = G::moves(rules_, state(), moves);
    return {moves, moves + count};
  }

  typename G::Rules rules_;
  std::string text_;  // that it was made of
  std::vector<typename G::State> states_;
  std::vector<Move> moves_;
};

}  // namespace

std::unique_ptr<AnyPosition> make_position(const std::string& game, const std::string& text) {
  return visit_game(game,
                    [&]<class G>(const typename G::Rules& rules) -> std::unique_ptr<AnyPosition> {
                      return std::make_unique<PositionOf<G>>(rules, text);
                    });
}

}  // namespace playproof
