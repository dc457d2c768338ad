#include "src/check/check.h"

#include "games/reference/connect.h"
#include "games/reference/hex.h"
#include "games/reference/othello.h"
#include "games/reference/pgame.h"

namespace playproof::check {
namespace {

struct Option {
  const char* name;
  std::uint64_t otherwise, min, max;
};
struct Game {
  const char* name;
  std::vector<Option> options;
};
const std::vector<Game>& games() {
  static const std::vector<Game> kGames = {
      {"hex", {{"rows", 5, 2, 19}, {"columns", 5, 2, 19}}},
      {"othello", {{"size", 8, 4, 8}}},
      {"connect6",
       {{"rows", 19, 2, 19}, {"columns", 19, 2, 19}, {"connect", 6, 2, 19}, {"stones", 2, 1, 8}}},
      {"pgame", {{"branching", 2, 2, 64}, {"depth", 20, 1, 64}, {"tree", 1, 0, 0xffffffff}}}};
  return kGames;
}

// "hex:size=3" with every option: "hex:rows=3,columns=3".
struct Spec {
  const Game* game = nullptr;
  std::vector<std::uint64_t> values;

  explicit Spec(std::string_view text) {
    const RefWords parts = ref_split(text, ":,");
    for (const Game& known : games()) {
      if (!parts.empty() && parts[0] == known.name) game = &known;
    }
    if (game == nullptr) unreadable("unknown game " + shown(text));
    for (const Option& option : game->options) values.push_back(option.otherwise);
    for (std::size_t i = 1; i < parts.size(); ++i) set(parts[i]);
    if (game == &games()[1] && values[0] % 2 != 0) unreadable("size must be 4, 6 or 8");
  }
  void set(std::string_view part) {
    const RefWords words = ref_split(part, "=");
    bool known = false;
    for (std::size_t i = 0; i < values.size() && words.size() == 2; ++i) {
      const Option& option = game->options[i];
      const bool side = words[0] == "size" && (option.name == std::string("rows") ||
                                               option.name == std::string("columns"));
      if (words[0] != option.name && !side) continue;
      known = ref_number(words[1], option.max, &values[i]) && values[i] >= option.min;
      if (!known) break;
    }
    if (!known) unreadable("unknown option, or a value out of range: " + shown(part));
  }
  std::string text() const {
    std::string text = game->name;
    for (std::size_t i = 0; i < values.size(); ++i) {
      text += (i == 0 ? ":" : ",") + std::string(game->options[i].name) + "=";
      text += std::to_string(values[i]);
    }
    return text;
  }
};

// What a goal asks for, and what the claims have settled of it.
struct Goal {
  enum class Kind { kClaim, kValue, kScore } kind = Kind::kClaim;
  int lower = 0;  // the threshold of a claim is in lower + 1 .. upper
  int upper = 0;

  // Values are -most .. most.
  Goal(std::string_view text, int most) {
    constexpr std::string_view kScore = "score>=";
    if (text == "value" || (text == "score" && most > 1)) {
      kind = text == "value" ? Kind::kValue : Kind::kScore;
      upper = kind == Kind::kValue ? 1 : most;
      lower = -upper;
      return;
    }
    int threshold = text == "win" ? 1 : 0;
    if (most > 1 && text.starts_with(kScore)) {
      threshold = read_threshold(text.substr(kScore.size()), most);
    } else if (text != "win" && text != "draw") {
      unreadable("unknown goal " + shown(text));
    }
    lower = threshold - 1;
    upper = threshold;
  }
  static int read_threshold(std::string_view text, int most) {
    const bool minus = text.starts_with('-');
    std::uint64_t size = 0;
    if (!ref_number(text.substr(minus ? 1 : 0), static_cast<std::uint64_t>(most), &size)) {
      unreadable("expected a whole number, not " + shown(text));
    }
    return minus ? -static_cast<int>(size) : static_cast<int>(size);
  }
  bool operator==(const Goal&) const = default;

  void learn(const Claim& claim) {
    if (claim.threshold <= lower || claim.threshold > upper) {
      reject("the claim does not belong to the goal");
    }
    (claim.proved ? lower : upper) = claim.threshold - (claim.proved ? 0 : 1);
    proved = claim.proved;
  }
  std::string verdict() const {
    if (lower != upper) reject("the claims do not settle the goal");
    if (kind == Kind::kClaim) return proved ? "proved" : "disproved";
    if (kind == Kind::kScore) return std::to_string(lower);
    return lower > 0 ? "win" : lower < 0 ? "loss" : "draw";
  }
  bool proved = false;
};

// Runs `read` over text of the command line: what cannot be read there is wrong usage.
auto as_usage(const char* option, const auto& read) {
  try {
    return read();
  } catch (const Failure& failure) {
    throw Failure(kUsage, std::string(option) + ": " + failure.what());
  }
}

class Checker {
 public:
  Checker(Reader& reader, const Asked& asked, Report& report)
      : reader_(reader), asked_(asked), report_(report) {}

  void run() {
    if (header("playproof-certificate") != "1") unreadable("not a certificate of version 1");
    const Spec spec(header("game"));
    report_.game = spec.text();
    if (header("rules") != "1") unreadable("rules of another version");
    if (asked_.game) {
      const auto game = as_usage("--game", [&] { return Spec(*asked_.game).text(); });
      if (game != report_.game) reject("it is about another game: " + report_.game);
    }
    const auto value = [&](std::size_t i) { return static_cast<int>(spec.values[i]); };
    const std::string_view name = spec.game->name;
    if (name == "hex") check<RefHex>({value(0), value(1)}, 1);
    if (name == "othello") check<RefOthello>({value(0)}, value(0) * value(0));
    if (name == "connect6") check<RefConnect>({value(0), value(1), value(2), value(3)}, 1);
    if (name == "pgame") check<RefPGame>({spec.values[2], value(0), value(1)}, 1);
  }

 private:
  // The rest of a line that begins with `key`.
  std::string header(std::string_view key) {
    if (!reader_.next() || reader_.words()[0] != key) {
      unreadable("expected a line '" + std::string(key) + "'");
    }
    std::string rest;
    for (std::size_t i = 1; i < reader_.words().size(); ++i) {
      rest += (i > 1 ? " " : "") + std::string(reader_.words()[i]);
    }
    return rest;
  }

  template <class R>
  typename R::State position(const typename R::Rules& rules, std::string_view text) {
    typename R::State state;
    if (!R::read_position(rules, ref_split(text, " \t\r\n"), &state)) {
      unreadable("not a position: " + shown(text));
    }
    return state;
  }

  template <class R>
  void check(const typename R::Rules& rules, int most) {
    report_.position = header("position");
    const auto root = position<R>(rules, report_.position);
    report_.goal = header("goal");
    Goal goal(report_.goal, most);
    report_.attacker = header("attacker");
    const bool first = R::to_move(rules, root) == Player::kFirst;
    if (report_.attacker != (first ? "first" : "second")) {
      reject("the attacker is not the side to move");
    }
    if (asked_.position &&
        !(as_usage("--position", [&] { return position<R>(rules, *asked_.position); }) == root)) {
      reject("it is about another position: " + shown(report_.position));
    }
    if (asked_.goal && !(as_usage("--goal", [&] { return Goal(*asked_.goal, most); }) == goal)) {
      reject("it is about another goal: " + report_.goal);
    }
    while (reader_.next()) goal.learn(claim<R>(rules, root, most));
    report_.verdict = goal.verdict();
    const bool any = goal.kind != Goal::Kind::kClaim && asked_.verdict == "proved";
    if (asked_.verdict && asked_.verdict != report_.verdict && !any) {
      reject("its verdict is " + report_.verdict + ", not " + shown(*asked_.verdict));
    }
  }

  // From a line `claim` to its line `root`.
  template <class R>
  Claim claim(const typename R::Rules& rules, const typename R::State& root, int most) {
    const RefWords& words = reader_.words();
    if (words.size() != 3 || words[0] != "claim" || !words[1].starts_with(">=") ||
        (words[2] != "proved" && words[2] != "disproved")) {
      unreadable("expected a line 'claim >=N proved' or 'claim >=N disproved'");
    }
    const Claim claim{Goal::read_threshold(words[1].substr(2), most + 1), words[2] == "proved"};
    Proof<R> proof(rules, root, claim, -most, report_.counts);
    do {
      if (!reader_.next()) unreadable("the claim has no line 'root'");
    } while (proof.line(reader_.words()));
    return claim;
  }

  Reader& reader_;
  const Asked& asked_;
  Report& report_;
};

}  // namespace

Report check(std::FILE* file, bool compressed, const Asked& asked) {
  Report report;
  Reader reader(file, compressed);
  const auto fail = [&](const Failure& failure) {
    report.status = failure.status;
    report.error = failure.what();
    report.line_number = reader.line_number();
  };
  try {
    Checker(reader, asked, report).run();
  } catch (const Failure& failure) {
    fail(failure);
  }
  try {  // a damaged file is damaged, whatever it seems to say
    while (report.status == kNotProof && reader.next()) {
    }
  } catch (const Failure& failure) {
    fail(failure);
  }
  return report;
}

}  // namespace playproof::check
