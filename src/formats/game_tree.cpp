#include "src/formats/game_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <utility>

#include "games/core/spec.h"
#include "games/core/text_tools.h"

namespace playproof {
namespace {

bool is_letter(char c) { return letter_index(c) >= 0; }
bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }

class TreeParser {
 public:
  TreeParser(std::string_view text, const Place& place) : text_(text), place_(place) {}

  std::vector<TreeNode> main_line() {
    while (!ended() && now() != '(') skip();
    std::vector<TreeNode> nodes;
    int depth = 0;
    bool main = true;
    bool opened = false;  // a tree: it begins with a node
    bool closed = false;  // a variation: only another one can follow
    while (skip_blanks()) {
      const char c = now();
      if (c != ';' && (opened || (c != '(' && c != ')'))) {
        fail(opened ? "expected ';', with which a tree begins" : "expected ';', '(' or ')'");
      }
      if (c == ';' && closed) fail("expected '(' or ')' after a variation");
      skip();
      if (c == ';') {
        TreeNode node = properties();
        if (main) nodes.push_back(std::move(node));
        opened = false;
      } else if (c == '(') {
        ++depth;
        opened = true;
        closed = false;
      } else {
        main = false;
        closed = true;
        if (--depth == 0) return nodes;
      }
    }
    fail("the game does not end");
  }

 private:
  bool ended() const { return at_ == text_.size(); }
  char now() const { return text_[at_]; }
  void skip() {
    ++place_.offset;
    if (text_[at_++] == '\n') place_ = {place_.line + 1, 0};
  }
  bool skip_blanks() {
    while (!ended() && is_ascii_space(now())) skip();
    return !ended();
  }
  [[noreturn]] void fail(const char* what) const { throw RecordError(what, place_); }

  TreeNode properties() {
    TreeNode node;
    while (skip_blanks() && is_letter(now())) {
      TreeProperty property;
      property.place = place_;
      for (; !ended() && is_letter(now()); skip()) {
        if (is_capital(now())) property.name += now();
      }
      while (skip_blanks() && now() == '[') property.values.push_back(value());
      if (property.values.empty()) fail("expected '[' after the name of a property");
      node.push_back(std::move(property));
    }
    return node;
  }

  TreeValue value() {
    skip();  // [
    TreeValue value;
    value.place = place_;
    while (!ended() && now() != ']') {
      if (now() == '\\') skip();
      if (ended()) break;
      value.text += now();
      skip();
    }
    if (ended()) fail("a value does not end: ']' is missing");
    skip();
    return value;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  Place place_;
};

}  // namespace

bool begins_tree(std::string_view line) {
  std::size_t at = line.find_first_not_of(" \t");
  if (at == std::string_view::npos) return false;
  const std::size_t digits = line.find_first_not_of("0123456789", at);
  if (digits != std::string_view::npos && digits > at) at = line.find_first_not_of(" \t", digits);
  return at != std::string_view::npos && line[at] == '(';
}

bool TreeEnd::take(char c) {
  if (value_) {
    if (!escaped_ && c == ']') value_ = false;
    escaped_ = !escaped_ && c == '\\';
    return false;
  }
  if (c == '[') value_ = true;
  if (c == '(') ++depth_;
  return c == ')' && --depth_ <= 0;
}

const TreeProperty* find_property(const TreeNode& node, std::string_view name) {
  const auto found =
      std::find_if(node.begin(), node.end(), [&](const TreeProperty& p) { return p.name == name; });
  return found == node.end() ? nullptr : &*found;
}

int tree_number(std::string_view text, const char* what, const Place& place) {
  std::int64_t value = 0;
  if (!parse_integer(text, &value) || value < 0 || value > 1000) {
    throw RecordError(fmt::format("{} must be a number, not {}", what, quoted(text)), place);
  }
  return static_cast<int>(value);
}

std::vector<TreeNode> main_line(std::string_view text, const Place& place) {
  return TreeParser(text, place).main_line();
}

}  // namespace playproof
