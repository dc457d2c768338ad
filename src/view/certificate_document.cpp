#include "src/view/certificate_document.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <utility>

#include "games/core/error.h"
#include "src/check/reader.h"
#include "src/io/machine.h"
#include "src/view/board_json.h"
#include "src/view/digest.h"

namespace playproof {

enum class CertificateDocument::Kind : std::uint8_t {
  kLeaf,
  kOne,
  kAll,
  kBound,
  kAgain,
  kRecheck,
  kRaceEnd,
  kRaceTurn,
  kCardLeaf,
  kCardPairs,
  kCardOne,
  kCardAll,
  kCardLink,
  kCardFill,
  kLinkAnd,
  kLinkOr,
};

namespace {

// Words stand in the order of Kind.
constexpr std::array<std::string_view, 16> kKinds = {
    "leaf",      "one",       "all",       "bound",      "again",    "recheck",
    "race-end",  "race-turn", "card-leaf", "card-pairs", "card-one", "card-all",
    "card-link", "card-fill", "link-and",  "link-or"};

constexpr std::uint32_t kMostLeft = 1'000'000;  // far more than any game has
// A bound is true of all ends, and says nothing of how far they are; where a position comes again
// there may be none. More than kMostLeft.
constexpr std::uint32_t kUnknownLeft = ~std::uint32_t{0};

Json left_json(std::uint32_t left) { return left == kUnknownLeft ? Json() : Json(left); }

struct Close {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Close>;

File stream_of(std::string& bytes) {
  // A stream over no bytes at all cannot be had.
  File file(bytes.empty() ? std::tmpfile() : fmemopen(bytes.data(), bytes.size(), "rb"));
  if (!file) throw Error(ErrorCode::kInternal, "view: no stream can be opened");
  return file;
}

// The moves of a word of a card-fill.
std::vector<std::string_view> cells_filled(std::string_view word) { return ref_split(word, "+"); }

// The stones that the prover has left in his turn, in a race; where its replies begin.
std::size_t stones_of_race(const std::vector<std::string_view>& words) {
  return static_cast<std::size_t>(check::read_id(words[2]));
}
std::size_t replies_of_race(const std::vector<std::string_view>& words) {
  return std::min(4 + stones_of_race(words), words.size());
}
std::vector<std::string_view> turn_of_race(const std::vector<std::string_view>& words) {
  return {words.begin() + 4, words.begin() + static_cast<std::ptrdiff_t>(replies_of_race(words))};
}

// The words of a line up to "if", which is behind the position of a node.
std::vector<std::string_view> without_conditions(std::vector<std::string_view> words) {
  if (words.size() > 3) words.erase(std::find(words.begin() + 3, words.end(), "if"), words.end());
  return words;
}

bool is_compressed(std::string_view bytes) { return bytes.starts_with("\x28\xb5\x2f\xfd"); }

[[noreturn]] void lost(std::string_view what) {
  throw Error(ErrorCode::kInternal, fmt::format("view: the checker knew {}", what));
}

}  // namespace

bool CertificateDocument::is_race(Kind kind) {
  return kind == Kind::kRaceEnd || kind == Kind::kRaceTurn;
}

CertificateDocument::CertificateDocument(std::string bytes, std::string name, check::Limits limits,
                                         std::uint64_t max_memory)
    : bytes_(std::move(bytes)), name_(std::move(name)) {
  const std::uint64_t rest = max_memory - std::min<std::uint64_t>(bytes_.size(), max_memory);
  limits.max_memory = std::min(limits.max_memory, rest);
  report_ = check::check(stream_of(bytes_).get(), is_compressed(bytes_), {}, limits);
  if (report_.status != check::kValid) {
    throw Error(ErrorCode::kData,
                fmt::format("{}:{}: {}", name_, report_.line_number, report_.error));
  }
  on_graph_ = report_.game == "graph";
  start_ = on_graph_ ? make_position_on(graph(rest), report_.position)
                     : make_position(report_.game, report_.position);
  const std::vector<std::string> names = cell_names(*start_);
  for (std::size_t cell = 0; cell < names.size(); ++cell) cells_.emplace(names[cell], cell);
  make_room(max_memory);
  read();
}

// The text of the graph: which one it is stands in the file alone.
std::string CertificateDocument::graph(std::uint64_t most_bytes) {
  constexpr std::uint64_t kCopies = 8;  // of its text, and what is made of it
  const File file = stream_of(bytes_);
  const auto reader = std::make_unique<check::Reader>(file.get(), is_compressed(bytes_));
  std::string text;
  while (reader->next() && reader->words()[0] != "position") {
    const Words& words = reader->words();
    if (words[0] != "graph") continue;
    text += fmt::format("{}\n", fmt::join(words.begin() + 1, words.end(), " "));
    if (kCopies * text.size() > most_bytes) refuse_size(reader->line_number(), most_bytes);
  }
  return text;
}

void CertificateDocument::refuse_size(std::uint64_t line, std::uint64_t most_bytes) const {
  throw Error(ErrorCode::kData,
              fmt::format("{}:{}: what is kept of the lines up to here takes more than {} bytes; "
                          "--max-memory allows more",
                          name_, line, most_bytes));
}

// Makes room for the lines of the nodes, all at once.
void CertificateDocument::make_room(std::uint64_t max_memory) {
  const File file = stream_of(bytes_);
  const auto reader = std::make_unique<check::Reader>(file.get(), is_compressed(bytes_));
  std::uint64_t text = 0;
  std::uint64_t count = 0;
  while (reader->next()) {
    const Words& words = reader->words();
    if (std::find(kKinds.begin(), kKinds.end(), words[0]) == kKinds.end()) continue;
    ++count;
    for (const std::string_view word : words) text += word.size() + 1;
    if (bytes_.size() + text + count * sizeof(Item) > max_memory) {
      refuse_size(reader->line_number(), max_memory);
    }
  }
  text_.reserve(text);
  items_.reserve(count);
}

// What the checker accepts has lines of these forms alone.
void CertificateDocument::read() {
  const File file = stream_of(bytes_);
  const auto reader = std::make_unique<check::Reader>(file.get(), is_compressed(bytes_));
  while (reader->next()) {
    const Words& words = reader->words();
    if (words[0] == "claim") {
      claims_.push_back({std::stoi(std::string(words[1].substr(2))), words[2] == "proved",
                         items_.size(), items_.size(), 0});
    } else if (words[0] == "root") {
      const Item& root = item_of(claims_.back(), words[1]);
      claims_.back().root = static_cast<std::size_t>(&root - items_.data());
    } else if (!claims_.empty() && words[0] != "free") {
      add(words, reader->line_number());
    }
  }
}

void CertificateDocument::add(const Words& words, std::uint64_t line) {
  const auto* const kind = std::find(kKinds.begin(), kKinds.end(), words[0]);
  if (kind == kKinds.end()) lost(words[0]);
  Item item;
  item.id = check::read_id(words[1]);
  item.line = line;
  item.begin = text_.size();
  item.kind = static_cast<Kind>(kind - kKinds.begin());
  item.left = left_of(claims_.back(), item.kind, without_conditions(words));
  text_ += fmt::format("{}", fmt::join(words, " "));
  item.size = static_cast<std::uint32_t>(text_.size() - item.begin);
  items_.push_back(item);
  claims_.back().end = items_.size();
}

CertificateDocument::Words CertificateDocument::words_of(const Item& item) const {
  return without_conditions(all_words_of(item));
}
CertificateDocument::Words CertificateDocument::all_words_of(const Item& item) const {
  return ref_split({text_.data() + item.begin, item.size}, " ");
}

const CertificateDocument::Item* CertificateDocument::find(std::uint64_t line) const {
  const auto found =
      std::lower_bound(items_.begin(), items_.end(), line,
                       [](const Item& item, std::uint64_t at) { return item.line < at; });
  return found == items_.end() || found->line != line ? nullptr : &*found;
}

const CertificateDocument::Claim& CertificateDocument::claim_of(const Item& item) const {
  const auto place = static_cast<std::size_t>(&item - items_.data());
  for (const Claim& claim : claims_) {
    if (place < claim.end) return claim;
  }
  lost("the claim of a node");
}

const CertificateDocument::Item& CertificateDocument::item_of(const Claim& claim,
                                                              std::string_view id) const {
  const auto begin = items_.begin() + static_cast<std::ptrdiff_t>(claim.begin);
  const auto end = items_.begin() + static_cast<std::ptrdiff_t>(claim.end);
  const std::uint64_t number = check::read_id(id);
  const auto found = std::lower_bound(
      begin, end, number, [](const Item& item, std::uint64_t at) { return item.id < at; });
  if (found == end || found->id != number) lost("node " + std::string(id));
  return *found;
}

std::uint32_t CertificateDocument::plies_of(const Item& item, bool provers_turn) const {
  const bool in_plies = item.kind < Kind::kCardLeaf;
  if (in_plies || item.left == 0 || item.left == kUnknownLeft) return item.left;
  return 2 * item.left - (provers_turn ? 1 : 0);
}

std::uint32_t CertificateDocument::left_of(const Claim& claim, Kind kind,
                                           const Words& words) const {
  const auto most = [&](std::size_t from, std::size_t step, const auto& of) {
    std::uint32_t found = 0;
    for (std::size_t k = from; k < words.size(); k += step) {
      found = std::max(found, of(item_of(claim, words[k])));
    }
    return found;
  };
  const auto moves = [&](const Item& item) { return item.left; };
  const auto plies = [&](const Item& item) { return plies_of(item, kind == Kind::kAll); };
  const auto half = [&](std::string_view id) { return id == "-" ? 0 : item_of(claim, id).left; };
  std::uint32_t left = 0;
  switch (kind) {
    case Kind::kLeaf:
    case Kind::kCardLeaf:
      break;
    case Kind::kBound:
    case Kind::kAgain:
      return kUnknownLeft;
    case Kind::kRecheck:  // before each disc there may be a pass
      left = 2 * static_cast<std::uint32_t>(check::read_id(words[2]));
      break;
    case Kind::kOne:
    case Kind::kAll:
      left = most(4, 2, plies);
      if (left == kUnknownLeft) return left;
      ++left;
      break;
    case Kind::kRaceEnd:
      left = static_cast<std::uint32_t>(words.size() - 4);
      break;
    case Kind::kRaceTurn: {  // a threat that is not hit is filled in the next turn
      const std::uint32_t turn = turn_stones();
      const std::uint32_t after = most(replies_of_race(words) + 1, 2, plies);
      left = static_cast<std::uint32_t>(stones_of_race(words)) + turn + std::max(turn, after);
      break;
    }
    case Kind::kCardPairs:
      left = static_cast<std::uint32_t>((words.size() - 3) / 2);
      break;
    case Kind::kCardOne:
      left = 1 + most(4, 1, moves);
      break;
    case Kind::kCardAll:
    case Kind::kCardLink:
      left = most(3, 1, moves);
      break;
    case Kind::kCardFill:
      left = item_of(claim, words[3]).left;
      for (std::size_t k = 4; k < words.size(); ++k) {
        left += static_cast<std::uint32_t>((cells_filled(words[k]).size() + 1) / 2);
      }
      break;
    case Kind::kLinkAnd: {
      const auto cell = cells_.find(words[5]);
      if (cell == cells_.end()) lost(words[5]);
      left = (words[2][cell->second] == '-' ? 1 : 0) + half(words[6]) + half(words[7]);
      break;
    }
    case Kind::kLinkOr:
      left = most(5, 1, moves);
      break;
  }
  return std::min(left, kMostLeft);
}

// Games with races say it by an option.
std::uint32_t CertificateDocument::turn_stones() const {
  constexpr std::string_view kOption = "stones=";
  const std::size_t at = report_.game.find(kOption);
  if (at == std::string::npos) lost("how many stones a turn has");
  return static_cast<std::uint32_t>(std::stoi(report_.game.substr(at + kOption.size())));
}

Json CertificateDocument::summary(const Item& item) const {
  Json out = {item.line, left_json(item.left), kKinds[static_cast<std::size_t>(item.kind)]};
  const Words words = words_of(item);
  const bool one = item.kind == Kind::kOne || item.kind == Kind::kCardOne;
  if (one) out.push_back(words[3]);
  if (is_race(item.kind)) out.push_back(fmt::format("{}", fmt::join(turn_of_race(words), " ")));
  if (item.kind == Kind::kLinkAnd) out.push_back(words[5]);
  if (on_graph_) {
    if (!one) out.push_back(nullptr);
    out.push_back(words[2]);
  }
  return out;
}

std::vector<std::uint64_t> CertificateDocument::roots() const {
  std::vector<std::uint64_t> lines;
  for (const Claim& claim : claims_) lines.push_back(items_[claim.root].line);
  return lines;
}

std::vector<std::uint64_t> CertificateDocument::below(std::uint64_t number) const {
  const Item* item = find(number);
  if (item == nullptr) return {};
  const Words words = words_of(*item);
  const Claim& claim = claim_of(*item);
  std::vector<std::uint64_t> lines;
  const auto take = [&](std::size_t from, std::size_t step) {
    for (std::size_t k = from; k < words.size(); k += step) {
      if (words[k] != "-") lines.push_back(item_of(claim, words[k]).line);
    }
  };
  if (item->kind == Kind::kOne || item->kind == Kind::kAll) take(4, 2);
  if (item->kind == Kind::kRaceTurn) take(replies_of_race(words) + 1, 2);
  if (item->kind == Kind::kCardOne) take(4, 1);
  if (item->kind == Kind::kCardAll || item->kind == Kind::kCardLink) take(3, 1);
  if (item->kind == Kind::kCardFill) lines.push_back(item_of(claim, words[3]).line);
  if (item->kind == Kind::kLinkAnd) take(6, 1);
  if (item->kind == Kind::kLinkOr) take(5, 1);
  return lines;
}

std::optional<std::string> CertificateDocument::node(std::uint64_t number) const {
  const Item* item = find(number);
  if (item == nullptr) return std::nullopt;
  const Words words = words_of(*item);
  const Claim& claim = claim_of(*item);
  const auto cited = [&](std::size_t k) { return summary(item_of(claim, words[k])); };
  const bool measured = is_race(item->kind) || item->kind == Kind::kRecheck;
  Json out = {item->line, left_json(item->left), words[0], words[measured ? 3 : 2]};
  Json list = Json::array();
  switch (item->kind) {
    case Kind::kLeaf:
    case Kind::kBound:
    case Kind::kAgain:
    case Kind::kCardLeaf:
      break;
    case Kind::kRecheck:
      out.push_back(check::read_id(words[2]));
      break;
    case Kind::kRaceEnd:
      out.push_back(turn_of_race(words));
      break;
    case Kind::kRaceTurn:
      for (std::size_t k = replies_of_race(words); k < words.size(); k += 2) {
        list.push_back({words[k], cited(k + 1)});
      }
      out.push_back(turn_of_race(words));
      out.push_back(list);
      break;
    case Kind::kOne:
    case Kind::kCardOne:
      out.push_back(words[3]);
      out.push_back(cited(4));
      break;
    case Kind::kAll:
      for (std::size_t k = 3; k < words.size(); k += 2) list.push_back({words[k], cited(k + 1)});
      out.push_back(list);
      break;
    case Kind::kCardPairs:
      for (std::size_t k = 3; k < words.size(); k += 2) list.push_back({words[k], words[k + 1]});
      out.push_back(list);
      break;
    case Kind::kCardAll:  // which card is good against a reply depends on its pattern
      for (std::size_t k = 3; k < words.size(); ++k) {
        list.push_back({cited(k), words_of(item_of(claim, words[k]))[2]});
      }
      out.push_back(list);
      break;
    case Kind::kCardLink:
      out.push_back(cited(3));
      break;
    case Kind::kCardFill:
      out.push_back(cited(3));
      for (std::size_t k = 4; k < words.size(); ++k) list.push_back(cells_filled(words[k]));
      out.push_back(list);
      break;
    case Kind::kLinkAnd:
      for (const std::size_t k : {3, 4, 5}) out.push_back(words[k]);
      for (const std::size_t k : {6, 7}) out.push_back(words[k] == "-" ? Json() : cited(k));
      break;
    case Kind::kLinkOr:
      for (const std::size_t k : {3, 4}) out.push_back(words[k]);
      for (std::size_t k = 5; k < words.size(); ++k) list.push_back(cited(k));
      out.push_back(list);
      break;
  }
  const Words all = all_words_of(*item);
  if (all.size() > words.size()) {
    const auto conditions = static_cast<std::ptrdiff_t>(words.size()) + 1;
    out.push_back(Words(all.begin() + conditions, all.end()));
  }
  return json_for_page(out);
}

Json CertificateDocument::head() const {
  Json claims = Json::array();
  for (const Claim& claim : claims_) {
    claims.push_back({{"threshold", claim.threshold},
                      {"proved", claim.proved},
                      {"root", items_[claim.root].line}});
  }
  const bool best = !report_.best_move.empty();
  return {{"kind", "certificate"},
          {"file", name_},
          {"bytes", bytes_.size()},
          {"sha256", sha256_hex(bytes_)},
          {"game", report_.game},
          {"position", report_.position},
          {"goal", report_.goal},
          {"attacker", report_.attacker},
          {"verdict", report_.verdict},
          {"best_move", best ? Json(report_.best_move) : Json()},
          {"listed", report_.counts.listed},
          {"finished", report_.counts.leaves},
          {"rechecked", report_.counts.rechecked},
          {"brute_forced", report_.counts.brute_forced},
          {"version", version_text()},
          {"players", players_json(*start_)},
          {"board", board_json(*start_)},
          {"start", {{"cells", cells_of(*start_)}, {"first", start_->to_move() == Player::kFirst}}},
          {"claims", claims}};
}

}  // namespace playproof
