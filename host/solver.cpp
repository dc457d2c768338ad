#include "host/solver.h"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <fstream>

#include "games/error.h"
#include "games/perft.h"
#include "games/visit.h"
#include "host/claims.h"
#include "host/evaluator.h"
#include "host/make_solver.h"

namespace playproof {
namespace {

// The options of the algorithm, with defaults that depend on other options filled in.
Options algorithm_options(const std::string& text) {
  const Spec spec = parse_spec(text);
  const CatalogueEntry& entry = algorithm_catalogue().find(spec.name);
  Options options(entry, spec);
  if (entry.name == "pn" && options.word("ties") == "deepest" && !options.given("stop")) {
    options.set("stop", "allis");  // the rules that compare numbers know nothing of depths
  }
  if (entry.name == "pn" &&
      (options.word("leaf") == "playouts" || options.word("leaf") == "both")) {
    constexpr std::pair<const char*, const char*> kDefaults[] = {
        {"playouts", "64"}, {"form", "power"}, {"A", "32768"}, {"S", "1000"}};
    for (const auto& [key, value] : kDefaults) {
      if (!options.given(key)) options.set(key, value);
    }
  }
  if ((entry.name == "dfpn" || entry.name == "pds" || entry.name == "pnstar") &&
      (options.given("E") || options.given("D")) && !options.given("leaf")) {
    options.set("leaf", "deep");
  }
  if (entry.name != "mcpn" && entry.name != "ppn") return options;
  const auto n = static_cast<double>(options.integer("playouts"));
  const auto number = [](double x) {
    char buffer[32];
    return std::string(buffer, std::to_chars(buffer, buffer + sizeof buffer, x).ptr);
  };
  if (!options.given("theta")) {
    options.set("theta", number(1 / (4 * n)));
  } else if (options.real("theta") >= 1 / (2 * n)) {
    throw Error(ErrorCode::kUsage, entry.name + ": theta must be below 1/(2 * playouts) = " +
                                       number(1 / (2 * n)) + ", not " + options.word("theta"));
  }
  return options;
}

Bracket bracket_of(const Options& algorithm) {
  const auto& options = algorithm.entry().options;
  const bool chosen = std::any_of(options.begin(), options.end(), [](const OptionInfo& option) {
    return option.name == "bracket";
  });
  const bool linear = chosen && algorithm.word("bracket") == "linear";
  return linear ? Bracket::kLinear : Bracket::kBinary;
}

void check_goal(const Goal& goal, const std::string& game, int max_value) {
  const bool score = goal.kind == Goal::Kind::kScore || goal.text.starts_with("score");
  if (!score) return;
  if (max_value <= 1) {
    throw Error(ErrorCode::kUsage,
                "goal " + goal.text + ": " + game + " has no scores; there is: win, draw, value");
  }
  if (goal.kind == Goal::Kind::kThreshold &&
      (goal.threshold < -max_value || goal.threshold > max_value)) {
    throw Error(ErrorCode::kUsage, "goal " + goal.text + ": N must be " +
                                       std::to_string(-max_value) + ".." +
                                       std::to_string(max_value) + " in " + game);
  }
}

void check_request(const SolveRequest& request) {
  if (request.batch < 1) throw Error(ErrorCode::kUsage, "batch must be at least 1");
  if (request.threads < 1) throw Error(ErrorCode::kUsage, "threads must be at least 1");
}

// What the control group of the process may use; no limit where there is none.
std::uint64_t container_memory() {
  std::uint64_t bytes = SearchLimits::kNone;
  std::ifstream file("/sys/fs/cgroup/memory.max");  // a number, or the word "max"
  if (!(file >> bytes)) bytes = SearchLimits::kNone;
  return bytes;
}

}  // namespace

const char* to_string(Verdict verdict) {
  static constexpr const char* kNames[] = {"unknown", "proved", "disproved"};
  return kNames[static_cast<int>(verdict)];
}

const char* to_string(StopReason reason) {
  static constexpr const char* kNames[] = {"running", "decided", "nodes",
                                           "memory",  "seconds", "stopped"};
  return kNames[static_cast<int>(reason)];
}

Goal parse_goal(const std::string& text) {
  if (text == "win") return {Goal::Kind::kThreshold, 1, text};
  if (text == "draw") return {Goal::Kind::kThreshold, 0, text};
  if (text == "value") return {Goal::Kind::kValue, 0, text};
  if (text == "score") return {Goal::Kind::kScore, 0, text};
  constexpr std::string_view kScore = "score>=";
  std::int64_t n = 0;
  if (text.starts_with(kScore)) {
    const std::string_view whole = text;
    std::string_view digits = whole.substr(kScore.size());
    if (digits.starts_with('+')) digits.remove_prefix(1);
    if (parse_integer(digits, &n) && n >= -64 && n <= 64) {
      return {Goal::Kind::kThreshold, static_cast<int>(n), std::string(kScore) + std::to_string(n)};
    }
    throw Error(ErrorCode::kUsage,
                "goal score>=N: N must be a whole number -64..64" + not_a_number(digits));
  }
  const std::vector<std::string> known = {"win", "draw", "score>=N", "value", "score"};
  throw Error(ErrorCode::kUsage, "unknown goal '" + text +
                                     "'; there is: win, draw, score>=N, value, score; nearest: '" +
                                     nearest_match(text, known) + "'");
}

std::uint64_t memory_limit(const SearchLimits& limits) {
  if (limits.max_memory != 0) return limits.max_memory;
  const auto pages = static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES));
  const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  return std::min(pages * page, container_memory()) / 5 * 4;
}

std::unique_ptr<Solver> make_solver(const SolveRequest& request) {
  backend_catalogue().find(parse_spec(request.backend).name);
  return make_any_solver(request);
}

std::unique_ptr<Solver> make_any_solver(const SolveRequest& request) {
  check_request(request);
  const Options algorithm = algorithm_options(request.algorithm);
  const Goal goal = parse_goal(request.goal);
  return visit_game(
      request.game, [&]<class G>(const typename G::Rules& rules) -> std::unique_ptr<Solver> {
        const SolverNames names{GameText<G>::canonical(rules), algorithm.canonical(), goal.text};
        const int max = std::max<int>(G::max_value(rules), -G::min_value(rules));
        check_goal(goal, names.game, max);
        const auto position = GameText<G>::parse(rules, request.position);
        if (goal.kind == Goal::Kind::kThreshold) {
          return make_claim_solver<G>(rules, position, goal.threshold, algorithm, request, names);
        }
        auto make = [=](int threshold, const SearchLimits& limits) {
          SolveRequest claim = request;
          claim.limits = limits;
          return make_claim_solver<G>(rules, position, threshold, algorithm, claim, names);
        };
        return make_two_claim_solver(goal, -max, max, bracket_of(algorithm), request, make);
      });
}

bool same_position(const std::string& game, const std::string& a, const std::string& b) {
  return visit_game(game, [&]<class G>(const typename G::Rules& rules) {
    return GameText<G>::parse(rules, a) == GameText<G>::parse(rules, b);
  });
}

std::uint64_t perft(const std::string& game, const std::string& position, int depth,
                    bool reference) {
  return visit_game(game, [&]<class G>(const typename G::Rules& rules) {
    const auto state = GameText<G>::parse(rules, position);
    return reference ? perft_by_reference<G>(rules, state, depth) : perft<G>(rules, state, depth);
  });
}

OracleAnswer oracle(const std::string& game, const std::string& position, const std::string& goal,
                    const OracleLimits& limits) {
  const Goal asked = parse_goal(goal);
  if (asked.kind != Goal::Kind::kThreshold) {
    throw Error(ErrorCode::kUsage, "oracle: goal must be win, draw or score>=N, not " + goal);
  }
  return visit_game(game, [&]<class G>(const typename G::Rules& rules) {
    check_goal(asked, GameText<G>::canonical(rules), G::max_value(rules));
    return ask_oracle<G>(rules, GameText<G>::parse(rules, position), asked.threshold, limits);
  });
}

}  // namespace playproof
