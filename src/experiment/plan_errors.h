// All errors of a plan, so that one try shows them all.
#pragma once

#include <cstddef>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "games/core/error.h"

namespace playproof {

// Error(kData). One error is "plan.toml:12: ...", several have a line before them that counts them.
// Lines that would mend an error follow it, indented. All but the ends of lines is printable ASCII.
class PlanError : public Error {
 public:
  // `lines`: printable, with '\n' between them.
  explicit PlanError(const std::string& lines) : Error(ErrorCode::kData, lines), lines_(lines) {}
  const char* what() const noexcept override { return lines_.what(); }

 private:
  std::runtime_error lines_;  // whose copies never fail
};

class PlanErrors {
 public:
  // `file`: the plan; `last_line`: its last.
  explicit PlanErrors(std::string file, int last_line = 1)
      : file_(std::move(file)), last_line_(last_line) {}

  // An error in a line of the plan; `mend`: lines to add. What was said before of the same line is
  // not said again.
  void add(int line, const std::string& text, const std::vector<std::string>& mend = {});
  // What the plan lacks as a whole, told in its last line; `mend`: tables to add after it.
  void add_at_end(const std::string& text, const std::vector<std::string>& mend);
  // An error in a data file that a line of the plan names; `mend`: lines to add to that table.
  void add_in_data(int plan_line, const std::string& data_file, int line, const std::string& text,
                   const std::vector<std::string>& mend = {});

  const std::string& file() const { return file_; }
  bool empty() const { return count_ == 0; }
  std::size_t count() const { return count_; }
  // Throws PlanError if there are any: in the order of the plan's lines, the first kMostShown.
  void raise() const;

  static constexpr std::size_t kMostShown = 20;

 private:
  struct Entry {
    int plan_line;
    std::string text;  // with its place, printable; lines to add after it
  };
  void keep(int plan_line, std::string text);

  std::string file_;
  int last_line_;
  std::vector<Entry> entries_;
  std::set<std::string> said_;
  std::size_t count_ = 0;
};

}  // namespace playproof
