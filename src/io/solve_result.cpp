#include "src/io/solve_result.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "games/core/printable.h"
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
  if (field.value == &Counters::race_nodes) return counters.race_nodes > 0;
  if (field.value == &Counters::path_hits) return counters.path_hits > 0;
  return field.value != &Counters::bridges && field.value != &Counters::links &&
         field.value != &Counters::races;
}

// These words are for people; stores have those of to_string().
std::string reason_text(StopReason reason) {
  return reason == StopReason::kStopped ? "a signal" : to_string(reason);
}

// The zone of the position, and what zones decided that is counted: of trees only patterns are.
std::string zone_text(const SolveResult& result) {
  const Counters& counters = result.counters;
  std::string text = "zone        " + counted(result.zone.size(), "cell");
  const char* separator = "; ";
  const auto add = [&](std::uint64_t count, const char* one, const char* more, const char* by) {
    if (count == 0) return;
    text += separator + counted(count, one, more) + by;
    separator = ", ";
  };
  add(counters.zone_solved, "reply", "replies", " decided by zones");
  add(counters.pattern_hits, "node", "nodes", " by patterns");
  add(counters.bridges, "leaf", "leaves", " by bridges");
  add(counters.links, "node", "nodes", " by connections");
  return text + '\n';
}

const char* to_string(ThreatFindings::Outcome outcome) {
  static constexpr const char* kNames[] = {"win", "cut", "exhausted"};
  return kNames[static_cast<int>(outcome)];
}

// "macro": against all hitting cells at once; "all": against each reply.
const char* replies_word(const ThreatFindings& threats) { return threats.macro ? "macro" : "all"; }

void add_threats(const ThreatFindings& threats, Json* json) {
  Json& said = (*json)["threats"];
  said["outcome"] = to_string(threats.outcome);
  if (threats.turns > 0) {
    said["turns"] = threats.turns;
    said["replies"] = replies_word(threats);
  }
  said["pairs"] = threats.pairs;
  said["macro_nodes"] = threats.macro_nodes;
  said["reply_nodes"] = threats.reply_nodes;
  if (!threats.zone.empty()) (*json)["zone"] = threats.zone;
}

std::string threats_text(const ThreatFindings& threats) {
  std::string text = fmt::format("threats     {}", to_string(threats.outcome));
  if (threats.turns > 0) {
    text +=
        fmt::format(" in {}, by {} replies", counted(threats.turns, "turn"), replies_word(threats));
  }
  text += fmt::format("; {} looked at, {} against macro replies, {} against all\n",
                      counted(threats.pairs, "pair"), counted(threats.macro_nodes, "position"),
                      threats.reply_nodes);
  if (threats.zone.empty()) return text;
  text += "zones      ";
  std::size_t cells = 0;
  for (const auto& place : threats.zone) text += fmt::format(" {}", cells += place.size());
  return text + " cells, with 0 to 4 more stones of the other side\n";
}

void add_workers(const SolveAnswer& answer, Json* json) {
  (*json)["workers"] = answer.workers;
  const CrewTimes& times = answer.result.crew;
  if (times.workers.empty()) return;  // there was nothing to search for
  Json each = Json::array();
  for (const WorkerTimes& one : times.workers) each.push_back(one.cpu_seconds);
  (*json)["worker_times"] = {{"cpu_seconds", std::move(each)},
                             {"main_cpu_seconds", times.main_cpu_seconds},
                             {"idle_share", times.idle_share()},
                             {"lock_wait_share", times.lock_wait_share()},
                             {"rest_share", times.rest_share()}};
}

std::string workers_text(const SolveAnswer& answer) {
  const CrewTimes& times = answer.result.crew;
  std::string text = fmt::format("workers     {}", answer.workers);
  if (!times.workers.empty()) {
    text += fmt::format("; without a job {:.1f} %, waiting for the lock {:.1f} %, resting {:.1f} %",
                        100 * times.idle_share(), 100 * times.lock_wait_share(),
                        100 * times.rest_share());
  }
  return text + '\n';
}

// What the record that was asked about calls what the search has found.
struct Named {
  explicit Named(const SolveAnswer& answer)
      : game(answer.names ? answer.names->game : answer.game),
        position(answer.names ? answer.names->position : answer.position),
        best_move(answer.result.best_move),
        line(answer.result.principal_variation),
        zone(answer.result.zone),
        carrier(carrier_of(answer)) {
    if (!answer.names) return;
    if (best_move) best_move = answer.names->move(*best_move);
    line = answer.names->moves(line);
    zone = answer.names->moves(zone);
    carrier = answer.names->moves(carrier);
  }
  // The position, in a text for people.
  std::string position_text() const { return position.empty() ? "(initial)" : position; }

  std::string game;
  std::string position;
  std::optional<std::string> best_move;
  std::vector<std::string> line;
  std::vector<std::string> zone;
  std::vector<std::string> carrier;
};

// What was searched, where the record calls it otherwise: certificates and checkpoints have that.
std::string searched_text(const SolveAnswer& answer) {
  if (answer.game == answer.names->game && answer.position == answer.names->position) return {};
  return fmt::format("searched    {}{}, which is the same with {}\n",
                     answer.game == answer.names->game ? "" : answer.game + " ",
                     answer.position.empty() ? "(initial)" : answer.position,
                     answer.names->exchanged ? "players and axes exchanged" : "axes exchanged");
}

void add_names(const SolveAnswer& answer, Json* json) {
  if (!answer.names) return;
  if (answer.names->mirrored) (*json)["mirrored"] = true;
  const Player player = make_position(answer.game, answer.position)->to_move();
  const GameWords words = answer.names->words(game_words(answer.game));
  (*json)["to_move"] = std::string(words.of(player));
  if (answer.names->game != answer.game) (*json)["searched_game"] = answer.game;
  if (answer.names->position != answer.position) (*json)["searched_position"] = answer.position;
}

}  // namespace

SolveAnswer make_answer(const Solver& solver, const SolveRequest& request, StopReason reason) {
  SolveAnswer answer;
  answer.game = solver.game();
  answer.algorithm = solver.algorithm_in_effect();
  answer.backend = solver.backend();
  answer.device = solver.device();
  answer.goal = parse_goal(solver.goal());
  answer.position = request.position;
  answer.seed = request.seed;
  answer.batch = request.batch;
  answer.pipeline = request.pipeline;
  answer.workers = request.workers;
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

std::optional<Estimate> estimate_shown(const SolveAnswer& answer) {
  return decided(answer) ? std::nullopt : answer.result.estimate;
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

std::vector<std::string> carrier_shown(const SolveAnswer& answer) {
  std::vector<std::string> carrier = carrier_of(answer);
  const std::size_t free = make_position(answer.game, answer.position)->moves().size();
  return carrier.size() < free ? carrier : std::vector<std::string>();
}

Json answer_json(const SolveAnswer& answer) {
  const SolveResult& result = answer.result;
  const Counters& counters = result.counters;
  const Named named(answer);
  Json json = {{"game", named.game},
               {"position", named.position},
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
  if (const auto guessed = estimate_shown(answer)) json["estimate"] = guessed->value();
  json["best_move"] = named.best_move ? Json(*named.best_move) : Json();
  json["principal_variation"] = named.line;
  if (!named.zone.empty()) {
    json["zone"] = named.zone;
    json["carrier"] = named.carrier;
  }
  if (result.threats) add_threats(*result.threats, &json);
  json["iterations"] = counters.iterations;
  json["nodes_created"] = counters.nodes_created;
  json["nodes_expanded"] = counters.nodes_expanded;
  json["evaluations"] = counters.evaluations;
  json["playouts"] = counters.playouts;
  Json probed = Json::object();  // leaves that probes decided
  if (counters.endings > 0) probed["endings"] = counters.endings;
  if (counters.bridges > 0) probed["bridges"] = counters.bridges;
  if (counters.links > 0) probed["connections"] = counters.links;
  if (counters.races > 0) probed["races"] = counters.races;
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
  if (answer.workers > 1) add_workers(answer, &json);
  json["backend"] = answer.backend;
  json["device"] = answer.device;
  json["version"] = version_text();
  json["certificate"] = answer.certificate.empty() ? Json() : Json(answer.certificate);
  Json& way = json["counters"];
  for (const CounterField& field : kWayFields) {
    if (has(counters, field)) way[field.name] = counters.*field.value;
  }
  add_names(answer, &json);
  return json;
}

std::string answer_text(const SolveAnswer& answer, const std::string& board) {
  const SolveResult& result = answer.result;
  const Counters& counters = result.counters;
  const Named named(answer);
  std::string text = answer_words(answer) + "\n\n";
  if (!board.empty()) text += board + '\n';
  text +=
      fmt::format("game        {}\nposition    {}\n", named.game, one_line(named.position_text()));
  if (answer.names) text += searched_text(answer);
  text += fmt::format("goal        {}\nalgorithm   {}\n", answer.goal.text, answer.algorithm);
  text += fmt::format("verdict     {}{}\n", finding(answer), explanation(answer));
  if (!decided(answer)) text += fmt::format("stopped by  {}\n", reason_text(answer.reason));
  if (const auto guessed = estimate_shown(answer)) {
    text += fmt::format("estimate    {:+.3g} for the side to move, which proves nothing\n",
                        guessed->value());
  }
  text += fmt::format("best move   {}\n", named.best_move.value_or("-"));
  if (!named.line.empty()) text += fmt::format("line        {}\n", fmt::join(named.line, " "));
  text += fmt::format("iterations  {} ({:.3g} a second)\n", counters.iterations,
                      per_second(counters.iterations, result.seconds));
  text += fmt::format("nodes       {} created ({:.3g} a second), {} expanded, greatest depth {}\n",
                      counters.nodes_created, per_second(counters.nodes_created, result.seconds),
                      counters.nodes_expanded, counters.max_depth);
  if (counters.playouts > 0) {
    text +=
        fmt::format("playouts    {} at {} ({:.3g} a second), backend {} on {}\n", counters.playouts,
                    counted(counters.evaluations, "leaf", "leaves"),
                    per_second(counters.playouts, result.seconds), answer.backend, answer.device);
  }
  if (answer.pipeline > 1) {
    text += fmt::format("pipeline    up to {} of {} out\n",
                        counted(answer.pipeline, "batch", "batches"),
                        counted(answer.batch, "leaf", "leaves"));
  }
  if (answer.workers > 1) text += workers_text(answer);
  if (!result.zone.empty()) text += zone_text(result);
  if (result.threats) text += threats_text(*result.threats);
  if (!carrier_shown(answer).empty()) {
    text += fmt::format("carrier     {}\n", fmt::join(named.carrier, " "));
  }
  if (counters.endings > 0) {
    text += fmt::format("endings     {} decided exactly, {} looked at for that\n",
                        counted(counters.endings, "position"), counters.ending_nodes);
  }
  if (counters.race_nodes > 0) {
    text += fmt::format("threats     {} won by threats, {} looked at for that\n",
                        counted(counters.races, "position"), counters.race_nodes);
  }
  if (counters.second_searches > 0) {
    text +=
        fmt::format("searches    {} of a second level, {} decided by them\n",
                    counters.second_searches, counted(counters.second_decided, "leaf", "leaves"));
  }
  if (counters.table_lookups > 0) {
    text +=
        fmt::format("table       {}, {}, {} of them useful; {} replaced\n",
                    counted(counters.table_lookups, "look-up"), counted(counters.table_hits, "hit"),
                    counters.table_useful_hits, counters.table_replaced + counters.table_discarded);
  }
  text += fmt::format("time        {:.3f} s ({:.3f} s of CPU), memory {}\n", result.seconds,
                      result.cpu_seconds, bytes_text(counters.peak_bytes));
  if (!answer.certificate.empty()) {
    text += fmt::format("certificate {}\n", one_line(answer.certificate));
  }
  return text;
}

std::string answer_line(const SolveAnswer& answer) {
  const SolveResult& result = answer.result;
  const Named named(answer);
  return fmt::format("{}  {}  best move {}  {}  {}  {:.3f} s", one_line(named.position_text()),
                     finding(answer), named.best_move.value_or("-"),
                     counted(result.counters.iterations, "iteration"),
                     counted(result.counters.nodes_created, "node"), result.seconds);
}

}  // namespace playproof
