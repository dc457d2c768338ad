#include "games/pgame/text.h"

#include <cstdio>

#include "games/core/spec.h"
#include "games/core/text_tools.h"

namespace playproof {

using Text = GameText<PGame>;

PGame::Rules Text::rules(const Options& options) {
  PGame::Rules rules;
  rules.tree = static_cast<std::uint64_t>(options.integer("tree"));
  rules.branching = static_cast<std::uint8_t>(options.integer("branching"));
  rules.depth = static_cast<std::uint8_t>(options.integer("depth"));
  return rules;
}

std::string Text::canonical(const PGame::Rules& rules) {
  return "pgame:branching=" + std::to_string(rules.branching) +
         ",depth=" + std::to_string(rules.depth) + ",tree=" + std::to_string(rules.tree);
}

PGame::State Text::parse(const PGame::Rules& rules, std::string_view text) {
  const std::string_view body = without_trailing_space(text);
  PGame::State state = PGame::initial(rules);
  std::size_t position = 0;
  Token token;
  while (next_token(body, &position, &token)) {
    const std::string range = "0.." + std::to_string(rules.branching - 1);
    if (PGame::finished(rules, state)) {
      bad_position("pgame",
                   "no branch can follow, the game is over after " + std::to_string(rules.depth) +
                       " plies, not " + quoted(token.text),
                   token.offset);
    }
    const Move branch = parse_move(rules, token.text);
    if (branch == kNoMove) {
      bad_position("pgame", "expected a branch number " + range + ", not " + quoted(token.text),
                   token.offset);
    }
    if (branch >= rules.branching) {
      bad_position("pgame", "branch must be " + range + ", not " + quoted(token.text),
                   token.offset);
    }
    PGame::play(rules, state, branch);
  }
  return state;
}

// The path is not in the state, so this describes the node and is not read back.
std::string Text::format(const PGame::Rules&, const PGame::State& state) {
  char hash[17];
  std::snprintf(hash, sizeof hash, "%016llx", static_cast<unsigned long long>(state.hash));
  return "node " + std::string(hash) + " at ply " + std::to_string(state.ply) + ", sum " +
         std::to_string(state.sum);
}

std::string Text::move_text(const PGame::Rules&, Move move) { return std::to_string(move); }

Move Text::parse_move(const PGame::Rules&, std::string_view text) {
  std::int64_t branch = 0;
  if (!parse_integer(text, &branch) || branch < 0 || branch >= kNoMove) return kNoMove;
  return static_cast<Move>(branch);
}

}  // namespace playproof
