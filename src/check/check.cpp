#include "src/check/check.h"

#include "games/references.h"

namespace playproof::check {
namespace {

// Calls `visit` with the reference rules that a text such as "hex:size=3" names, and the values of
// their options.
void visit_game(std::string_view text, const auto& visit) {
  std::vector<std::uint64_t> values;
  const auto attempt = [&]<class R>(const R& game) {
    const bool named = ref_read_game<R>(text, &values);
    if (named) visit(game, values);
    return named;
  };
  if (!AllReferences::any_of(attempt)) {
    unreadable("unknown game, option or value: " + shown(text));
  }
}
// A full name has every option: "hex:rows=3,columns=3".
std::string full_name(std::string_view game) {
  std::string text;
  visit_game(game, [&]<class R>(const R&, const auto& values) { text = ref_game_text<R>(values); });
  return text;
}

// What a goal asks for, and what the claims have settled of it.
struct Goal {
  enum class Kind { kClaim, kValue, kScore } kind = Kind::kClaim;
  int lower = 0;  // the threshold of a claim is in lower + 1 .. upper
  int upper = 0;
  bool proved = false;  // the last claim

  // Values are -most .. most.
  Goal(std::string_view text, int most) {
    constexpr std::string_view kScore = "score>=";
    if (text == "value" || (text == "score" && most > 1)) {
      kind = text == "value" ? Kind::kValue : Kind::kScore;
      upper = kind == Kind::kValue ? 1 : most;
      lower = -upper;
      return;
    }
    if (most > 1 && text.starts_with(kScore)) {
      upper = read_threshold(text.substr(kScore.size()), most);
    } else if (text == "win") {
      upper = 1;
    } else if (text != "draw") {
      reject("unknown goal " + shown(text));
    }
    lower = upper - 1;
  }
  static int read_threshold(std::string_view text, int most) {
    const bool minus = text.starts_with('-') && text != "-0";
    std::uint64_t size = 0;
    if (!ref_number(text.substr(minus ? 1 : 0), static_cast<std::uint64_t>(most), &size)) {
      reject("expected a whole number up to " + std::to_string(most) + ", not " + shown(text));
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
};

// Runs `read` over text of the command line: what cannot be read there is wrong usage.
auto as_usage(const char* option, const auto& read) {
  try {
    return read();
  } catch (const Failure& failure) {
    throw Failure(kUsage, std::string(option) + ": " + failure.what());
  }
}

struct Checker {
  Reader& reader;
  const Asked& asked;
  const Limits& limits;
  Report& report;
  int version = 0;  // of the grammar

  void run() {
    const std::string said = header("playproof-certificate");
    version = said.size() == 1 ? said[0] - '0' : 0;
    if (version < 1 || version > 7) unreadable("not a certificate of version 1 to 7");
    report.game = full_name(header("game"));
    if (header("rules") != "1") unreadable("rules of another version");
    if (asked.game && as_usage("--game", [&] { return full_name(*asked.game); }) != report.game) {
      reject("it is about another game: " + report.game);
    }
    reader.advance();
    visit_game(report.game, [&]<class R>(const R&, const auto& values) {
      typename R::Rules rules = R::make_rules(values);
      if constexpr (kRepeats<R>) {
        read_rules<R>(reader, version, limits, &rules);
        if constexpr (requires { R::is_game(*asked.game, rules); })
          if (asked.game && !R::is_game(*asked.game, rules)) reject("it is about another graph");
      }
      check<R>(rules);
    });
  }
  // The rest of a line that begins with `key`.
  std::string header(std::string_view key, bool next = true) {
    if (next) reader.advance();
    if (reader.words()[0] != key) unreadable("expected a line '" + std::string(key) + "'");
    std::string rest;
    for (std::size_t i = 1; i < reader.words().size(); ++i) {
      rest += (i > 1 ? " " : "") + std::string(reader.words()[i]);
    }
    return rest;
  }

  template <class R>
  typename R::State position(const typename R::Rules& rules, std::string_view text) {
    typename R::State state;
    if (!R::read_position(rules, ref_split(text, " \t\r\n"), &state)) {
      reject("not a position: " + shown(text));
    }
    return state;
  }

  template <class R>
  void check(const typename R::Rules& rules) {
    const int most = R::greatest_value(rules);
    report.position = header("position", false);
    if constexpr (requires { R::sets_up(reader.words()); })
      if (version < 5 && R::sets_up(reader.words())) unreadable("set-ups belong to version 5");
    const auto root = position<R>(rules, report.position);
    report.goal = header("goal");
    Goal goal(report.goal, most);
    report.attacker = header("attacker");
    const bool first = R::to_move(rules, root) == Player::kFirst;
    if (report.attacker != (first ? "first" : "second")) {
      reject("the attacker is not the side to move");
    }
    if (asked.position &&
        !(as_usage("--position", [&] { return position<R>(rules, *asked.position); }) == root)) {
      reject("it is about another position: " + shown(report.position));
    }
    if (asked.goal && !(as_usage("--goal", [&] { return Goal(*asked.goal, most); }) == goal)) {
      reject("it is about another goal: " + report.goal);
    }
    while (reader.next()) goal.learn(claim<R>(rules, root, most));
    report.verdict = goal.verdict();
    const bool any = goal.kind != Goal::Kind::kClaim && asked.verdict == "proved";
    if (asked.verdict && asked.verdict != report.verdict && !any) {
      reject("its verdict is " + report.verdict + ", not " + shown(*asked.verdict));
    }
  }

  // Reads from a line `claim` to its line `root`.
  template <class R>
  Claim claim(const typename R::Rules& rules, const typename R::State& root, int most) {
    const RefWords& words = reader.words();
    if (words.size() != 3 || words[0] != "claim" || !words[1].starts_with(">=") ||
        (words[2] != "proved" && words[2] != "disproved")) {
      unreadable("expected a line 'claim >=N proved' or 'claim >=N disproved'");
    }
    const Claim claim{Goal::read_threshold(words[1].substr(2), most + 1), words[2] == "proved"};
    std::conditional_t<kRepeats<R>, PathProof<R>, Proof<R>> proof(rules, root, claim, version,
                                                                  limits, report.counts);
    do {
      if (!reader.next()) unreadable("the claim has no line 'root'");
    } while (proof.line(reader.words(), reader.text_bytes()));
    if (claim.proved) report.best_move = proof.root_move();  // no later claim proves less
    return claim;
  }
};

}  // namespace

Report check(std::FILE* file, bool compressed, const Asked& asked, const Limits& limits) {
  constexpr std::uint64_t kLookAhead = 16 << 20;  // bytes of text after a line that is no proof
  Report report;
  Reader reader(file, compressed);
  std::uint64_t end = 0;
  for (const bool whole : {true, false}) {
    try {
      if (whole) Checker{reader, asked, limits, report}.run();
      while (report.status == kNotProof && reader.text_bytes() < end && reader.next()) {
      }  // damage comes first, where it is soon found
    } catch (const Failure& failure) {
      report.status = failure.status;
      report.error = failure.what();
      report.line_number = reader.line_number();
      end = reader.text_bytes() + kLookAhead;
    }
  }
  return report;
}

}  // namespace playproof::check
