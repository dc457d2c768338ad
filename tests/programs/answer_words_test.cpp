// The sentence of an answer (src/io/answer_words.h): for every kind of verdict, and held against
// what trying everything says.
#include "src/io/answer_words.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <regex>
#include <string>
#include <utility>
#include <vector>

#include "games/core/error.h"
#include "host/solve/position.h"
#include "host/solve/solver.h"
#include "tests/nightly.h"

namespace playproof::answer_words_test {
namespace {

constexpr const char* kOthello = "othello:size=4";
constexpr const char* kConnect = "connect6:size=3,connect=3,stones=1";

SolveAnswer answer_of(const std::string& game, const std::string& position, const std::string& goal,
                      Verdict verdict, int lower, int upper,
                      StopReason reason = StopReason::kDecided) {
  SolveAnswer answer;
  answer.game = game;
  answer.position = position;
  answer.goal = parse_goal(goal);
  answer.reason = reason;
  answer.result.verdict = verdict;
  answer.result.lower = lower;
  answer.result.upper = upper;
  return answer;
}

struct Case {
  const char* game;
  const char* position;
  const char* goal;
  Verdict verdict;
  int lower, upper;
  const char* words;
};

constexpr Verdict kYes = Verdict::kProved;
constexpr Verdict kNo = Verdict::kDisproved;

// What a game guesses is printed as such, and only where nothing is decided.
TEST(AnswerWords, EstimatesOfWhatIsNotDecided) {
  SolveAnswer answer = answer_of(kConnect, "", "win", Verdict::kUnknown, -1, 1, StopReason::kNodes);
  EXPECT_FALSE(answer_json(answer).contains("estimate"));
  EXPECT_EQ(answer_text(answer).find("estimate"), std::string::npos);
  answer.result.estimate = Estimate(-0.25);
  EXPECT_EQ(answer_json(answer)["estimate"], -0.25);
  EXPECT_NE(
      answer_text(answer).find("estimate    -0.25 for the side to move, which proves nothing\n"),
      std::string::npos);
  answer.result.verdict = Verdict::kDisproved;
  EXPECT_FALSE(answer_json(answer).contains("estimate"));
  EXPECT_EQ(answer_text(answer).find("estimate"), std::string::npos);
}

TEST(AnswerWords, OfEveryVerdict) {
  const Case cases[] = {
      {"hex:size=3", "", "win", kYes, 1, 1, "Black to move wins, whatever White plays."},
      {"hex:size=3", "b2", "win", kNo, -1, 0,
       "White to move loses: Black wins, whatever White plays."},
      {"hex:size=3", "", "draw", kYes, 0, 1, "Black to move wins, whatever White plays."},
      {"hex:size=3", "b2", "draw", kNo, -1, -1,
       "White to move loses: Black wins, whatever White plays."},
      {"hex:size=3", "", "value", kYes, 1, 1, "Black to move wins, whatever White plays."},
      {"hex:size=3", "b2", "value", kYes, -1, -1,
       "White to move loses: Black wins, whatever White plays."},
      {kConnect, "", "win", kYes, 1, 1, "Black to move wins, whatever White plays."},
      {kConnect, "", "win", kNo, -1, 0,
       "Black to move cannot force a win: White at least draws, whatever Black plays."},
      // What bounds say beyond the verdict is not said: no certificate would.
      {kConnect, "", "win", kNo, -1, -1,
       "Black to move cannot force a win: White at least draws, whatever Black plays."},
      {kConnect, "", "draw", kYes, 0, 1, "Black to move at least draws, whatever White plays."},
      {kConnect, "AA", "draw", kNo, -1, -1,
       "White to move loses: Black wins, whatever White plays."},
      {kConnect, "", "value", kYes, 0, 0,
       "The game is a draw: neither Black nor White can force a win."},
      {kOthello, "", "win", kNo, -10, 0,
       "Black to move cannot force a win: White at least draws, whatever Black plays."},
      {kOthello, "", "score>=1", kYes, 1, 16, "Black to move wins, whatever White plays."},
      {kOthello, "", "score>=4", kYes, 4, 16,
       "Black to move wins by 4 or more, whatever White plays."},
      {kOthello, "", "score>=0", kYes, 0, 16,
       "Black to move at least draws, whatever White plays."},
      {kOthello, "", "score>=-4", kYes, -4, 16,
       "Black to move ends at most 4 behind, whatever White plays."},
      {kOthello, "", "score>=4", kNo, -16, 3,
       "Black to move cannot force a win by 4 or more: White ends at most 3 behind, whatever Black "
       "plays."},
      {kOthello, "", "score>=1", kNo, -16, 0,
       "Black to move cannot force a win: White at least draws, whatever Black plays."},
      {kOthello, "", "score>=0", kNo, -16, -1,
       "Black to move loses: White wins, whatever Black plays."},
      {kOthello, "", "score>=-4", kNo, -16, -5,
       "Black to move loses by 5 or more: White wins by 5 or more, whatever Black plays."},
      {kOthello, "", "score", kYes, 8, 8, "Black to move wins by 8 if both play their best."},
      {kOthello, "", "score", kYes, -10, -10, "Black to move loses by 10 if both play their best."},
      {kOthello, "", "score", kYes, 0, 0,
       "The game is a draw: neither Black nor White can force a win."},
      {kOthello, "", "value", kYes, -1, -1,
       "Black to move loses: White wins, whatever Black plays."},
      {"pgame:depth=4", "", "win", kYes, 1, 1,
       "The first player, to move, wins, whatever the second player plays."},
      {"pgame:depth=4", "0", "win", kNo, -1, 0,
       "The second player, to move, cannot force a win: the first player at least draws, whatever "
       "the second player plays."},
      {"nim:heaps=1.2.3", "", "win", kNo, -1, 0,
       "The first player, to move, loses: the second player wins, whatever the first player "
       "plays."},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(answer_words(answer_of(c.game, c.position, c.goal, c.verdict, c.lower, c.upper)),
              c.words)
        << c.game << ' ' << c.goal;
  }
}

TEST(AnswerWords, OfFinishedGames) {
  const auto words = [](const char* game, const char* position, const char* goal) {
    return answer_words(answer_of(game, position, goal, kNo, 0, 0));
  };
  for (const char* goal : {"win", "draw", "value"}) {
    EXPECT_EQ(words("hex:size=2", "a1 b1 a2", goal), "The game is over: Black has won.");
    EXPECT_EQ(words("hex:size=2", "a1 a2 b1 b2", goal), "The game is over: White has won.");
  }
  EXPECT_EQ(words(kConnect, "AA BA CA AB CB BB AC CC BC", "win"),
            "The game is over: it is a draw.");
  EXPECT_EQ(words(kOthello, "XXXXXXXXXXXXXXXO X", "score"),
            "The game is over: Black has won by 14.");
  EXPECT_EQ(words(kOthello, "OOOOOOOOOOOOOOO- X", "win"), "The game is over: White has won by 16.");
  EXPECT_EQ(words("nim:heaps=1", "a1", "win"), "The game is over: the first player has won.");
}

TEST(AnswerWords, OfOpenQuestions) {
  const auto words = [](const char* game, const char* goal, int lower, int upper,
                        StopReason reason) {
    return answer_words(answer_of(game, "", goal, Verdict::kUnknown, lower, upper, reason));
  };
  EXPECT_EQ(words("hex:size=3", "win", -1, 1, StopReason::kNodes),
            "Whether Black to move wins is not decided: the limit of nodes came first.");
  EXPECT_EQ(words("hex:size=3", "value", -1, 1, StopReason::kMemory),
            "Whether Black to move wins or loses is not decided: the limit of memory came first.");
  EXPECT_EQ(words(kConnect, "draw", -1, 1, StopReason::kSeconds),
            "Whether Black to move at least draws is not decided: the limit of time came first.");
  EXPECT_EQ(words(kConnect, "value", -1, 1, StopReason::kStopped),
            "Whether Black to move wins, draws or loses is not decided: the search was stopped.");
  EXPECT_EQ(words(kConnect, "value", 0, 1, StopReason::kStopped),
            "Black to move at least draws, whatever White plays; whether it wins is not decided: "
            "the search was stopped.");
  EXPECT_EQ(words(kConnect, "value", -1, 0, StopReason::kRunning),
            "Black to move cannot force a win: White at least draws, whatever Black plays; whether "
            "it draws is not decided: the search has not ended.");
  EXPECT_EQ(words(kOthello, "score", -2, 16, StopReason::kNodes),
            "The score of Black to move lies between -2 and 16; more is not decided: the limit of "
            "nodes came first.");
  EXPECT_EQ(words(kOthello, "score>=-6", -16, 16, StopReason::kNodes),
            "Whether Black to move ends at most 6 behind is not decided: the limit of nodes came "
            "first.");
}

TEST(AnswerWords, TheProofIsCountedWhereItWasWritten) {
  SolveAnswer answer = answer_of("hex:size=3", "", "win", kYes, 1, 1);
  const std::string words = answer_words(answer);
  EXPECT_EQ(words.find("proof"), std::string::npos);
  answer.proof_nodes = 1;
  EXPECT_EQ(answer_words(answer), words + " The proof has 1 node.");
  answer.proof_nodes = 1234567;
  EXPECT_EQ(answer_words(answer), words + " The proof has 1,234,567 nodes.");
}

// ---- against what trying everything says
// ---------------------------------------------------------

// The value for the first player.
int value_of(AnyPosition& position) {
  if (position.finished()) return position.value();
  const bool first = position.to_move() == Player::kFirst;
  int best = first ? -100 : 100;
  for (const std::string& move : position.moves()) {
    position.play(move);
    const int value = value_of(position);
    best = first ? std::max(best, value) : std::min(best, value);
    position.undo();
  }
  return best;
}

// What a sentence says of the value for the side to move.
struct Claim {
  int least = -100;
  int most = 100;
  bool open = false;
};

class Reader {
 public:
  Reader(std::string mover, std::string other)
      : mover_(std::move(mover)), other_(std::move(other)) {}

  Claim read(const std::string& sentence) {
    const std::string by = "( by (\\d+))?";
    std::smatch m;
    const auto is = [&](const std::string& pattern) {
      return std::regex_match(sentence, m, std::regex(pattern));
    };
    if (is("(.*): it is a draw\\.") || is("The game is a draw: neither (.*) can force a win\\.")) {
      return {0, 0};
    }
    if (is("The game is over: (.*) has won" + by + "\\.")) {
      const int won = m[2].matched ? std::stoi(m[3]) : 1;
      const int value = m[1] == mover_ ? won : -won;
      EXPECT_TRUE(m[1] == mover_ || m[1] == other_) << sentence;
      return {value, value};
    }
    if (is("(.*),? to move,? (wins|loses) by (\\d+) if both play their best\\.")) {
      const int value = (m[2] == "wins" ? 1 : -1) * std::stoi(m[3]);
      return {value, value};
    }
    if (is("Whether .* is not decided: the .*")) return {-100, 100, true};
    if (is("The score of .* to move,? lies between (-?\\d+) and (-?\\d+); more is not decided: "
           ".*")) {
      return {std::stoi(m[1]), std::stoi(m[2]), true};
    }
    if (is("([^:]*?),? to move,? ([^:;]*), whatever (.*) plays(; whether it wins is not decided: "
           ".*)?\\.")) {
      EXPECT_EQ(low(m[1]), mover_);
      EXPECT_EQ(m[3], other_);
      return {least_of(m[2]), 100, m[4].matched};
    }
    if (is("([^:]*?),? to move,? ([^:;]*): (" + other_ +
           ") ([^:;]*), whatever (.*) plays"
           "(; whether it draws is not decided: .*)?\\.")) {
      EXPECT_EQ(low(m[1]), mover_);
      EXPECT_EQ(m[5], mover_);
      const int most = -least_of(m[4]);
      EXPECT_EQ(most, most_of(m[2])) << sentence;  // both halves say the same
      return {-100, most, m[6].matched};
    }
    ADD_FAILURE() << "no reading: " << sentence;
    return {};
  }

 private:
  // "The first player" as within a sentence.
  std::string low(const std::string& name) const {
    return name.starts_with("The ") ? "t" + name.substr(1) : name;
  }
  static int number_in(const std::string& text) {
    return std::stoi(text.substr(text.find_first_of("0123456789")));
  }
  static int least_of(const std::string& clause) {
    if (clause == "wins") return 1;
    if (clause == "at least draws") return 0;
    const int n = number_in(clause);
    return clause.starts_with("wins by") ? n : -n;  // "ends at most N behind"
  }
  static int most_of(const std::string& clause) {
    if (clause == "loses") return -1;
    if (clause == "cannot force a win") return 0;
    const int n = number_in(clause);
    return clause.starts_with("loses by") ? -n : n - 1;  // "cannot force a win by N or more"
  }

  std::string mover_;
  std::string other_;
};

struct Board {
  const char* game;
  bool draws;
  int plies;  // that positions are into the game
  std::vector<const char*> goals;
  const char* names[2];
};

// Every legal line of that many plies would be too many: some, by a draw from a seed.
std::vector<std::string> positions_of(const Board& board, int count) {
  std::vector<std::string> texts;
  std::uint64_t seed = 1;
  for (int i = 0; i < count; ++i) {
    const auto position = make_position(board.game, "");
    for (int ply = 0; ply < board.plies + i % 4 && !position->finished(); ++ply) {
      const std::vector<std::string> moves = position->moves();
      seed = mix64(seed);
      position->play(moves[seed % moves.size()]);
    }
    texts.push_back(position->text());
  }
  return texts;
}

SolveAnswer solved(const SolveRequest& request) {
  const auto solver = make_solver(request);
  StopReason reason = StopReason::kRunning;
  while (reason == StopReason::kRunning) reason = solver->step(1000);
  return make_answer(*solver, request, reason);
}

// Of a decided answer: exactly as much as was asked and found, in a game without draws a win for a
// draw.
void expect_as_much(const Board& board, const SolveAnswer& answer, const Claim& claim) {
  const SolveResult& result = answer.result;
  const Goal& goal = answer.goal;
  if (goal.kind == Goal::Kind::kScore) {
    EXPECT_EQ(claim.least, result.lower);
    EXPECT_EQ(claim.most, result.upper);
  } else if (goal.kind == Goal::Kind::kValue) {
    EXPECT_EQ(claim.least > 0, result.lower > 0);
    EXPECT_EQ(claim.most < 0, result.lower < 0);
    EXPECT_EQ(claim.least == 0 && claim.most == 0, result.lower == 0);
  } else if (result.verdict == Verdict::kProved) {
    EXPECT_EQ(claim.least, board.draws ? goal.threshold : 1);
    EXPECT_EQ(claim.most, 100);
  } else {
    EXPECT_EQ(claim.most, board.draws ? goal.threshold - 1 : -1);
    EXPECT_EQ(claim.least, -100);
  }
}

const Board kBoards[] = {
    {"hex:rows=2,columns=3", false, 0, {"win", "draw", "value"}, {"Black", "White"}},
    {"hex:size=3", false, 3, {"win", "draw", "value"}, {"Black", "White"}},
    {kConnect, true, 3, {"win", "draw", "value"}, {"Black", "White"}},
    {"pgame:branching=3,depth=4,tree=5",
     true,
     0,
     {"win", "draw", "value"},
     {"the first player", "the second player"}},
    {"nim:heaps=1.2.2",
     false,
     0,
     {"win", "draw", "value"},
     {"the first player", "the second player"}},
    {kOthello,
     true,
     6,
     {"win", "draw", "value", "score", "score>=1", "score>=4", "score>=-4", "score>=0"},
     {"Black", "White"}},
};

class Truth {
 public:
  Truth(const Board& board, const std::string& text)
      : board_(board),
        text_(text),
        position_(make_position(board.game, text)),
        first_(position_->to_move() == Player::kFirst),
        value_(first_ ? value_of(*position_) : -value_of(*position_)) {}

  // "over", "open" or "decided".
  std::string hold(const char* goal, const char* algorithm, std::uint64_t nodes) const {
    SolveRequest request;
    request.game = board_.game;
    request.position = text_;
    request.algorithm = algorithm;
    request.goal = goal;
    request.limits.max_nodes = nodes;
    const SolveAnswer answer = solved(request);
    const std::string words = answer_words(answer);
    SCOPED_TRACE(request.game + " '" + text_ + "' " + goal + ' ' + algorithm + ": " + words);
    Reader reader(board_.names[first_ ? 0 : 1], board_.names[first_ ? 1 : 0]);
    const Claim claim = reader.read(words);
    EXPECT_LE(claim.least, value_);
    EXPECT_GE(claim.most, value_);
    EXPECT_EQ(claim.open, !decided(answer));
    if (position_->finished()) return "over";
    if (decided(answer)) expect_as_much(board_, answer, claim);
    return claim.open ? "open" : "decided";
  }

 private:
  const Board& board_;
  std::string text_;
  std::unique_ptr<AnyPosition> position_;
  bool first_;
  int value_;  // for the side to move
};

TEST(AnswerWords, AreTrue) {
  std::map<std::string, int> kinds;
  for (const Board& board : kBoards) {
    for (const std::string& text : positions_of(board, nightly() ? 24 : 16)) {
      const Truth truth(board, text);
      for (const char* goal : board.goals) {
        for (const char* algorithm : {"pn", "dfpn:leaf=unit", "minimax", "ppn:playouts=2"}) {
          for (const std::uint64_t nodes : {SearchLimits::kNone, std::uint64_t{6}}) {
            ++kinds[truth.hold(goal, algorithm, nodes)];
          }
        }
      }
    }
  }
  for (const char* kind : {"over", "open", "decided"}) EXPECT_GT(kinds[kind], 50) << kind;
}

}  // namespace
}  // namespace playproof::answer_words_test
