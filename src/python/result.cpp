// playproof.Result: what a search has found, as the program prints it.
#include "src/python/result.h"

#include <nanobind/stl/pair.h>

#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "src/formats/answer_formats.h"
#include "src/io/machine.h"
#include "src/python/bindings.h"

namespace playproof::python {
namespace {

constexpr const char* kResult =
    "What a search has found: every field that `playproof solve --json` prints, under the same\n"
    "name; to_dict() has them all. Counts are explained in docs/numbers.md.";

const SolveResult& found(const Result& self) { return self.answer.result; }
const Counters& counts(const Result& self) { return self.answer.result.counters; }

using ResultClass = nb::class_<Result>;

void define_question(ResultClass& of) {
  of.def_prop_ro(
        "game", [](const Result& self) { return self.answer.game; },
        "Canonical, with every option that matters.")
      .def_prop_ro(
          "position", [](const Result& self) { return self.answer.position; },
          "As it was given; '' is the initial one.")
      .def_prop_ro(
          "algorithm", [](const Result& self) { return self.answer.algorithm; },
          "Canonical, with the options that have an effect.")
      .def_prop_ro(
          "goal", [](const Result& self) { return self.answer.goal.text; },
          "'win', 'draw', 'score>=N', 'value' or 'score'.")
      .def_prop_ro(
          "seed", [](const Result& self) { return self.answer.seed; }, "Of the search.")
      .def_prop_ro(
          "batch", [](const Result& self) { return self.request.batch; },
          "Leaves that were expanded at a time.")
      .def_prop_ro(
          "pipeline", [](const Result& self) { return self.request.pipeline; },
          "Batches that were out at a time.")
      .def_prop_ro(
          "workers", [](const Result& self) { return self.request.workers; },
          "Threads of the search.")
      .def_prop_ro(
          "backend", [](const Result& self) { return self.answer.backend; },
          "What played the playouts; 'none' where there were none.")
      .def_prop_ro(
          "device", [](const Result& self) { return self.answer.device; },
          "'cpu', or the accelerator.")
      .def_prop_ro(
          "version", [](const Result&) { return version_text(); }, "Of the solver.");
}

void define_answer(ResultClass& of) {
  of.def_prop_ro(
        "verdict", [](const Result& self) { return std::string(to_string(found(self).verdict)); },
        "'proved', 'disproved' or 'unknown': can the side to move reach the goal?")
      .def_prop_ro(
          "decided", [](const Result& self) { return decided(self.answer); },
          "Is everything that was asked decided?")
      .def_prop_ro(
          "reason", [](const Result& self) { return std::string(to_string(self.answer.reason)); },
          "Why the search ended: 'decided', 'nodes', 'memory', 'seconds' or 'stopped'.")
      .def_prop_ro(
          "value",
          [](const Result& self) -> std::optional<std::string> {
            if (self.answer.goal.kind != Goal::Kind::kValue) return std::nullopt;
            const std::string word = value_word(self.answer);
            return word.empty() ? std::nullopt : std::optional(word);
          },
          "Of the goal 'value': 'win', 'draw' or 'loss' for the side to move; None if unknown.")
      .def_prop_ro(
          "score",
          [](const Result& self) -> std::optional<int> {
            if (self.answer.goal.kind != Goal::Kind::kScore || !decided(self.answer)) return {};
            return found(self).lower;
          },
          "Of the goal 'score': by how much the side to move wins; None if unknown.")
      .def_prop_ro(
          "bounds",
          [](const Result& self) { return std::pair(found(self).lower, found(self).upper); },
          "What is proven of the value for the side to move: at least, at most.")
      .def_prop_ro(
          "estimate",
          [](const Result& self) -> std::optional<double> {
            const auto guessed = estimate_shown(self.answer);
            return guessed ? std::optional(guessed->value()) : std::nullopt;
          },
          "What the game's evaluation guesses of the value for the side to move while it is\n"
          "undecided; proves nothing. None in games without an evaluation.")
      .def_prop_ro(
          "best_move", [](const Result& self) { return found(self).best_move; },
          "A move that keeps what was decided, while undecided what looks best; None if\n"
          "the position is finished, the goal disproved, or the value a loss.")
      .def_prop_ro(
          "principal_variation", [](const Result& self) { return found(self).principal_variation; },
          "A line that begins with the best move; decided, it goes to the game's end.")
      .def_prop_ro(
          "zone", [](const Result& self) { return found(self).zone; },
          "The cells that the proof needs, in games with zones; else empty.")
      .def_prop_ro(
          "carrier", [](const Result& self) { return carrier_of(self.answer); },
          "Those of the zone that are empty.")
      .def_prop_ro(
          "certificate",
          [](const Result& self) -> std::optional<std::string> {
            if (self.answer.certificate.empty()) return std::nullopt;
            return self.answer.certificate;
          },
          "The file that the proof was written to, if any.");
}

void define_counts(ResultClass& of) {
  const auto count = [&](const char* name, std::uint64_t Counters::*field, const char* help) {
    of.def_prop_ro(
        name, [field](const Result& self) { return counts(self).*field; }, help);
  };
  count("iterations", &Counters::iterations,
        "Cycles of a tree search, calls of a depth-first one.");
  count("nodes_created", &Counters::nodes_created, "The root included.");
  count("nodes_expanded", &Counters::nodes_expanded, "Nodes whose children were made.");
  count("evaluations", &Counters::evaluations, "Leaves evaluated by playouts.");
  count("playouts", &Counters::playouts, "Random games.");
  count("max_depth", &Counters::max_depth, "Plies below the position given.");
  count("peak_bytes", &Counters::peak_bytes, "Bytes of tree or table and path.");
  count("endings", &Counters::endings, "Positions that an exact ending decided.");
  count("ending_nodes", &Counters::ending_nodes, "Positions that it looked at for that.");
  of.def_prop_ro(
        "seconds", [](const Result& self) { return found(self).seconds; },
        "Wall time of the search, in seconds.")
      .def_prop_ro(
          "cpu_seconds", [](const Result& self) { return found(self).cpu_seconds; },
          "CPU time of the search, in seconds; with one thread that of its thread.");
  const auto part = [&](const char* name, const char* help) {
    of.def_prop_ro(
        name,
        [name](const Result& self) {
          const Json json = answer_json(self.answer);
          return nb::cast<nb::dict>(to_python(json.at(name)));
        },
        help);
  };
  part("probed", "Leaves that probes decided, by kind of probe.");
  part("counters", "How the search went: visits, switches, table look-ups and so on.");
  of.def_prop_ro(
      "worker_times",
      [](const Result& self) -> std::optional<nb::dict> {
        const Json json = answer_json(self.answer);
        if (!json.contains("worker_times")) return std::nullopt;
        return nb::cast<nb::dict>(to_python(json.at("worker_times")));
      },
      "Of several threads: CPU seconds of each, and shares of their wall time without a job,\n"
      "waiting for a lock, and resting; None with one.");
}

std::string as_text(const SolveAnswer& answer, const std::string& name, bool mirrored) {
  const AnswerFormat format = parse_answer_format(name);
  check_answer_format(format, answer.game);
  return format == AnswerFormat::kText ? answer_text(answer) : answer_in(format, answer, mirrored);
}

}  // namespace

void define_result(nb::module_& module) {
  ResultClass of(module, "Result", kResult);
  define_question(of);
  define_answer(of);
  define_counts(of);
  of.def(
        "to_dict",
        [](const Result& self) { return nb::cast<nb::dict>(to_python(answer_json(self.answer))); },
        "The object that `playproof solve --json` prints, as a dict.")
      .def(
          "as_text",
          [](const Result& self, const std::string& format, bool mirrored) {
            return as_text(self.answer, format, mirrored);
          },
          nb::arg("format") = "text", nb::arg("mirrored") = false,
          "The answer as `playproof solve --format` writes it: 'text', 'obf' and 'ggf' (Othello),\n"
          "'sgf' (Hex, Othello, Connect6), without a line end after the last line. `mirrored`: as\n"
          "the Record says whose position it is. Raises UsageError (a ValueError) for a format "
          "that\n"
          "there is not, or that the game does not have.")
      .def("__str__", [](const Result& self) { return answer_text(self.answer); })
      .def("__repr__", [](const Result& self) {
        return "<playproof.Result " + self.answer.game + ": " + answer_line(self.answer) + ">";
      });
  of.def_prop_ro("_proof",
                 [](const Result& self) -> nb::object {
                   if (!self.proof) return nb::none();
                   return nb::bytes(self.proof->data(), self.proof->size());
                 })
      .def_ro("_interrupted", &Result::interrupted)
      .def_ro("_failure", &Result::failure);
}

}  // namespace playproof::python
