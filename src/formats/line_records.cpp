#include "src/formats/line_records.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "games/core/spec.h"
#include "games/core/text_tools.h"
#include "src/formats/replay.h"

namespace playproof {
namespace {

std::vector<Token> words_of(std::string_view text) {
  std::vector<Token> words;
  std::size_t at = 0;
  for (Token word; next_token(text, &at, &word);) words.push_back(word);
  return words;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

Record plain(const AskedGame& asked, const std::string& line) {
  Record record;
  record.game = asked.canonical();
  const std::string_view text = line;
  const std::size_t begin = std::min(text.find_first_not_of(" \t"), text.size());
  record.position = without_trailing_space(text.substr(begin));
  return record;
}

Place at(const Place& line, std::size_t offset) { return {line.line, line.offset + offset}; }

// "+48" or "-8"; a number without a sign may be anything.
bool is_signed(std::string_view word) {
  return word.size() > 1 && (word[0] == '+' || word[0] == '-') &&
         std::all_of(word.begin() + 1, word.end(), is_digit);
}

// ---- Hex: [SIZE] cells [WINNER | VALUE] ---------------------------------------------------------

// The end of the cell that begins at `begin`: a letter and its digits.
std::size_t end_of_cell(std::string_view word, std::size_t begin) {
  std::size_t end = begin + 1;
  while (end < word.size() && is_digit(word[end])) ++end;
  return end;
}

bool is_number(std::string_view word) { return std::all_of(word.begin(), word.end(), is_digit); }
bool is_winner(std::string_view word) {
  return word == "B" || word == "W" || word == "1" || word == "-1";
}
bool is_swap(std::string_view word) { return in_lower_case(word).starts_with("swap"); }
// "b2c3": two cells or more.
bool has_several_cells(std::string_view word) {
  int cells = 0;
  for (std::size_t begin = 0; begin < word.size(); ++cells) {
    const std::size_t end = end_of_cell(word, begin);
    if (letter_index(word[begin]) < 0 || end == begin + 1) return false;
    begin = end;
  }
  return cells > 1;
}

Record hex_line(const AskedGame& asked, const std::string& line, const Place& place) {
  std::vector<Token> words = words_of(line);
  std::string winner;
  if (is_winner(words.back().text)) {
    winner = words.back().text;
    words.pop_back();
  }
  std::string game = asked.canonical();
  const bool sized = !words.empty() && is_number(words.front().text);
  const bool several = std::any_of(words.begin(), words.end(), [](const Token& w) {
    return is_swap(w.text) || has_several_cells(w.text);
  });
  if (winner.empty() && !sized && !several) return plain(asked, line);
  if (sized) {
    std::int64_t size = 0;
    const Place where = at(place, words.front().offset);
    if (!parse_integer(words.front().text, &size) || size < 2 || size > 19) {
      throw RecordError("the size must be 2..19, not " + quoted(words.front().text), where);
    }
    game = asked.on_board(static_cast<int>(size), static_cast<int>(size), where);
    words.erase(words.begin());
  } else if (!winner.empty() && asked.any_board()) {
    throw BoardError(
        "a result on a board whose size nobody says: ask for hex:size=N (in a plan: game = "
        "\"hex:size=N\"), begin the line with N, or put a line '# game: hex:size=N' before it",
        place);
  }
  Replay replay(game);
  for (const Token& word : words) {
    if (!has_several_cells(word.text)) {
      replay.play(std::nullopt, word.text, at(place, word.offset));
      continue;
    }
    for (std::size_t begin = 0; begin < word.text.size();) {
      const std::size_t end = end_of_cell(word.text, begin);
      replay.play(std::nullopt, word.text.substr(begin, end - begin),
                  at(place, word.offset + begin));
      begin = end;
    }
  }
  Record record = replay.record();
  if (winner.empty()) return record;
  record.known.emplace();
  if (winner == "B" || winner == "W") {
    const bool black = replay.to_move() == Player::kFirst;
    record.known->value = black == (winner == "B") ? 1 : -1;
  } else {
    record.known->value = winner == "1" ? 1 : -1;
  }
  return record;
}

// ---- Othello: squares SIDE [SCORE]; OBF; moves --------------------------------------------------

// "G2:+6; A4:+0;", and a comment after '%'.
Known read_obf_moves(const AnyPosition& position, std::string_view text, const Place& place) {
  Known known;
  known.score = true;
  const std::vector<std::string> legal = position.moves();
  const auto squares = static_cast<int>(position.text().size()) - 2;
  text = text.substr(0, text.find('%'));
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(';', begin), text.size());
    const std::vector<Token> words = words_of(text.substr(begin, end - begin));
    const std::size_t from = begin;
    begin = end + 1;
    if (words.empty()) continue;
    const Place where = at(place, from + words[0].offset);
    const std::size_t colon = words[0].text.find(':');
    if (words.size() > 1 || colon == std::string_view::npos) {
      throw RecordError("OBF: expected a move and its score such as G2:+6, not " +
                            quoted(text.substr(from, end - from)),
                        where);
    }
    const std::string_view name = words[0].text.substr(0, colon);
    const std::string move = is_pass(name) ? "--" : in_lower_case(name);
    if (std::find(legal.begin(), legal.end(), move) == legal.end()) {
      throw RecordError("OBF: " + quoted(name) + " is no legal move", where);
    }
    for (const auto& [known_move, score] : known.moves) {
      if (known_move == move) throw RecordError("OBF: " + quoted(name) + " stands twice", where);
    }
    const int score = read_score(words[0].text.substr(colon + 1), squares,
                                 at(place, from + words[0].offset + colon + 1));
    known.value = known.moves.empty() ? score : std::max(known.value, score);
    known.moves.emplace_back(move, score);
  }
  return known;
}

Record obf_line(const AskedGame& asked, const std::string& line, std::size_t semicolon,
                const Place& place) {
  Record record = plain(asked, std::string(without_trailing_space(line.substr(0, semicolon))));
  const std::unique_ptr<AnyPosition> position = make_position(record.game, record.position);
  record.position = position->text();
  const std::string_view text = line;
  Known known = read_obf_moves(*position, text.substr(semicolon + 1), at(place, semicolon + 1));
  if (!known.moves.empty()) record.known = std::move(known);
  return record;
}

Record othello_board(const AskedGame& asked, std::string line, const Place& place) {
  const std::vector<Token> words = words_of(line);
  const std::size_t end = words[0].offset + words[0].text.size();
  const bool points = words[0].text.find('.') != std::string_view::npos;
  const Token last = words.back();
  const bool scored = words.size() == 3 && (is_signed(last.text) || last.text == "0");
  std::replace(line.begin(), line.begin() + static_cast<std::ptrdiff_t>(end), '.', '-');
  const std::size_t semicolon = line.find(';');
  if (semicolon != std::string::npos) return obf_line(asked, line, semicolon, place);
  if (!scored && !points) return plain(asked, line);
  const std::string given = scored ? line.substr(0, last.offset) : line;
  Record record = plain(asked, given);
  record.position = make_position(record.game, given)->text();
  if (!scored) return record;
  record.known.emplace();
  record.known->score = true;
  record.known->value =
      read_score(last.text, asked.rows() * asked.columns(), at(place, last.offset));
  return record;
}

// Of a list without blanks: how long the move that begins it is.
std::size_t length_of_move(std::string_view text) {
  return in_lower_case(text.substr(0, 4)) == "pass" ? 4 : std::min<std::size_t>(2, text.size());
}

Record othello_moves(const AskedGame& asked, const std::string& line, const Place& place) {
  std::vector<Token> words = words_of(line);
  std::optional<Token> score;
  if (is_signed(words.back().text)) {
    score = words.back();
    words.pop_back();
  }
  Replay replay(asked.canonical());
  for (const Token& word : words) {
    for (std::size_t begin = 0; begin < word.text.size();) {
      const std::size_t length = length_of_move(word.text.substr(begin));
      replay.play(std::nullopt, word.text.substr(begin, length), at(place, word.offset + begin));
      begin += length;
    }
  }
  Record record = replay.record();
  if (!score) return record;
  record.known.emplace();
  record.known->score = true;
  record.known->value =
      read_score(score->text, asked.rows() * asked.columns(), at(place, score->offset));
  return record;
}

Record othello_line(const AskedGame& asked, const std::string& line, const Place& place) {
  const std::string_view first = words_of(line).front().text;
  // The squares of a board are none of the letters of columns.
  const bool moves = first.size() > 1 && letter_index(first[0]) >= 0 && is_digit(first[1]);
  return moves ? othello_moves(asked, line, place) : othello_board(asked, line, place);
}

// ---- Connect6: stones [| SIDE | TURNS | TURN ...]; ROWS COLUMNS K RESULT [NODES] ----------------

Record connect_stones(const AskedGame& asked, std::string_view stones, const Place& place) {
  const std::vector<Token> words = words_of(stones);
  const auto has_two = [](const Token& w) {
    return w.text.size() > 2 && w.text.size() % 2 == 0 &&
           std::all_of(w.text.begin(), w.text.end(), [](char c) { return letter_index(c) >= 0; });
  };
  if (words.empty() || words[0].text[0] == ';' ||
      std::none_of(words.begin(), words.end(), has_two)) {
    return plain(asked, std::string(without_trailing_space(stones)));
  }
  Replay replay(asked.canonical());
  for (const Token& word : words) {
    for (std::size_t begin = 0; begin < word.text.size(); begin += 2) {
      replay.play(std::nullopt, word.text.substr(begin, 2), at(place, word.offset + begin));
    }
  }
  return replay.record();
}

// The columns after the stones: who is to move, and wins, in how many turns, and with which one.
void check_win(const AnyPosition& position, std::string_view line, std::size_t bar,
               const Place& place) {
  for (int column = 0; column < 3 && bar != std::string_view::npos; ++column) {
    const std::size_t begin = bar + 1;
    bar = line.find('|', begin);
    const std::vector<Token> words = words_of(line.substr(begin, bar - begin));
    const std::string_view word = words.size() == 1 ? words[0].text : std::string_view();
    const Place where = at(place, begin + (words.empty() ? 0 : words[0].offset));
    const char side = position.to_move() == Player::kFirst ? 'B' : 'W';
    if (column == 0 && (word.size() != 1 || word[0] != side)) {
      throw RecordError(fmt::format("after these stones {} is to move, not {}", side, quoted(word)),
                        where);
    }
    std::int64_t turns = 0;
    if (column == 1 && (!parse_integer(word, &turns) || turns < 1 || turns > 361)) {
      throw RecordError("expected the number of turns to the win, not " + quoted(word), where);
    }
    if (column < 2) continue;
    std::unique_ptr<AnyPosition> after = position.copy();
    bool more = false;  // stones than a turn has
    try {
      for (std::size_t i = 0; i < word.size() && !more; i += 2) {
        after->play(word.substr(i, 2));
        more = i + 2 < word.size() && after->to_move() != position.to_move();
      }
    } catch (const Error& error) {
      throw RecordError(error.what(), where);
    }
    if (more || (!after->finished() && after->to_move() == position.to_move())) {
      throw RecordError("expected the stones of a turn, not " + quoted(word), where);
    }
  }
}

// The value of an empty board on which K in a row win, with two stones a turn.
Record connect_board(const AskedGame& asked, const std::string& line, const Place& place) {
  const std::vector<Token> words = words_of(line);
  constexpr std::array<const char*, 3> kNumbers = {"rows", "columns", "stones in a row that win"};
  std::array<std::int64_t, 3> numbers = {};
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (i < words.size() && is_number(words[i].text) && parse_integer(words[i].text, &numbers[i])) {
      continue;
    }
    throw RecordError(fmt::format("expected the number of {}, not {}", kNumbers[i],
                                  quoted(i < words.size() ? words[i].text : "")),
                      at(place, i < words.size() ? words[i].offset : line.size()));
  }
  Record record;
  record.game = asked.of_record(fmt::format("connect6:rows={},columns={},connect={},stones=2",
                                            numbers[0], numbers[1], numbers[2]),
                                at(place, words[0].offset));
  const std::string_view result = words.size() > 3 ? words[3].text : "";
  if (result != "black-win" && result != "white-win" && result != "draw") {
    throw RecordError("expected black-win, white-win or draw, not " + quoted(result),
                      at(place, words.size() > 3 ? words[3].offset : line.size()));
  }
  if (words.size() > 5 || (words.size() == 5 && !is_number(words[4].text))) {
    const Token& wrong = words[is_number(words[4].text) ? 5 : 4];
    throw RecordError("expected the number of nodes and no more, not " + quoted(wrong.text),
                      at(place, wrong.offset));
  }
  record.known.emplace();
  record.known->value = result == "draw" ? 0 : result == "black-win" ? 1 : -1;  // Black is to move
  return record;
}

Record connect_line(const AskedGame& asked, const std::string& line, const Place& place) {
  if (is_number(words_of(line).front().text)) return connect_board(asked, line, place);
  const std::size_t bar = line.find('|');
  const std::string_view text = line;
  Record record = connect_stones(asked, text.substr(0, bar), place);
  if (bar == std::string::npos) return record.position.empty() ? plain(asked, line) : record;
  check_win(*make_position(record.game, record.position), line, bar, place);
  record.known.emplace();
  record.known->value = 1;
  return record;
}

}  // namespace

Record read_line(const AskedGame& asked, const std::string& line, const Place& place) {
  if (line.find_first_not_of(" \t\r") == std::string::npos) return plain(asked, line);
  if (asked.name() == "hex") return hex_line(asked, line, place);
  if (asked.name() == "othello") return othello_line(asked, line, place);
  if (asked.name() == "connect6") return connect_line(asked, line, place);
  return plain(asked, line);
}

}  // namespace playproof
