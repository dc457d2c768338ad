#include "src/io/solve_result.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "host/solve/position.h"
#include "src/io/answer_words.h"
#include "src/io/json.h"
#include "src/io/machine.h"
#include "src/io/quantities.h"

namespace playproof {
namespace {

double per_second(std::uint64_t count, double seconds) {
  return seconds > 0 ? static_cast<double>(count) / seconds : 0;
}

// "proved", or what is known of the number asked for: "value draw", "score 14", "score -2..64".
std::string finding(const SolveAnswer& answer) {
  const SolveResult& result = answer.result;
  if (answer.goal.kind == Goal::Kind::kThreshold) return to_string(result.verdict);
  const bool score = answer.goal.kind == Goal::Kind::kScore;
  if (!decided(answer)) {
    return fmt::format("{} unknown, {}..{}", score ? "score" : "value", result.lower, result.upper);
  }
  return score ? fmt::format("score {}", result.lower) : "value " + value_word(answer);
}

// "wins", "wins or draws", "scores 4 or more": what a proved claim says of the side to move.
std::string claim_text(const Goal& goal) {
  if (goal.text == "win") return "wins";
  if (goal.text == "draw") return "wins or draws";
  return fmt::format("scores {} or more", goal.threshold);
}

std::string explanation(const SolveAnswer& answer) {
  if (answer.goal.kind != Goal::Kind::kThreshold) return " (for the side to move)";
  if (!decided(answer)) return "";
  const bool proved = answer.result.verdict == Verdict::kProved;
  return fmt::format(" ({}: the side to move {})", proved ? "true" : "false",
                     claim_text(answer.goal));
}

// What only some searches count, and no store has, is left out of the answers of others.
bool has(const Counters& counters, const CounterField& field) {
  if (field.value == &Counters::second_searches || field.value == &Counters::second_decided) {
    return counters.second_searches > 0;
  }
  if (field.value == &Counters::zone_solved || field.value == &Counters::pattern_hits) {
    return counters.zone_solved + counters.pattern_hits > 0;
  }
  // `probed` says them.
  return field.value != &Counters::bridges && field.value != &Counters::connections;
}

// The zone of the position, and what zones decided that is counted: of trees only patterns are.
std::string zone_text(const SolveResult& result) {
  const Counters& counters = result.counters;
  std::string text = fmt::format("zone        {} cells", result.zone.size());
  const char* separator = "; ";
  const auto add = [&](std::uint64_t count, const char* of) {
    if (count == 0) return;
    text += fmt::format("{}{} {}", separator, count, of);
    separator = ", ";
  };
  add(counters.zone_solved, "replies decided by zones");
  add(counters.pattern_hits, "nodes by patterns");
  add(counters.bridges, "leaves by bridges");
  add(counters.connections, "nodes by connections");
  return text + '\n';
}

}  // namespace

SolveAnswer make_answer(const Solver& solver, const SolveRequest& request, StopReason reason) {
  SolveAnswer answer;
  answer.game = solver.game();
  answer.algorithm = solver.algorithm();
  answer.backend = solver.backend();
  answer.device = solver.device();
  answer.goal = parse_goal(solver.goal());
  answer.position = request.position;
  answer.seed = request.seed;
  answer.batch = request.batch;
  answer.pipeline = request.pipeline;
  answer.reason = reason;
  answer.result = solver.result();
  return answer;
}

bool decided(const SolveAnswer& answer) {
  if (answer.goal.kind == Goal::Kind::kThreshold) {
    return answer.result.verdict != Verdict::kUnknown;
  }
  return answer.result.lower == answer.result.upper;
}

std::string verdict_text(const SolveAnswer& answer) {
  if (!decided(answer) || answer.goal.kind == Goal::Kind::kThreshold) {
    return to_string(answer.result.verdict);
  }
  const bool score = answer.goal.kind == Goal::Kind::kScore;
  return score ? std::to_string(answer.result.lower) : value_word(answer);
}

std::string value_word(const SolveAnswer& answer) {
  if (!decided(answer)) return "";
  if (answer.result.lower == 0) return "draw";
  return answer.result.lower > 0 ? "win" : "loss";
}

std::vector<std::string> carrier_of(const SolveAnswer& answer) {
  std::vector<std::string> carrier;
  if (answer.result.zone.empty()) return carrier;
  const std::vector<std::string> free = make_position(answer.game, answer.position)->moves();
  for (const std::string& cell : answer.result.zone) {
    if (std::find(free.begin(), free.end(), cell) != free.end()) carrier.push_back(cell);
  }
  return carrier;
}

Json answer_json(const SolveAnswer& answer) {
  const SolveResult& result = answer.result;
  const Counters& counters = result.counters;
  Json json = {{"game", answer.game},
               {"position", answer.position},
               {"algorithm", answer.algorithm},
               {"goal", answer.goal.text},
               {"verdict", to_string(result.verdict)}};
  if (answer.goal.kind == Goal::Kind::kValue) {
    const std::string word = value_word(answer);
    json["value"] = word.empty() ? Json() : Json(word);
  }
  if (answer.goal.kind == Goal::Kind::kScore) {
    json["score"] = decided(answer) ? Json(result.lower) : Json();
    json["bounds"] = {result.lower, result.upper};
  }
  json["best_move"] = result.best_move ? Json(*result.best_move) : Json();
  json["principal_variation"] = result.principal_variation;
  if (!result.zone.empty()) {
    json["zone"] = result.zone;
    json["carrier"] = carrier_of(answer);
  }
  json["iterations"] = counters.iterations;
  json["nodes_created"] = counters.nodes_created;
  json["nodes_expanded"] = counters.nodes_expanded;
  json["evaluations"] = counters.evaluations;
  json["playouts"] = counters.playouts;
  Json probed = Json::object();  // leaves that probes decided
  if (counters.endings > 0) probed["endings"] = counters.endings;
  if (counters.bridges > 0) probed["bridges"] = counters.bridges;
  if (counters.connections > 0) probed["connections"] = counters.connections;
  if (counters.second_decided > 0) probed["pn2"] = counters.second_decided;
  json["probed"] = std::move(probed);
  if (counters.endings > 0) {
    json["endings"] = counters.endings;
    json["ending_nodes"] = counters.ending_nodes;
  }
  json["max_depth"] = counters.max_depth;
  json["seconds"] = result.seconds;
  json["cpu_seconds"] = result.cpu_seconds;
  json["peak_bytes"] = counters.peak_bytes;
  json["seed"] = answer.seed;
  if (answer.pipeline > 1) {  // else there is nothing to say of it, as before there was any
    json["batch"] = answer.batch;
    json["pipeline"] = answer.pipeline;
  }
  json["backend"] = answer.backend;
  json["device"] = answer.device;
  json["version"] = version_text();
  json["certificate"] = answer.certificate.empty() ? Json() : Json(answer.certificate);
  Json& way = json["counters"];
  for (const CounterField& field : kWayFields) {
    if (has(counters, field)) way[field.name] = counters.*field.value;
  }
  return json;
}

std::string answer_text(const SolveAnswer& answer, const std::string& board) {
  const SolveResult& result = answer.result;
  const Counters& counters = result.counters;
  std::string text = answer_words(answer) + "\n\n";
  if (!board.empty()) text += board + '\n';
  text += fmt::format("game        {}\nposition    {}\ngoal        {}\nalgorithm   {}\n",
                      answer.game, answer.position.empty() ? "(initial)" : answer.position,
                      answer.goal.text, answer.algorithm);
  text += fmt::format("verdict     {}{}\n", finding(answer), explanation(answer));
  if (!decided(answer)) text += fmt::format("stopped by  {}\n", to_string(answer.reason));
  text += fmt::format("best move   {}\n", result.best_move.value_or("-"));
  if (!result.principal_variation.empty()) {
    text += fmt::format("line        {}\n", fmt::join(result.principal_variation, " "));
  }
  text += fmt::format("iterations  {} ({:.3g} a second)\n", counters.iterations,
                      per_second(counters.iterations, result.seconds));
  text += fmt::format("nodes       {} created ({:.3g} a second), {} expanded, greatest depth {}\n",
                      counters.nodes_created, per_second(counters.nodes_created, result.seconds),
                      counters.nodes_expanded, counters.max_depth);
  if (counters.playouts > 0) {
    text +=
        fmt::format("playouts    {} at {} leaves ({:.3g} a second), backend {} on {}\n",
                    counters.playouts, counters.evaluations,
                    per_second(counters.playouts, result.seconds), answer.backend, answer.device);
  }
  if (answer.pipeline > 1) {
    text += fmt::format("pipeline    up to {} batches of {} leaves out\n", answer.pipeline,
                        answer.batch);
  }
  if (!result.zone.empty()) text += zone_text(result);
  const std::vector<std::string> carrier = carrier_of(answer);
  if (!carrier.empty()) text += fmt::format("carrier     {}\n", fmt::join(carrier, " "));
  if (counters.endings > 0) {
    text += fmt::format("endings     {} positions decided exactly, {} looked at for that\n",
                        counters.endings, counters.ending_nodes);
  }
  if (counters.second_searches > 0) {
    text += fmt::format("searches    {} of a second level, {} leaves decided by them\n",
                        counters.second_searches, counters.second_decided);
  }
  if (counters.table_lookups > 0) {
    text += fmt::format("table       {} look-ups, {} hits, {} of them useful; {} replaced\n",
                        counters.table_lookups, counters.table_hits, counters.table_useful_hits,
                        counters.table_replaced + counters.table_discarded);
  }
  text += fmt::format("time        {:.3f} s ({:.3f} s of CPU), memory {}\n", result.seconds,
                      result.cpu_seconds, bytes_text(counters.peak_bytes));
  if (!answer.certificate.empty()) text += fmt::format("certificate {}\n", answer.certificate);
  return text;
}

std::string answer_line(const SolveAnswer& answer) {
  const SolveResult& result = answer.result;
  return fmt::format("{}  {}  best move {}  {} iterations  {} nodes  {:.3f} s",
                     answer.position.empty() ? "(initial)" : answer.position, finding(answer),
                     result.best_move.value_or("-"), result.counters.iterations,
                     result.counters.nodes_created, result.seconds);
}

}  // namespace playproof
