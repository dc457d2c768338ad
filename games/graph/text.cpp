#include "games/graph/text.h"

#include "games/core/spec.h"
#include "games/core/text_tools.h"

namespace playproof {

using Text = GameText<Graph>;

Graph::Rules Text::rules(const Options& options) {
  return GraphFile::open(options.given("file") ? options.text("file") : "")->rules();
}

std::shared_ptr<const void> Text::keep(const Graph::Rules& rules) { return GraphFile::keep(rules); }

std::string Text::canonical(const Graph::Rules& rules) {
  const std::string& name = rules.file->name();
  return name.empty() ? "graph" : "graph:file=" + name;
}

Graph::State Text::parse(const Graph::Rules& rules, std::string_view text) {
  const std::string_view body = without_trailing_space(text);
  std::size_t position = 0;
  Token token;
  if (!next_token(body, &position, &token)) return Graph::initial(rules);
  const auto node = rules.file->find(token.text);
  if (!node) {
    bad_position("graph", "there is no node " + quoted(token.text), token.offset);
  }
  if (next_token(body, &position, &token)) {
    bad_position("graph", "one node is a position, nothing can follow: " + quoted(token.text),
                 token.offset);
  }
  return {*node};
}

std::string Text::format(const Graph::Rules& rules, const Graph::State& state) {
  return std::string(rules.file->node_name(state.node));
}

std::string Text::move_text(const Graph::Rules&, Move move) { return std::to_string(move + 1); }

Move Text::parse_move(const Graph::Rules&, std::string_view text) {
  std::int64_t number = 0;
  if (!parse_integer(text, &number) || number < 1 || number > Graph::kMaxMoves) return kNoMove;
  return static_cast<Move>(number - 1);
}

}  // namespace playproof
