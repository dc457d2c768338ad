#include "host/solve/position.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "games/core/board_picture.h"
#include "games/core/error.h"
#include "games/core/rules_owner.h"
#include "games/core/text_tools.h"
#include "games/graph/file.h"
#include "games/list.h"

namespace playproof {
namespace {

// Does a state know how it is written? Those of P-games do not know their path.
template <class G>
concept KnowsItsText = requires(const typename G::Rules& rules, const typename G::State& state,
                                std::string* out) {
  CertificateText<G>::append(rules, state, out);
};

template <class G>
concept HasBoard = requires(const typename G::Rules& rules, const typename G::State& state) {
  GameText<G>::board(rules, state);
};

template <Game G>
std::vector<Move> legal_moves(const typename G::Rules& rules, const typename G::State& state) {
  if (G::finished(rules, state)) return {};
  Move moves[G::kMaxMoves];
  const int count = G::moves(rules, state, moves);
  return {moves, moves + count};
}

bool contains(const std::vector<Move>& moves, Move move) {
  return std::find(moves.begin(), moves.end(), move) != moves.end();
}

// The last move of a text that is a list of moves ("b2 c3", ";B[JJ];W[KI]"), with one blank between
// two words: what stands before it leads to `state` by this move. kNoMove: it is another kind of
// text.
template <Game G>
Move last_move_of(const typename G::Rules& rules, const typename G::State& state,
                  const std::string& text) {
  const auto split = [&](std::size_t end, const std::string& word) {
    const Move move = GameText<G>::parse_move(rules, word);
    if (move == kNoMove) return kNoMove;
    try {
      auto before = GameText<G>::parse(rules, text.substr(0, end));
      if (!contains(legal_moves<G>(rules, before), move)) return kNoMove;
      G::play(rules, before, move);
      return before == state ? move : kNoMove;
    } catch (const Error&) {
      return kNoMove;
    }
  };
  const std::size_t node = text.rfind(';');
  const std::size_t cell = text.rfind('[');
  if (node != std::string::npos && cell != std::string::npos && text.ends_with(']')) {
    return split(node, text.substr(cell + 1, text.size() - cell - 2));
  }
  const std::size_t word = text.rfind(' ') + 1;  // 0: one word
  return split(word, text.substr(word));
}

template <Game G>
class PositionOf final : public AnyPosition {
 public:
  PositionOf(const typename G::Rules& rules, const std::string& text)
      : owner_(rules),
        rules_(rules),
        text_(joined_words(text, ' ')),
        states_{GameText<G>::parse(rules, text)},
        last_of_text_(last_move_of<G>(rules_, state(), text_)) {}
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
  std::optional<int> max_plies_left() const override {
    if constexpr (AcyclicGame<G>) return G::max_plies_left(rules_, state());
    return std::nullopt;
  }
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
    if (move == kNoMove || !contains(moves, move)) {
      throw Error(ErrorCode::kData, game() + ": expected a legal move such as " +
                                        quoted(move_text(moves.front())) + ", not " + quoted(text));
    }
    states_.push_back(state());
    G::play(rules_, states_.back(), move);
    moves_.push_back(move);
    carrier_.clear();
    forget_proof();
  }
  void undo() override {
    if (moves_.empty()) throw Error(ErrorCode::kUsage, game() + ": there is no move to take back");
    states_.pop_back();
    moves_.pop_back();
    carrier_.clear();
    forget_proof();
  }
  std::vector<std::string> played() const override {
    std::vector<std::string> texts;
    for (const Move move : moves_) texts.push_back(move_text(move));
    return texts;
  }

  std::string last_move() const override {
    return last() == kNoMove ? std::string() : move_text(last());
  }
  void set_carrier(const std::vector<std::string>& cells) override {
    carrier_.clear();
    for (const std::string& cell : cells) carrier_.push_back(move_of(cell));
  }
  void set_threats(const std::vector<std::string>& turn,
                   const std::vector<std::pair<std::string, std::string>>& lines) override {
    forget_proof();
    for (const std::string& cell : turn) turn_.push_back(move_of(cell));
    for (const auto& [from, to] : lines) threats_.emplace_back(move_of(from), move_of(to));
  }
  std::string svg(std::string_view best, int width) const override {
    const Move best_move = move_of(best);
    const std::string title = game() + ": " + (text().empty() ? "(initial)" : text());
    const std::optional<BoardView> view = board();
    return view ? board_svg(*view, cell_of(last()), cell_of(best_move), title, width)
                : text_svg(title, width);
  }
  std::optional<BoardView> board() const override {
    if constexpr (HasBoard<G>) {
      BoardView view = GameText<G>::board(rules_, state());
      view.carrier = carrier_;
      view.turn = turn_;
      view.threats = threats_;
      return view;
    } else {
      return std::nullopt;
    }
  }
  std::string drawn(std::string_view best, const BoardStyle& style) const override {
    const Move best_move = move_of(best);
    const std::optional<BoardView> view = board();
    return view ? drawn_board(*view, cell_of(last()), cell_of(best_move), style) : std::string();
  }

 private:
  const typename G::State& state() const { return states_.back(); }
  std::string move_text(Move move) const { return GameText<G>::move_text(rules_, move); }
  Move last() const { return moves_.empty() ? last_of_text_ : moves_.back(); }
  // Where pictures mark a move: moves onto the board are cells; of a game whose moves go from one
  // cell to another GameText<G>::cell_to() is the one that they end on.
  Move cell_of(Move move) const {
    if constexpr (requires { GameText<G>::cell_to(rules_, move); }) {
      return move == kNoMove ? kNoMove : GameText<G>::cell_to(rules_, move);
    } else {
      return move;
    }
  }
  // An empty text is kNoMove.
  Move move_of(std::string_view best) const {
    if (best.empty()) return kNoMove;
    const Move move = GameText<G>::parse_move(rules_, best);
    if (move == kNoMove) {
      throw Error(ErrorCode::kUsage, game() + ": " + quoted(best) + " is no move");
    }
    return move;
  }
  void forget_proof() {
    turn_.clear();
    threats_.clear();
  }
  std::vector<Move> legal() const { return legal_moves<G>(rules_, state()); }

  [[no_unique_address]] RulesOwner<G> owner_;
  typename G::Rules rules_;
  std::string text_;  // that it was made of
  std::vector<typename G::State> states_;
  std::vector<Move> moves_;
  Move last_of_text_;
  // What a proof of the position rests on, and a turn that wins.
  std::vector<Move> carrier_;
  std::vector<Move> turn_;
  std::vector<std::pair<Move, Move>> threats_;
};

}  // namespace

std::unique_ptr<AnyPosition> make_position(const std::string& game, const std::string& text) {
  return visit_game(game,
                    [&]<class G>(const typename G::Rules& rules) -> std::unique_ptr<AnyPosition> {
                      return std::make_unique<PositionOf<G>>(rules, text);
                    });
}

std::unique_ptr<AnyPosition> make_position_on(std::string graph, const std::string& text) {
  const auto file = std::make_shared<const GraphFile>("", std::move(graph));
  return std::make_unique<PositionOf<Graph>>(file->rules(), text);
}

}  // namespace playproof
