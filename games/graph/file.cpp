#include "games/graph/file.h"

#include <algorithm>
#include <array>
#include <bit>
#include <fstream>
#include <limits>
#include <mutex>
#include <utility>

#include "games/core/error.h"
#include "games/core/spec.h"
#include "games/core/text_tools.h"

namespace playproof {
namespace {

constexpr std::pair<std::string_view, PathRule> kPathRules[] = {
    {"infinite win", PathRule::kInfiniteWin},   {"infinite draw", PathRule::kInfiniteDraw},
    {"infinite loss", PathRule::kInfiniteLoss}, {"second draw", PathRule::kRepetitionDraws},
    {"third draw", PathRule::kThirdDraws},      {"repeater loses", PathRule::kRepeaterLoses},
};
constexpr std::pair<std::string_view, Player> kMovers[] = {
    {"first", Player::kFirst}, {"second", Player::kSecond}, {"or", Player::kFirst},
    {"and", Player::kSecond},  {"max", Player::kFirst},     {"min", Player::kSecond},
};
constexpr std::pair<std::string_view, Value> kValues[] = {
    {"win", 1}, {"loss", -1}, {"draw", 0}, {"true", 1}, {"false", -1}};
constexpr int kMostValue = 64;
constexpr std::size_t kMostText = std::size_t{1} << 32;

// Figure 9 of the survey (Kishimoto, Winands, Müller and Saito 2012): H is lost on the path A B E
// H, where E would come again, and won on A C F H. A table that forgets the path takes A for lost.
constexpr std::string_view kFigure9 =
    "# The graph-history interaction: the first player wins by A C F H E G.\n"
    "rule: infinite loss\n"
    "start: A\n"
    "A or  B C\n"
    "B and E D\n"
    "C and F\n"
    "D loss\n"
    "E or  H G\n"
    "F or  H\n"
    "G win\n"
    "H and E\n";

template <class T, std::size_t N>
std::optional<T> word_of(const std::pair<std::string_view, T> (&table)[N], std::string_view word) {
  for (const auto& [name, value] : table) {
    if (name == word) return value;
  }
  return std::nullopt;
}
template <class T, std::size_t N>
std::string all_words(const std::pair<std::string_view, T> (&table)[N]) {
  std::string text;
  for (const auto& entry : table) {
    text += text.empty() ? "" : ", ";
    text += entry.first;
  }
  return text;
}

std::string read_file(const std::string& name) {
  std::ifstream file(name, std::ios::binary);
  std::string text;
  char piece[1 << 16];
  while (file.read(piece, sizeof piece) || file.gcount() > 0) {
    text.append(piece, static_cast<std::size_t>(file.gcount()));
    if (text.size() >= kMostText) break;  // it may go on for ever
  }
  if (!file.is_open() || file.bad()) {
    throw Error(ErrorCode::kData, name + ": the file cannot be read");
  }
  return text;
}

}  // namespace

std::string_view path_rule_words(PathRule rule) {
  for (const auto& [words, known] : kPathRules) {
    if (known == rule) return words;
  }
  return "";
}

// One pass over the text; lines may name nodes whose own line is still to come.
class GraphFile::Reader {
 public:
  explicit Reader(GraphFile& file) : file_(file), text_(file.text_) {}

  void run() {
    if (text_.size() >= kMostText) {
      throw Error(ErrorCode::kData, shown_name() + ": a graph may have up to 4 GiB of text");
    }
    // A line has 16 bytes or more in most files; what is found in line 1 is not to wait for more.
    constexpr std::size_t kFirstSlots = std::size_t{1} << 22;
    file_.nodes_.reserve(text_.size() / 16);
    file_.names_.reserve(text_.size() / 16);
    const std::size_t slots = std::clamp<std::size_t>(text_.size() / 8, 1024, kFirstSlots);
    file_.slots_.resize(std::bit_ceil(slots));
    while (at_ < text_.size()) line();
    finish();
  }

 private:
  struct Word {
    std::string_view text;
    std::size_t offset;
  };

  std::string shown_name() const { return file_.name_.empty() ? "graph" : file_.name_; }
  [[noreturn]] void fail(std::size_t offset, const std::string& what) const {
    const std::string_view before = text_.substr(0, offset);
    const auto line = std::count(before.begin(), before.end(), '\n') + 1;
    const std::size_t begin = before.rfind('\n') + 1;  // 0 in the first line
    throw Error(ErrorCode::kData, shown_name() + ":" + std::to_string(line) + ":" +
                                      std::to_string(offset - begin + 1) + ": " + what);
  }

  // Goes on to the next word of the line; false at its end, where a comment begins, too.
  bool next() {
    while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
    word_ = {{}, at_};
    if (at_ < text_.size() && text_[at_] == '#')
      at_ = std::min(text_.find('\n', at_), text_.size());
    if (at_ == text_.size() || text_[at_] == '\n') return false;
    std::size_t end = at_;
    while (end < text_.size() && text_[end] != '\n' && text_[end] != '#' && !is_blank(text_[end])) {
      if (text_[end] <= ' ' || text_[end] > '~') fail(end, "this byte is no printable ASCII");
      ++end;
    }
    word_.text = text_.substr(at_, end - at_);
    at_ = end;
    return true;
  }
  static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
  void expect(std::string_view what) {
    if (next()) return;
    fail(word_.offset, "expected " + std::string(what) + ", not the end of the line");
  }
  void expect_end() {
    if (next()) fail(word_.offset, "expected the end of the line, not " + quoted(word_.text));
  }

  void line() {
    if (next()) {
      const Word first = word_;
      if (first.text == "rule:") {
        read_rule(first);
      } else if (first.text == "start:") {
        read_start(first);
      } else {
        read_node(first);
      }
    }
    if (at_ < text_.size()) ++at_;  // the line feed
  }
  void read_rule(const Word& first) {
    if (has_rule_) fail(first.offset, "there is a rule already");
    has_rule_ = true;
    expect("one of: " + all_words(kPathRules));
    const std::size_t offset = word_.offset;
    std::string words(word_.text);
    while (next()) words += ' ' + std::string(word_.text);
    const auto rule = word_of(kPathRules, words);
    if (!rule) {
      fail(offset, "expected one of: " + all_words(kPathRules) + "; not " + quoted(words));
    }
    file_.rules_.rule = *rule;
  }
  void read_start(const Word& first) {
    if (start_) fail(first.offset, "there is a start already");
    expect("the name of a node");
    start_ = node_named(word_);
    expect_end();
  }
  void read_node(const Word& first) {
    const std::uint32_t node = node_named(first);
    if (is_defined(node)) {
      fail(first.offset, "node " + quoted(first.text) + " has a line already");
    }
    static const std::string kKinds = "who moves or what it is worth: " + all_words(kMovers) +
                                      ", " + all_words(kValues) + " or a number";
    expect(kKinds);
    if (const auto mover = word_of(kMovers, word_.text)) {
      read_arrows(node, *mover);
      return;
    }
    std::optional<Value> value = word_of(kValues, word_.text);
    std::int64_t number = 0;
    if (!value && parse_integer(word_.text, &number)) {
      if (number < -kMostValue || number > kMostValue) {
        fail(word_.offset, "a value must be -64..64, not " + quoted(word_.text));
      }
      value = static_cast<Value>(number);
    }
    if (!value) {
      fail(word_.offset, "expected " + kKinds + "; not " + quoted(word_.text));
    }
    const auto size = static_cast<Value>(*value < 0 ? -*value : *value);
    file_.rules_.most = std::max(file_.rules_.most, size);
    define(node, {0, 0, 0, *value});
    expect_end();
  }
  void read_arrows(std::uint32_t node, Player mover) {
    const std::size_t first = file_.arrows_.size();
    expect("the name of a node");
    do {
      const std::uint32_t to = node_named(word_);
      if (seen_[to] == node + 1) {
        fail(word_.offset, "node " + quoted(word_.text) + " is there twice");
      }
      seen_[to] = node + 1;
      file_.arrows_.push_back(to);
      if (file_.arrows_.size() - first > Graph::kMaxMoves) {
        fail(word_.offset, "a node may lead to " + std::to_string(Graph::kMaxMoves) + " others");
      }
    } while (next());
    define(node, {static_cast<std::uint32_t>(first),
                  static_cast<std::uint16_t>(file_.arrows_.size() - first),
                  static_cast<std::uint8_t>(mover), 0});
  }

  std::uint32_t node_named(const Word& word) {
    if (word.text.size() > kLongestName) {
      fail(word.offset, "a name may have up to " + std::to_string(kLongestName) + " characters");
    }
    if (word.text.find_first_of(":,=!") != std::string_view::npos) {
      fail(word.offset, "a name may have none of : , = ! in it: " + quoted(word.text));
    }
    Slot& slot = file_.slots_[file_.slot_of(word.text)];
    if (!slot.is_free()) return slot.node - 1;
    const auto node = static_cast<std::uint32_t>(file_.nodes_.size());
    slot = {first_bytes(word.text), static_cast<std::uint32_t>(word.text.size()), node + 1};
    file_.nodes_.push_back({kUndefined, 0, 0, 0});
    seen_.push_back(0);
    file_.names_.push_back(
        {static_cast<std::uint32_t>(word.offset), static_cast<std::uint32_t>(word.text.size())});
    if (2 * file_.nodes_.size() > file_.slots_.size()) grow();
    return node;
  }
  void grow() {
    std::vector<Slot> slots(2 * file_.slots_.size());
    slots.swap(file_.slots_);
    for (const Slot& slot : slots) {
      if (slot.is_free()) continue;
      file_.slots_[file_.slot_of(file_.node_name(slot.node - 1))] = slot;
    }
  }
  static constexpr std::uint32_t kUndefined = std::numeric_limits<std::uint32_t>::max();
  bool is_defined(std::uint32_t node) const { return file_.nodes_[node].first_arrow != kUndefined; }
  void define(std::uint32_t node, const GraphNode& what) {
    if (!first_) first_ = node;
    file_.nodes_[node] = what;
  }

  void finish() {
    if (!first_) fail(text_.size(), "the graph has no nodes");
    for (std::uint32_t node = 0; node < file_.nodes_.size(); ++node) {
      if (is_defined(node)) continue;
      fail(file_.names_[node].offset, "node " + quoted(file_.node_name(node)) + " has no line");
    }
    Graph::Rules& rules = file_.rules_;
    rules.start = start_.value_or(*first_);
    rules.nodes = file_.nodes_.data();
    rules.arrows = file_.arrows_.data();
    rules.file = &file_;
  }

  GraphFile& file_;
  std::string_view text_;
  std::size_t at_ = 0;
  Word word_{};
  bool has_rule_ = false;
  std::optional<std::uint32_t> start_;
  std::optional<std::uint32_t> first_;
  std::vector<std::uint32_t> seen_;  // by node: the last one that leads there, + 1
};

GraphFile::GraphFile(std::string name, std::string text)
    : name_(std::move(name)), text_(std::move(text)) {
  Reader(*this).run();
}

std::uint64_t GraphFile::first_bytes(std::string_view name) {
  std::uint64_t bytes = 0;
  name.copy(reinterpret_cast<char*>(&bytes), sizeof bytes);  // NOLINT(*-reinterpret-cast)
  return bytes;
}

std::size_t GraphFile::slot_of(std::string_view name) const {
  const std::uint64_t first = first_bytes(name);
  const bool is_short = name.size() <= sizeof first;
  std::uint64_t hash = mix64(first ^ name.size());
  for (std::size_t at = sizeof first; at < name.size(); at += sizeof first) {
    hash = mix64(hash ^ first_bytes(name.substr(at)));
  }
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t i = hash & mask;; i = (i + 1) & mask) {
    const Slot& slot = slots_[i];
    if (slot.is_free()) return i;
    if (slot.first != first || slot.size != name.size()) continue;
    if (is_short || node_name(slot.node - 1) == name) return i;
  }
}

std::uint64_t GraphFile::fingerprint() const {
  const std::string_view text = text_;
  std::uint64_t sum = mix64(text.size());
  for (std::size_t i = 0; i < text.size(); i += sizeof sum) {
    sum = mix64(sum ^ first_bytes(text.substr(i)));
  }
  return sum;
}

std::optional<std::uint32_t> GraphFile::find(std::string_view name) const {
  const Slot& slot = slots_[slot_of(name)];
  if (slot.is_free()) return std::nullopt;
  return slot.node - 1;
}

std::string GraphFile::line(std::size_t i) const {
  if (i == 0) return "rule: " + std::string(path_rule_words(rules_.rule));
  if (i == 1) return "start: " + std::string(node_name(rules_.start));
  const auto index = static_cast<std::uint32_t>(i - 2);
  const GraphNode& node = nodes_[index];
  std::string line(node_name(index));
  if (node.arrows == 0) {
    for (const auto& [word, value] : kValues) {
      if (value == node.value) return line + ' ' + std::string(word);
    }
    return line + ' ' + std::to_string(node.value);
  }
  line += node.to_move == 0 ? " or" : " and";
  for (std::uint32_t k = 0; k < node.arrows; ++k) {
    line += ' ';
    line += node_name(arrows_[node.first_arrow + k]);
  }
  return line;
}

namespace {

// Those in use; one that was opened last stays until the next one is, so that rules that were just
// made are never without it.
struct OpenGraphs {
  std::mutex mutex;
  std::vector<std::weak_ptr<const GraphFile>> all;
};
OpenGraphs& open_graphs() {
  static OpenGraphs graphs;
  return graphs;
}

}  // namespace

std::shared_ptr<const GraphFile> GraphFile::open(const std::string& name) {
  thread_local std::shared_ptr<const GraphFile> last;
  std::string text = name.empty() ? std::string(kFigure9) : read_file(name);
  OpenGraphs& graphs = open_graphs();
  {
    const std::lock_guard lock(graphs.mutex);
    std::erase_if(graphs.all, [](const auto& graph) { return graph.expired(); });
    for (const auto& graph : graphs.all) {
      std::shared_ptr<const GraphFile> in_use = graph.lock();
      if (in_use && in_use->name_ == name && in_use->text_ == text) return last = in_use;
    }
  }
  auto read = std::make_shared<const GraphFile>(name, std::move(text));
  const std::lock_guard lock(graphs.mutex);
  graphs.all.push_back(read);
  return last = read;
}

std::shared_ptr<const GraphFile> GraphFile::keep(const Graph::Rules& rules) {
  std::shared_ptr<const GraphFile> kept = rules.file->weak_from_this().lock();
  if (!kept) throw Error(ErrorCode::kInternal, "rules of a graph that nobody keeps");
  return kept;
}

}  // namespace playproof
