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
#include "src/formats/hex_game.h"
#include "src/formats/othello_board.h"
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

// ---- HexWorld: [https://hexworld.org/board/#]SIZE[MARKS],MOVES[,MOVES] --------------------------

// Where the moves of a line of HexWorld begin, or nowhere: "11c1,a10b4" has a comma in its first
// word, which begins with a number. An address may stand before it.
std::string_view hexworld_of(std::string_view word) {
  const std::size_t fragment = word.rfind('#');
  if (word.find("hexworld.org/board/") != std::string_view::npos) {
    return fragment == std::string_view::npos ? std::string_view() : word.substr(fragment + 1);
  }
  const bool plain = !word.empty() && is_digit(word[0]) && word.find(',') != std::string_view::npos;
  return plain ? word : std::string_view();
}

// Only those of the marks behind the size are known that turn the picture: "11r9c1", "11nc1".
Record hexworld_line(const AskedGame& asked, std::string_view text, const Place& place) {
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  const std::size_t comma = std::min(text.find(','), text.size());
  std::int64_t size = 0;
  if (!parse_integer(text.substr(0, digits), &size) || size < 2 || size > 19) {
    throw RecordError("the size must be 2..19, not " + quoted(text.substr(0, digits)), place);
  }
  if (digits < text.size() && text[digits] == 'x') {
    throw RecordError("of HexWorld only boards with equal sides are read", at(place, digits));
  }
  const auto board = static_cast<int>(size);
  HexGame game(asked.on_board(board, board, place));
  // What follows another comma is not on the board that the address shows.
  for (std::size_t begin = comma + 1; begin < text.size() && text[begin] != ',';) {
    const bool special = text[begin] == ':';
    const std::size_t end = special ? std::min(begin + 2, text.size()) : end_of_cell(text, begin);
    const std::string_view word = text.substr(begin, end - begin);
    const Place where = at(place, begin);
    begin = end;
    if (word == ":r" || word == ":f") break;  // resigned, forfeited: who is said after it
    if (word == ":s") {
      game.swap(std::nullopt, "swap-pieces", Swap::kPieces, where);
    } else {
      game.play(std::nullopt, word == ":p" ? "pass" : word, where);
    }
  }
  return game.record();
}

Record hex_line(const AskedGame& asked, const std::string& line, const Place& place) {
  std::vector<Token> words = words_of(line);
  const std::string_view hexworld = hexworld_of(words.front().text);
  if (!hexworld.empty() && words.size() == 1) {
    return hexworld_line(asked, hexworld,
                         at(place, static_cast<std::size_t>(hexworld.data() - line.data())));
  }
  std::string winner;
  if (is_winner(words.back().text)) {
    winner = words.back().text;
    words.pop_back();
  }
  std::string game = asked.canonical();
  const bool sized = !words.empty() && is_number(words.front().text);
  const bool several = std::any_of(words.begin(), words.end(), [](const Token& w) {
    return is_swap(w.text) || in_lower_case(w.text) == "pass" || has_several_cells(w.text);
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
  HexGame replay(game);
  for (const Token& word : words) {
    const Place where = at(place, word.offset);
    if (is_swap(word.text)) {
      replay.swap(std::nullopt, word.text, swap_of(word.text), where);
      continue;
    }
    if (word.text == ":B" || word.text == ":W") {
      replay.turn(word.text == ":B" ? Player::kFirst : Player::kSecond, where);
      continue;
    }
    if (!has_several_cells(word.text)) {
      replay.play(std::nullopt, word.text, where);
      continue;
    }
    for (std::size_t begin = 0; begin < word.text.size();) {
      const std::size_t end = end_of_cell(word.text, begin);
      replay.play(std::nullopt, word.text.substr(begin, end - begin), at(where, begin));
      begin = end;
    }
  }
  Record record = replay.record();
  if (winner.empty()) return record;
  record.known.emplace();
  if (winner == "B" || winner == "W") {
    const Player mover = make_position(record.game, record.position)->to_move();
    const Player named = record.names ? record.names->player(mover) : mover;
    record.known->value = (named == Player::kFirst) == (winner == "B") ? 1 : -1;
  } else {
    record.known->value = winner == "1" ? 1 : -1;
  }
  return record;
}

// ---- Othello: squares SIDE [SCORE]; OBF; moves --------------------------------------------------

// A field of OBF: "G2:+6", or of a position whose score alone is known "+6". What is neither says
// nothing of a score: programs have other fields, and "--:-127" where there is no move.
struct ObfField {
  std::string_view move;  // empty: there is none
  std::optional<Token> score;
};

bool is_square(std::string_view word) {
  return word.size() == 2 && letter_index(word[0]) >= 0 && is_digit(word[1]);
}

ObfField obf_field(std::string_view field, const Place& place) {
  const std::vector<Token> words = words_of(field);
  const std::string_view first = words[0].text;
  if (words.size() == 1 && is_signed(first)) return {{}, words[0]};
  const std::size_t colon = field.find(':');
  const std::vector<Token> names = words_of(field.substr(0, colon));
  const bool begins_with_square = is_square(first.substr(0, 2));
  const bool of_move = names.size() == 1 && (is_square(names[0].text) || is_pass(names[0].text));
  if (of_move && colon != std::string_view::npos) {
    const std::vector<Token> values = words_of(field.substr(colon + 1));
    if (values.size() == 1) {
      return {names[0].text, Token{values[0].text, colon + 1 + values[0].offset}};
    }
  }
  // A slip in what was meant as a move is no other field.
  const bool other = !begins_with_square && !is_digit(first[0]) && first[0] != '+' &&
                     first[0] != '-' && !(names.size() == 1 && is_pass(names[0].text));
  if (other) return {};
  throw RecordError("OBF: expected a move and its score such as G2:+6, not " + quoted(field),
                    at(place, words[0].offset));
}

// Is it the mark of a position without moves, no score? No score is so great.
bool is_no_score(const Token& score, int squares) {
  std::int64_t number = 0;
  const std::string_view text = score.text;
  return text.starts_with('-') && parse_integer(text.substr(1), &number) && number > squares;
}

// "G2:+6; A4:+0;".
Known read_obf_fields(const AnyPosition& position, std::string_view text, const Place& place) {
  Known known;
  const std::vector<std::string> legal = position.moves();
  const auto squares = static_cast<int>(position.text().size()) - 2;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(';', begin), text.size());
    const std::string_view whole = text.substr(begin, end - begin);
    const Place where = at(place, begin);
    begin = end + 1;
    if (words_of(whole).empty()) continue;
    const ObfField field = obf_field(whole, where);
    if (!field.score) continue;
    const std::string move = is_pass(field.move) ? "--" : in_lower_case(field.move);
    const bool is_legal = std::find(legal.begin(), legal.end(), move) != legal.end();
    const bool no_move = field.move == "--" && !is_legal;
    if (no_move || (move == "--" && is_no_score(*field.score, squares))) continue;
    const Place of_name = at(where, words_of(whole)[0].offset);
    if (!move.empty() && !is_legal) {
      throw RecordError("OBF: " + quoted(field.move) + " is no legal move", of_name);
    }
    for (const auto& [known_move, score] : known.moves) {
      if (known_move == move) {
        throw RecordError("OBF: " + quoted(field.move) + " stands twice", of_name);
      }
    }
    const int score = read_score(field.score->text, squares, at(where, field.score->offset));
    known.value = known.score ? std::max(known.value, score) : score;
    known.score = true;
    if (!move.empty()) known.moves.emplace_back(move, score);
  }
  return known;
}

Known known_score(const Token& score, int size, const Place& place) {
  Known known;
  known.score = true;
  known.value = read_score(score.text, size * size, at(place, score.offset));
  return known;
}

// How large the board is that begins the line, where that may be any: one without blanks says it.
int board_of(const AskedGame& asked, std::string_view line) {
  if (!asked.any_board()) return asked.rows();
  const std::string_view first = words_of(line).front().text;
  const std::size_t squares = std::min(first.find(';'), first.size());
  for (const int size : {4, 6}) {
    const auto count = static_cast<std::size_t>(size * size);
    if (squares == count || squares == count + 1) return size;  // also with the side to move
  }
  return asked.rows();
}

Record othello_board(const AskedGame& asked, std::string_view line, const Place& place) {
  const int size = board_of(asked, line);
  const WrittenBoard board = read_board(line, size, "othello position", place);
  Record record;
  record.game = asked.on_board(size, size, place);
  record.position = board.position;
  const std::string_view rest = line.substr(board.end);
  const Place after = at(place, board.end);
  const std::vector<Token> words = words_of(rest);
  if (words.empty()) return record;
  const std::size_t begin = words[0].offset;
  if (rest[begin] == ';') {
    const auto position = make_position(record.game, record.position);
    Known known = read_obf_fields(*position, rest.substr(begin + 1), at(after, begin + 1));
    if (known.score) record.known = std::move(known);
    return record;
  }
  const bool scored =
      words.size() == 1 && begin > 0 && (is_signed(words[0].text) || words[0].text == "0");
  if (!scored) {
    throw RecordError(
        "nothing may follow the side to move but its score such as +4, or ';' and scores of moves, "
        "not " +
            quoted(rest.substr(begin)),
        at(after, begin));
  }
  record.known = known_score(words[0], size, after);
  return record;
}

// How long the move is that begins a list without blanks.
std::size_t length_of_move(std::string_view text) {
  return in_lower_case(text.substr(0, 4)) == "pass" ? 4 : std::min<std::size_t>(2, text.size());
}

Record othello_moves(const AskedGame& asked, std::string_view line, const Place& place) {
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
  if (score) record.known = known_score(*score, asked.rows(), place);
  return record;
}

// What follows a '%' is a comment, as in OBF and in scripts of Zebra.
Record othello_line(const AskedGame& asked, const std::string& whole, const Place& place) {
  const std::string_view line = std::string_view{whole}.substr(0, whole.find('%'));
  const std::string_view first = words_of(line).front().text;
  // A square of a board may be 'b' or '0', but no digit of a row.
  const bool moves =
      first.size() > 1 && letter_index(first[0]) >= 0 && first[1] >= '1' && first[1] <= '9';
  return moves ? othello_moves(asked, line, place) : othello_board(asked, line, place);
}

// ---- Connect6: stones [| SIDE | TURNS | TURN ...]; ROWS COLUMNS K RESULT [NODES] ----------------

// "1.j10 2.i9l10", "j10 i9l10", as pages of Little Golem have it: rows are counted from below.
Record counted_stones(const AskedGame& asked, const std::vector<Token>& words, const Place& place) {
  Replay replay(asked.canonical());
  for (const Token& word : words) {
    const std::size_t digits =
        std::min(word.text.find_first_not_of("0123456789"), word.text.size());
    const bool numbered = digits > 0 && digits < word.text.size() && word.text[digits] == '.';
    for (std::size_t begin = numbered ? digits + 1 : 0; begin < word.text.size();) {
      const std::size_t end = end_of_cell(word.text, begin);
      const std::string_view cell = word.text.substr(begin, end - begin);
      const Place where = at(place, word.offset + begin);
      int column = 0;
      int row = 0;
      if (!parse_letter_number(cell, &column, &row) || column >= asked.columns() ||
          row >= asked.rows()) {
        throw RecordError(fmt::format("expected a point of {} such as j10, not {}",
                                      asked.canonical(), quoted(cell)),
                          where);
      }
      const char letters[] = {static_cast<char>('A' + column),
                              static_cast<char>('A' + asked.rows() - 1 - row)};
      replay.play(std::nullopt, {letters, 2}, where);
      begin = end;
    }
  }
  return replay.record();
}

Record connect_stones(const AskedGame& asked, std::string_view stones, const Place& place) {
  const std::vector<Token> words = words_of(stones);
  // One cell alone may be a slip in a letter.
  const auto counted = [&](std::string_view word) {
    const std::size_t point = word.find('.') + 1;  // 0: there is none
    const bool cell =
        word.size() > point + 1 && letter_index(word[point]) >= 0 && is_digit(word[point + 1]);
    return cell && (point > 0 || words.size() > 1 || end_of_cell(word, 0) < word.size());
  };
  if (!words.empty() && counted(words[0].text)) return counted_stones(asked, words, place);
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
