#include "games/nim/text.h"

#include <algorithm>
#include <cstdint>

#include "games/core/error.h"
#include "games/core/spec.h"
#include "games/core/text_tools.h"

namespace playproof {
namespace {

constexpr std::string_view kGame = "nim";

std::string heaps_text(const std::uint8_t* sizes, int heaps) {
  std::string text;
  for (int heap = 0; heap < heaps; ++heap) {
    if (heap > 0) text += '.';
    text += std::to_string(sizes[heap]);
  }
  return text;
}

}  // namespace

using Text = GameText<Nim>;

Nim::Rules Text::rules(const Options& options) {
  const std::string_view text = options.text("heaps");
  Nim::Rules rules;
  rules.heaps = 0;
  std::fill(rules.sizes, rules.sizes + Nim::kMaxHeaps, std::uint8_t{0});
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('.', begin), text.size());
    std::int64_t size = 0;
    const bool number = parse_integer(text.substr(begin, end - begin), &size);
    if (!number || size < 1 || size > Nim::kMaxHeap || rules.heaps == Nim::kMaxHeaps) {
      throw Error(ErrorCode::kUsage,
                  "nim: heaps must be 1..8 numbers 1..15 with dots between them, as 3.4.5, not '" +
                      std::string(text) + "'");
    }
    rules.sizes[rules.heaps++] = static_cast<std::uint8_t>(size);
    begin = end + 1;
  }
  return rules;
}

std::string Text::canonical(const Nim::Rules& rules) {
  return "nim:heaps=" + heaps_text(rules.sizes, rules.heaps);
}

Nim::State Text::parse(const Nim::Rules& rules, std::string_view text) {
  const std::string_view body = without_trailing_space(text);
  Nim::State state = Nim::initial(rules);
  std::size_t position = 0;
  Token token;
  while (next_token(body, &position, &token)) {
    const Move move = parse_move(rules, token.text);
    if (move == kNoMove) {
      bad_position(
          kGame,
          "expected a move such as b2, two objects of the second heap, not " + quoted(token.text),
          token.offset);
    }
    if (Nim::finished(rules, state)) {
      bad_position(kGame,
                   "no move can follow, the game is over when every heap is empty, not " +
                       quoted(token.text),
                   token.offset);
    }
    const int left = state.sizes[Nim::heap_of(move)];
    if (Nim::count_of(move) > left) {
      bad_position(kGame,
                   quoted(token.text) + " takes more than the " + std::to_string(left) +
                       " objects that are left of this heap",
                   token.offset);
    }
    Nim::play(rules, state, move);
  }
  return state;
}

// What was taken from each heap at once, in as many moves as the side to move says: one move more
// if the number of moves would be of the wrong parity.
std::string Text::format(const Nim::Rules& rules, const Nim::State& state) {
  std::string text;
  int plies = 0;
  for (int heap = 0; heap < rules.heaps; ++heap) plies += state.sizes[heap] < rules.sizes[heap];
  bool one_more = plies % 2 != state.to_move;
  for (int heap = 0; heap < rules.heaps; ++heap) {
    int taken = rules.sizes[heap] - state.sizes[heap];
    while (taken > 0) {
      const int count = one_more && taken > 1 ? 1 : taken;
      if (count < taken) one_more = false;
      if (!text.empty()) text += ' ';
      text += move_text(rules, Nim::take(heap, count));
      taken -= count;
    }
  }
  return text;
}

std::string Text::move_text(const Nim::Rules&, Move move) {
  return static_cast<char>('a' + Nim::heap_of(move)) + std::to_string(Nim::count_of(move));
}

Move Text::parse_move(const Nim::Rules& rules, std::string_view text) {
  std::int64_t count = 0;
  if (text.size() < 2 || !parse_integer(text.substr(1), &count)) return kNoMove;
  const int heap = letter_index(text[0]);
  if (heap < 0 || heap >= rules.heaps || count < 1 || count > Nim::kMaxHeap) return kNoMove;
  return Nim::take(heap, static_cast<int>(count));
}

void CertificateText<Nim>::append(const Nim::Rules& rules, const Nim::State& s, std::string* out) {
  *out += heaps_text(s.sizes, rules.heaps) + (s.to_move == 0 ? ":1" : ":2");
}

}  // namespace playproof
