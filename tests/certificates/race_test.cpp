// Certificates of wins by threats (docs/certificate.md, "Races"): those of known positions and of
// random small ones are accepted; damaged and forged ones are refused, unless what they then say of
// every single node is true.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "games/connect/text.h"
#include "games/connect/vcdt.h"
#include "tests/certificates/by_hand.h"
#include "tests/certificates/mutants.h"
#include "tests/certificates/support.h"
#include "tests/games/race_support.h"

namespace playproof::race_test {
namespace {

constexpr const char* kSearch = "vcdt:turns=30,work=1000000000,shortest=on";

SolveRequest request_of(const std::string& game, const std::string& position,
                        const std::string& algorithm = kSearch) {
  SolveRequest request;
  request.game = game;
  request.position = position;
  request.algorithm = algorithm;
  request.certificate = true;
  return request;
}

std::vector<std::string> known_wins() {
  std::vector<std::string> wins;
  for (const std::string& text : data_lines("connect6-vcdt-win.txt")) {
    wins.push_back(text.substr(0, text.find(' ')));
  }
  return wins;
}

TEST(RaceCertificates, OfKnownWins) {
  std::size_t turn = 0;
  for (const std::string& position : known_wins()) {
    for (const char* algorithm : {kSearch, "vcdt:turns=30,work=1000000000,replies=all"}) {
      if (++turn % 3 != 0 && !nightly()) continue;
      check::Report report;
      certificate_of(request_of("connect6", position, algorithm), &report);
      EXPECT_EQ(report.status, check::kValid) << position << report.error;
      EXPECT_EQ(report.verdict, "proved");
    }
  }
}

// A turn that fills the board leaves no reply that a node could be against; that is no win.
TEST(RaceCertificates, AFullBoardIsNoWin) {
  expect_refused({"playproof-certificate 6", "game connect6:rows=2,columns=2,connect=3,stones=1",
                  "rules 1", "position AA BA AB", "goal win", "attacker second", "claim >=1 proved",
                  "race-turn 1 1 BWB0 BB", "root 1"},
                 "the board is full");
}

// Random play on small boards, where a win was found: certificates of all sorts.
std::vector<std::string> small_certificates(const std::string& game, int count) {
  std::vector<std::string> found;
  visit_game(game, [&]<class G>(const typename G::Rules& rules) {
    if constexpr (AcyclicGame<G>) {
      Draw draw(count + game.size());
      while (found.size() < static_cast<std::size_t>(count)) {
        auto state = G::initial(rules);
        std::string text;
        const std::size_t plies =
            draw.below(static_cast<std::size_t>(G::max_plies_left(rules, state)));
        for (std::size_t i = 0; i < plies && !G::finished(rules, state); ++i) {
          Move moves[G::kMaxMoves];
          const auto legal = static_cast<std::size_t>(G::moves(rules, state, moves));
          const Move move = moves[draw.below(legal)];
          text += (i == 0 ? "" : " ") + GameText<G>::move_text(rules, move);
          G::play(rules, state, move);
        }
        if (G::finished(rules, state)) continue;
        const char* algorithm = draw.below(2) == 0 ? kSearch : "vcdt:turns=30,replies=all";
        const SolveRequest request = request_of(game, text, algorithm);
        const auto solver = make_solver(request);
        while (solver->step(1000) == StopReason::kRunning) {
        }
        const SolveResult result = solver->result();
        if (result.verdict != Verdict::kProved) continue;
        // Long ones are rare, and short ones have little to forge.
        if (result.threats->turns < 3 && draw.below(40) != 0) continue;
        std::string certificate;
        expect_certified(*solver, request, result, &certificate);
        found.push_back(certificate);
      }
    }
  });
  return found;
}

const std::vector<std::string>& small_certificates() {
  static const std::vector<std::string> all = [] {
    std::vector<std::string> list;
    for (const char* game : {"connect6:rows=4,columns=7,connect=5,stones=2",
                             "connect6:rows=6,columns=6,connect=5,stones=2",
                             "connect6:rows=7,columns=7,connect=5,stones=2",
                             "connect6:rows=6,columns=6,connect=4,stones=1"}) {
      const std::vector<std::string> some = small_certificates(game, nightly() ? 60 : 12);
      list.insert(list.end(), some.begin(), some.end());
    }
    return list;
  }();
  return all;
}

// The truth of a node, from its board alone: the prover wins by threats, also against more stones
// of the opponent where the node says that they do not matter.
class Truth {
 public:
  explicit Truth(const Sheet& sheet) : attacker_(sheet[5][1] == "first" ? 0 : 1) {
    const Options options = game_options(sheet[1][1]);
    rules_ = Connect<1>::make_rules(
        static_cast<int>(options.integer("rows")), static_cast<int>(options.integer("columns")),
        static_cast<int>(options.integer("connect")), static_cast<int>(options.integer("stones")));
    windows_ = std::make_unique<ConnectWindows<1>>(rules_);
    search_ = std::make_unique<Vcdt<1>>(*windows_, 12);
  }

  bool holds(const std::string& board, int stones, Draw& draw) {
    Race<1> race;
    race.rules = rules_;
    std::vector<int> free;
    for (std::size_t i = 0; i < board.size(); ++i) {
      const int cell = static_cast<int>(i);
      if (board[i] == 'B' || board[i] == 'W') {
        race.put(board[i] == 'W' ? 1 : 0, cell);
      } else {
        free.push_back(cell);
      }
    }
    if (!wins(race, stones)) return false;
    for (int tries = 0; tries < 12 && !free.empty(); ++tries) {
      Race<1> more = race;
      for (int i = 1; i <= 4; ++i) {  // the i-th is beyond place i
        const int cell = free[draw.below(free.size())];
        const char place = board[static_cast<std::size_t>(cell)];
        if (more.occupied(cell) || (place != '.' && place - '0' <= i)) continue;
        more.put(1 - attacker_, cell);
        if (more.plain().completed(1 - attacker_)) break;
        if (!wins(more, stones)) return false;
      }
    }
    return true;
  }

 private:
  static Options game_options(const std::string& game) {
    const Spec spec = parse_spec(game);
    static const CatalogueEntry entry = ConnectEntry::info();
    return {entry, spec};
  }
  bool wins(const Race<1>& race, int stones) {
    return search_->solve(ConnectThreats<1>(*windows_, race.state), attacker_, stones, to_the_end())
               .outcome == VcdtAnswer::Outcome::kWin;
  }

  Connect<1>::Rules rules_;
  std::unique_ptr<ConnectWindows<1>> windows_;
  std::unique_ptr<Vcdt<1>> search_;
  int attacker_;
};

bool is_race(const std::vector<std::string>& line) { return line[0].starts_with("race-"); }

TEST(RaceCertificates, EveryNodeIsTrue) {
  Draw draw(1);
  for (const std::string& certificate : small_certificates()) {
    const Sheet sheet = sheet_of(certificate);
    Truth truth(sheet);
    for (const auto& line : sheet) {
      if (is_race(line)) {
        EXPECT_TRUE(truth.holds(line[3], std::stoi(line[2]), draw)) << certificate;
      }
    }
  }
}

TEST(RaceCertificates, CutAnywhereOrWithAnyBitFlipped) {
  for (std::size_t i = 0; i < small_certificates().size(); i += 12) {
    const std::string& whole = small_certificates()[i];
    for (std::size_t cut = 0; cut < whole.size(); ++cut) {
      ASSERT_EQ(check_text(whole.substr(0, cut)).status, check::kUnreadable) << cut;
    }
    for (std::size_t at = 0; at < whole.size(); ++at) {
      for (int bit = 0; bit < 8; ++bit) {
        std::string flipped = whole;
        flipped[at] = static_cast<char>(flipped[at] ^ (1 << bit));
        ASSERT_NE(check_text(flipped).status, check::kValid) << at;
      }
    }
  }
}

// Forgeries. Each changes one place of a race; false if there is none.
std::vector<std::string>* pick_line(Sheet& sheet, Draw& draw, const auto& wanted) {
  std::vector<std::vector<std::string>*> lines;
  for (auto& line : sheet) {
    if (is_race(line) && wanted(line)) lines.push_back(&line);
  }
  return lines.empty() ? nullptr : lines[draw.below(lines.size())];
}
std::size_t first_reply(const std::vector<std::string>& line) {
  return 4 + static_cast<std::size_t>(std::stoi(line[2]));
}
bool has_replies(const std::vector<std::string>& line) {
  return line[0] == "race-turn" && line.size() > first_reply(line);
}
bool has_macro(const std::vector<std::string>& line) {
  return has_replies(line) && line[first_reply(line)].find('*') != std::string::npos;
}
// A cell of a board becomes another one.
bool change_cell(Sheet& sheet, Draw& draw, const std::string& from, const auto& changed) {
  auto* line = pick_line(sheet, draw, [&](const auto& each) {
    return each[3].find_first_of(from) != std::string::npos;
  });
  if (line == nullptr) return false;
  std::vector<char*> cells;
  for (char& cell : (*line)[3]) {
    if (from.find(cell) != std::string::npos) cells.push_back(&cell);
  }
  char& cell = *cells[draw.below(cells.size())];
  cell = changed(cell);
  return true;
}
// Of what is there of replies and zones.
const std::vector<MutationClass>& left_out() {
  static const std::vector<MutationClass> all = {
      {"a reply left out",
       [](Sheet& sheet, Draw& draw) {
         auto* line = pick_line(sheet, draw, has_replies);
         if (line == nullptr) return false;
         const std::size_t first = first_reply(*line);
         const std::size_t at = first + 2 * draw.below((line->size() - first) / 2);
         line->erase(line->begin() + static_cast<long>(at),
                     line->begin() + static_cast<long>(at) + 2);
         return true;
       },
       true},
      {"a cell of a zone one place later",
       [](Sheet& sheet, Draw& draw) {
         return change_cell(sheet, draw, "01234",
                            [](char c) { return c == '4' ? '.' : static_cast<char>(c + 1); });
       },
       false},
      {"a cell of no zone",
       [](Sheet& sheet, Draw& draw) {
         return change_cell(sheet, draw, "01234", [](char) { return '.'; });
       },
       false},
      {"stones of the other side more or fewer",
       [](Sheet& sheet, Draw& draw) {
         return change_cell(sheet, draw, "BW01234.", [&](char c) {
           return c == 'B' || c == 'W' ? '.' : draw.below(2) == 0 ? 'B' : 'W';
         });
       },
       false},
      {"another reply",
       [](Sheet& sheet, Draw& draw) {
         auto* line = pick_line(sheet, draw, has_replies);
         auto* other = pick_line(sheet, draw, has_replies);
         if (line == nullptr || line == other) return false;
         (*line)[first_reply(*line)] = (*other)[first_reply(*other)];
         return true;
       },
       false},
      {"a macro that is none",
       [](Sheet& sheet, Draw& draw) {
         auto* line = pick_line(sheet, draw, has_macro);
         if (line == nullptr) return false;
         std::string& cells = (*line)[first_reply(*line)];
         cells.erase(cells.rfind('*'));
         return true;
       },
       true},
  };
  return all;
}
const std::vector<MutationClass>& exchanged() {
  static const std::vector<MutationClass> all = {
      {"a macro as one reply",
       [](Sheet& sheet, Draw& draw) {
         auto* line = pick_line(sheet, draw, has_macro);
         if (line == nullptr) return false;
         std::string& cells = (*line)[first_reply(*line)];
         std::replace(cells.begin(), cells.end(), '*', '+');
         return true;
       },
       false},
      {"a win without replies",
       [](Sheet& sheet, Draw& draw) {
         auto* line = pick_line(sheet, draw, has_replies);
         if (line == nullptr) return false;
         line->resize(first_reply(*line));
         return true;
       },
       true},
      {"another turn",
       [](Sheet& sheet, Draw& draw) {
         auto* line = pick_line(sheet, draw, [](const auto&) { return true; });
         auto* other = pick_line(sheet, draw, [](const auto&) { return true; });
         if (line == nullptr || line == other) return false;
         (*line)[4] = (*other)[4];
         return true;
       },
       false},
      {"another number of stones",
       [](Sheet& sheet, Draw& draw) {
         auto* line = pick_line(sheet, draw, [](const auto&) { return true; });
         if (line == nullptr) return false;
         (*line)[2] = std::to_string(draw.below(4));
         return true;
       },
       false},
      {"a win as a completed line",
       [](Sheet& sheet, Draw& draw) {
         auto* line =
             pick_line(sheet, draw, [](const auto& each) { return each[0] == "race-turn"; });
         if (line == nullptr) return false;
         (*line)[0] = "race-end";
         line->resize(first_reply(*line));
         return true;
       },
       true},
      {"another citation",
       [](Sheet& sheet, Draw& draw) {
         std::erase_if(sheet, [](const auto& line) { return line[0] == "free"; });
         auto* line = pick_line(sheet, draw, has_replies);
         if (line == nullptr) return false;
         const std::size_t first = first_reply(*line);
         std::string& id = (*line)[first + 1 + 2 * draw.below((line->size() - first) / 2)];
         id = std::to_string(1 + draw.below(std::stoul((*line)[1])));
         return true;
       },
       false},
      {"the other side's",
       [](Sheet& sheet, Draw&) {
         sheet[5][1] = sheet[5][1] == "first" ? "second" : "first";
         return true;
       },
       true},
  };
  return all;
}

std::vector<MutationClass> forgeries() {
  std::vector<MutationClass> all = left_out();
  all.insert(all.end(), exchanged().begin(), exchanged().end());
  return all;
}

TEST(RaceForgeries, AreRefusedOrTrue) {
  std::vector<Sheet> sheets;
  for (const std::string& certificate : small_certificates()) {
    sheets.push_back(sheet_of(certificate));
  }
  int made = 0;
  for (const MutationClass& forgery : forgeries()) {
    int refused = 0;
    int accepted = 0;
    Draw draw(7);
    for (int i = 0; i < (nightly() ? 8000 : 400); ++i) {
      const Sheet& original = sheets[draw.below(sheets.size())];
      Sheet sheet = original;
      if (!forgery.apply(sheet, draw) || sheet == original) continue;
      ++made;
      const check::Report report = check_text(text_of(sheet));
      if (report.status != check::kValid) {
        ++refused;
        continue;
      }
      ++accepted;
      EXPECT_FALSE(forgery.never_a_proof) << forgery.name << '\n' << text_of(sheet);
      Truth truth(sheet);
      for (const auto& line : sheet) {
        if (!is_race(line)) continue;
        EXPECT_TRUE(truth.holds(line[3], std::stoi(line[2]), draw)) << forgery.name << '\n'
                                                                    << text_of(sheet);
      }
    }
    EXPECT_GT(refused, forgery.never_a_proof ? 0 : accepted) << forgery.name;
    RecordProperty(forgery.name, std::to_string(refused) + " refused, " + std::to_string(accepted));
  }
  EXPECT_GT(made, nightly() ? 50'000 : 2'500);
}

// Lines by hand: what is wrong is said.
TEST(RaceForgeries, AreNamed) {
  const auto turns = [](const std::string& text) { return text.find("race-turn") < text.size(); };
  const std::string certificate = *std::ranges::find_if(small_certificates(), turns);
  const auto refused = [&](const std::string& from, const std::string& to) {
    std::string text = text_of(sheet_of(certificate));
    const std::size_t at = text.find(from);
    if (at == std::string::npos) return std::string("no such text");
    text.replace(at, from.size(), to);
    return check_text(text_of(sheet_of(text))).error;
  };
  EXPECT_NE(refused("playproof-certificate 6", "playproof-certificate 5").find("not a position"),
            std::string::npos);
  EXPECT_NE(refused("race-turn", "race-jump").find("unknown kind"), std::string::npos);
  EXPECT_NE(refused("claim >=1", "claim >=0").find("does not belong"), std::string::npos);
}

}  // namespace
}  // namespace playproof::race_test
