// playproof.check() without its defaults: the checker of certificates, which shares no code with
// the solver (src/check).
#include "src/check/check.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <memory>
#include <string>

#include "games/core/error.h"
#include "src/python/bindings.h"

namespace playproof::python {
namespace {

struct Close {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Close>;

// Does it begin as a file of zstd does?
bool is_compressed(const std::string& bytes) { return bytes.starts_with("\x28\xb5\x2f\xfd"); }

check::Report check_bytes(const nb::bytes& certificate, const check::Asked& asked,
                          std::uint64_t max_memory, std::uint64_t max_search) {
  std::string bytes(certificate.c_str(), certificate.size());
  const check::Limits limits{max_memory, max_search};
  const nb::gil_scoped_release unlocked;
  // A stream over no bytes at all cannot be had.
  const bool empty = bytes.empty();
  const File file(empty ? std::tmpfile() : fmemopen(bytes.data(), bytes.size(), "rb"));
  if (!file) throw Error(ErrorCode::kInternal, "check: no stream can be opened");
  check::Report report = check::check(file.get(), is_compressed(bytes), asked, limits);
  if (report.status == check::kUsage) throw Error(ErrorCode::kUsage, "check: " + report.error);
  return report;
}

std::string status_of(const check::Report& report) {
  if (report.status == check::kValid) return "valid";
  return report.status == check::kUnreadable ? "unreadable" : "not a proof";
}

}  // namespace

void define_check(nb::module_& module) {
  using check::Report;
  nb::class_<Report>(
      module, "CheckReport",
      "What the checker says of a certificate; true if it is valid. The fields after\n"
      "`line` are of valid ones.")
      .def_prop_ro("status", &status_of,
                   "'valid'; 'not a proof', or not of what was asked; 'unreadable' or damaged.")
      .def_prop_ro("valid", [](const Report& self) { return self.status == check::kValid; })
      .def_ro("error", &Report::error, "Why it is not valid; else ''.")
      .def_ro("line", &Report::line_number, "And in which line.")
      .def_ro("game", &Report::game)
      .def_ro("position", &Report::position)
      .def_ro("goal", &Report::goal)
      .def_ro("attacker", &Report::attacker, "'first' or 'second': the side to move.")
      .def_ro(
          "verdict", &Report::verdict,
          "'proved' or 'disproved'; of the goal 'value' 'win', 'draw' or 'loss'; of 'score' the\n"
          "number.")
      .def_prop_ro(
          "best_move",
          [](const Report& self) -> std::optional<std::string> {
            if (self.best_move.empty()) return std::nullopt;
            return self.best_move;
          },
          "Of the proof of the lower bound; None if none is needed or there.")
      .def_prop_ro(
          "listed", [](const Report& self) { return self.counts.listed; },
          "Nodes that the certificate lists.")
      .def_prop_ro(
          "finished", [](const Report& self) { return self.counts.leaves; },
          "Of these, finished positions.")
      .def_prop_ro(
          "rechecked", [](const Report& self) { return self.counts.rechecked; },
          "Of these, nodes that the checker searched itself.")
      .def_prop_ro(
          "brute_forced", [](const Report& self) { return self.counts.brute_forced; },
          "Positions that it looked at for that.")
      .def_prop_ro(
          "most_live", [](const Report& self) { return self.counts.most_live; },
          "Nodes that lived at once.")
      .def("__bool__", [](const Report& self) { return self.status == check::kValid; })
      .def("__repr__", [](const Report& self) {
        if (self.status == check::kValid) {
          return fmt::format("<playproof.CheckReport valid: {} {} goal {} {}>", self.game,
                             self.position, self.goal, self.verdict);
        }
        return fmt::format("<playproof.CheckReport {}: line {}: {}>", status_of(self),
                           self.line_number, self.error);
      });
  module.def(
      "check_bytes",
      [](const nb::bytes& certificate, const std::optional<std::string>& game,
         const std::optional<std::string>& position, const std::optional<std::string>& goal,
         const std::optional<std::string>& verdict, std::uint64_t max_memory,
         std::uint64_t max_search) {
        return check_bytes(certificate, {game, position, goal, verdict}, max_memory, max_search);
      },
      nb::arg("certificate"), nb::arg("game").none(), nb::arg("position").none(),
      nb::arg("goal").none(), nb::arg("verdict").none(), nb::arg("max_memory"),
      nb::arg("max_search"), "playproof.check() with everything said.");
}

}  // namespace playproof::python
