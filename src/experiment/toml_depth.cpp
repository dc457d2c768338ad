#include "src/experiment/toml_depth.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace playproof {
namespace {

// Steps over texts and comments, whose dots and brackets are none.
class Scanner {
 public:
  explicit Scanner(std::string_view toml) : toml_(toml) {}

  int line_deeper_than(std::size_t most);

 private:
  bool at(std::string_view what) const { return toml_.substr(i_).starts_with(what); }
  void step() {
    if (toml_[i_] == '\n') ++line_;
    ++i_;
  }
  void skip_comment() { i_ = std::min(toml_.find('\n', i_), toml_.size()); }
  void skip_text(char quote);
  void take(char c);

  std::string_view toml_;
  std::size_t i_ = 0;
  int line_ = 1;
  std::size_t depth_ = 0;              // here
  std::vector<std::size_t> brackets_;  // where each that is open began
};

// Basic texts ("", """) have escapes, literal ones ('', ''') have none. Two quotes before the three
// that end a long text are part of it.
void Scanner::skip_text(char quote) {
  const char three[] = {quote, quote, quote};
  const std::string_view end(three, at({three, 3}) ? 3 : 1);
  const bool is_long = end.size() == 3;
  i_ += end.size();
  while (i_ < toml_.size() && !at(end)) {
    if (!is_long && toml_[i_] == '\n') return;  // an error
    if (quote == '"' && toml_[i_] == '\\' && i_ + 1 < toml_.size()) step();
    step();
  }
  i_ = std::min(i_ + end.size(), toml_.size());
  for (int more = 0; is_long && more < 2 && i_ < toml_.size() && toml_[i_] == quote; ++more) ++i_;
}

void Scanner::take(char c) {
  if (c == '[' || c == '{') {
    brackets_.push_back(depth_++);
  } else if (c == ']' || c == '}') {
    if (brackets_.empty()) return;  // an error
    depth_ = brackets_.back();
    brackets_.pop_back();
  } else if (c == '.') {
    ++depth_;
  } else if (c == ',' && !brackets_.empty()) {
    depth_ = brackets_.back() + 1;
  } else if (c == '\n' && brackets_.empty()) {
    depth_ = 0;
  }
}

int Scanner::line_deeper_than(std::size_t most) {
  while (i_ < toml_.size()) {
    const char c = toml_[i_];
    if (c == '"' || c == '\'') {
      skip_text(c);
    } else if (c == '#') {
      skip_comment();
    } else {
      take(c);
      if (depth_ > most) return line_;
      step();
    }
  }
  return 0;
}

}  // namespace

int line_deeper_than(std::string_view toml, int most) {
  return Scanner(toml).line_deeper_than(static_cast<std::size_t>(most));
}

}  // namespace playproof
