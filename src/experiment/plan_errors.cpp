#include "src/experiment/plan_errors.h"

#include <fmt/format.h>

#include <algorithm>

#include "games/core/printable.h"

namespace playproof {
namespace {

constexpr std::size_t kMostKept = 1000;
constexpr std::size_t kLongest = 2000;  // of one error, in signs

// "plan.toml:12: ...", printable.
std::string with_place(const std::string& file, int line, const std::string& text) {
  std::string shown = printable(fmt::format("{}:{}: {}", file, line, text));
  if (shown.size() <= kLongest) return shown;
  shown.resize(kLongest);
  return shown + "...";
}

std::string with_lines(std::string text, const std::vector<std::string>& lines) {
  for (const std::string& one : lines) text += "\n    " + printable(one);
  return text;
}

}  // namespace

void PlanErrors::keep(int plan_line, std::string text) {
  const bool full = entries_.size() >= kMostKept;
  if (!full && !said_.insert(text).second) return;
  ++count_;
  if (!full) entries_.push_back({plan_line, std::move(text)});
}

void PlanErrors::add(int line, const std::string& text, const std::vector<std::string>& mend) {
  std::string shown = with_place(file_, line, text);
  if (mend.size() == 1) shown += "; add: " + printable(mend[0]);
  if (mend.size() > 1) shown = with_lines(shown + "; add:", mend);
  keep(line, std::move(shown));
}

void PlanErrors::add_at_end(const std::string& text, const std::vector<std::string>& mend) {
  const std::string shown = with_place(file_, last_line_, text);
  keep(last_line_, with_lines(shown + "; at the end of the file, add:", mend));
}

void PlanErrors::add_in_data(int plan_line, const std::string& data_file, int line,
                             const std::string& text, const std::vector<std::string>& mend) {
  std::string shown = with_place(data_file, line, text);
  if (!mend.empty()) {
    shown += printable(fmt::format(
        "; if its words are columns, add to the table in {}:{}, with names of your own:", file_,
        plan_line));
    shown = with_lines(std::move(shown), mend);
  }
  keep(plan_line, std::move(shown));
}

void PlanErrors::raise() const {
  if (empty()) return;
  std::vector<Entry> sorted = entries_;
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const Entry& a, const Entry& b) { return a.plan_line < b.plan_line; });
  if (count_ == 1) throw PlanError(sorted[0].text);
  std::string lines = printable(fmt::format("{}: {} errors", file_, count_));
  for (std::size_t i = 0; i < std::min(sorted.size(), kMostShown); ++i) {
    lines += "\n" + sorted[i].text;
  }
  if (count_ > kMostShown) lines += fmt::format("\nand {} more", count_ - kMostShown);
  throw PlanError(lines);
}

}  // namespace playproof
