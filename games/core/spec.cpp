#include "games/core/spec.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>

#include "games/core/error.h"

namespace playproof {
namespace {

int edit_distance(std::string_view a, std::string_view b) {
  std::vector<int> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (const char letter : a) {
    int diagonal = row[0]++;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const int substitute = diagonal + (letter == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({substitute, diagonal + 1, row[j] + 1});
    }
  }
  return row.back();
}

std::string join(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

// "Tic-Tac-Toe": "tictactoe".
std::string plain(std::string_view word) {
  std::string text;
  for (const char c : word) {
    if (c == '-' || c == '_' || c == ' ') continue;
    text += static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  }
  return text;
}

// How far a name is from what was meant: letters to change, but an abbreviation ("eps" for
// "epsilon") and a part ("nodes" for "max-nodes") are near.
int distance(const std::string& wanted, const std::string& name) {
  constexpr std::size_t kPart = 3;  // letters; fewer stand in too many names
  const int letters = edit_distance(wanted, name);
  if (!wanted.empty() && name.starts_with(wanted)) return std::min(letters, 1);
  if (wanted.size() >= kPart && name.find(wanted) != std::string::npos) return std::min(letters, 2);
  return letters;
}

std::string unknown(const std::string& what, std::string_view word,
                    const std::vector<std::string>& candidates, const std::string& nearest) {
  std::string text = "unknown " + what + " '" + std::string(word) +
                     "'; there is: " + (candidates.empty() ? "none" : join(candidates));
  if (!nearest.empty()) text += "; nearest: '" + nearest + "'";
  return text;
}
std::string unknown(const std::string& what, std::string_view word,
                    const std::vector<std::string>& candidates) {
  return unknown(what, word, candidates, nearest_match(word, candidates));
}

std::string number_text(double x) {
  if (x == std::floor(x) && std::abs(x) < 1e15) return std::to_string(static_cast<long long>(x));
  char buffer[32];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, x).ptr;
  return {buffer, end};
}

// Throws unless `value` is what `option` allows.
void check_value(const std::string& owner, const OptionInfo& option, const std::string& value) {
  const std::string what = owner + ": " + option.name;
  if (option.type == OptionType::kWord) {
    if (std::find(option.words.begin(), option.words.end(), value) == option.words.end()) {
      throw Error(ErrorCode::kUsage,
                  what + " must be one of " + join(option.words) + ", not '" + value + "'");
    }
    return;
  }
  if (option.type == OptionType::kText) return;
  double x = 0;
  bool ok = false;
  if (option.type == OptionType::kInteger) {
    std::int64_t n = 0;
    ok = parse_integer(value, &n);
    x = static_cast<double>(n);
  } else {
    ok = parse_real(value, &x);
  }
  if (!ok || x < option.min || x > option.max) {
    const bool whole = option.type == OptionType::kInteger;
    throw Error(ErrorCode::kUsage, what + " must be " +
                                       (ok      ? ""
                                        : whole ? "a whole number "
                                                : "a number ") +
                                       number_text(option.min) + ".." + number_text(option.max) +
                                       (ok ? ", not " + value : not_a_number(value)));
  }
}

// Does an old name mean this option? Words are never numbers, so the value tells.
bool was_called(const OptionInfo& option, const std::string& name, const std::string& value) {
  std::int64_t n = 0;
  return option.formerly == name && !name.empty() && parse_integer(value, &n);
}

// "0" and "0.0" are one number.
bool same_value(const std::string& a, const std::string& b) {
  double x = 0;
  double y = 0;
  return a == b || (parse_real(a, &x) && parse_real(b, &y) && x == y);
}

}  // namespace

OptionInfo integer_option(std::string name, std::string default_text, double min, double max,
                          std::string help) {
  return {std::move(name), OptionType::kInteger, std::move(default_text), min, max, {},
          std::move(help)};
}

std::string nearest_match(std::string_view word, const std::vector<std::string>& candidates) {
  std::string best;
  int best_distance = 0;
  const std::string wanted = plain(word);
  for (const std::string& candidate : candidates) {
    const int far = distance(wanted, plain(candidate));
    if (best.empty() || far < best_distance) {
      best = candidate;
      best_distance = far;
    }
  }
  return best;
}

const CatalogueEntry& Catalogue::find(std::string_view name) const {
  std::vector<std::string> names;
  std::string here;
  for (const CatalogueEntry& entry : entries) {
    for (const auto& [there, written] : entry.elsewhere) {
      if (there == plain(name)) here = written;
    }
    const auto& aliases = entry.aliases;
    if (entry.name == name || std::find(aliases.begin(), aliases.end(), name) != aliases.end()) {
      return entry;
    }
    names.push_back(entry.name);
    names.insert(names.end(), aliases.begin(), aliases.end());
  }
  if (here.empty()) here = nearest_match(name, names);
  throw Error(ErrorCode::kUsage, unknown(what, name, names, here));
}

Spec parse_spec(std::string_view text) {
  Spec spec;
  const std::size_t colon = text.find(':');
  spec.name = std::string(text.substr(0, colon));
  if (spec.name.empty()) {
    throw Error(ErrorCode::kUsage,
                "'" + std::string(text) + "': expected NAME or NAME:key=value,key=value");
  }
  if (colon == std::string_view::npos) return spec;
  std::string_view rest = text.substr(colon + 1);
  while (true) {
    const std::size_t comma = rest.find(',');
    const std::string_view item = rest.substr(0, comma);
    const std::size_t equals = item.find('=');
    if (equals == std::string_view::npos || equals == 0 || equals + 1 == item.size()) {
      throw Error(ErrorCode::kUsage, spec.name + ": expected key=value, not '" + std::string(item) +
                                         "' in '" + std::string(text) + "'");
    }
    spec.options.emplace_back(item.substr(0, equals), item.substr(equals + 1));
    if (comma == std::string_view::npos) return spec;
    rest = rest.substr(comma + 1);
  }
}

bool has_leading_zero(std::string_view text) {
  const bool minus = text.starts_with('-');
  const std::string_view digits = text.substr(minus ? 1 : 0);
  if (!digits.starts_with('0')) return false;
  return digits.size() == 1 ? minus : digits[1] >= '0' && digits[1] <= '9';
}

std::string not_a_number(std::string_view text) {
  return ", not '" + std::string(text) + "'" +
         (has_leading_zero(text) ? " (no leading zeros)" : "");
}

bool parse_integer(std::string_view text, std::int64_t* out) {
  if (has_leading_zero(text)) return false;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *out);
  return error == std::errc() && end == text.data() + text.size();
}

bool parse_real(std::string_view text, double* out) {
  if (has_leading_zero(text)) return false;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *out);
  return error == std::errc() && end == text.data() + text.size() && std::isfinite(*out);
}

std::uint64_t parse_size(std::string_view what, std::string_view text) {
  struct Unit {
    std::string_view suffix;
    int shift;
  };
  static constexpr Unit kUnits[] = {{"KiB", 10}, {"MiB", 20}, {"GiB", 30}, {"TiB", 40}, {"B", 0}};
  std::string_view digits = text;
  int shift = 0;
  for (const Unit& unit : kUnits) {
    if (text.size() > unit.suffix.size() && text.ends_with(unit.suffix)) {
      digits = text.substr(0, text.size() - unit.suffix.size());
      shift = unit.shift;
      break;
    }
  }
  std::int64_t n = 0;
  if (!parse_integer(digits, &n) || n <= 0 || n > (std::int64_t{1} << (62 - shift))) {
    throw Error(
        ErrorCode::kUsage,
        std::string(what) + " must be a size such as 1000000, 64MiB or 2GiB" + not_a_number(text));
  }
  return static_cast<std::uint64_t>(n) << shift;
}

Options::Options(const CatalogueEntry& entry, const Spec& spec) : entry_(&entry) {
  std::vector<std::string> names;
  for (const OptionInfo& option : entry.options) {
    names.push_back(option.name);
    if (!option.default_text.empty()) {
      values_[option.name] = defaults_[option.name] = option.default_text;
    }
  }
  for (const auto& item : spec.options) {
    const std::string& name = item.first;
    const std::string& value = item.second;
    const auto find = [&](const auto& meant) {
      return std::find_if(entry.options.begin(), entry.options.end(), meant);
    };
    auto option = find([&](const OptionInfo& o) { return was_called(o, name, value); });
    if (option == entry.options.end()) {
      option = find([&](const OptionInfo& o) { return o.name == name; });
    }
    if (option == entry.options.end()) {
      throw Error(ErrorCode::kUsage, entry.name + ": " + unknown("key", name, names));
    }
    const std::string& key = option->name;
    if (given_[key])
      throw Error(ErrorCode::kUsage, entry.name + ": key '" + key + "' is given twice");
    check_value(entry.name, *option, value);
    values_[key] = value;
    given_[key] = true;
  }
  for (const OptionInfo& option : entry.options) {
    if (!option.presets.empty() && given(option.name)) expand(option);
  }
}

// Does as if the option's preset had been written out, but for what was written.
void Options::expand(const OptionInfo& option) {
  for (const OptionInfo::Preset& preset : option.presets) {
    if (preset.word != word(option.name)) continue;
    for (const auto& [name, value] : preset.values) {
      if (given(name)) continue;
      values_[name] = value;
      given_[name] = true;
    }
  }
  values_.erase(option.name);
  given_.erase(option.name);
}

bool Options::has(std::string_view name) const {
  const auto& all = entry_->options;
  return std::any_of(all.begin(), all.end(), [&](const OptionInfo& o) { return o.name == name; });
}

bool Options::given(std::string_view name) const {
  const auto it = given_.find(name);
  return it != given_.end() && it->second;
}

const std::string& Options::word(std::string_view name) const {
  const auto it = values_.find(name);
  if (it == values_.end()) {
    throw Error(ErrorCode::kInternal,
                entry_->name + ": no value for option '" + std::string(name) + "'");
  }
  return it->second;
}

std::int64_t Options::integer(std::string_view name) const {
  std::int64_t n = 0;
  if (!parse_integer(word(name), &n)) {
    throw Error(ErrorCode::kInternal,
                entry_->name + ": '" + std::string(name) + "' is not an integer");
  }
  return n;
}

double Options::real(std::string_view name) const {
  double x = 0;
  if (!parse_real(word(name), &x)) {
    throw Error(ErrorCode::kInternal,
                entry_->name + ": '" + std::string(name) + "' is not a number");
  }
  return x;
}

void Options::set(std::string_view name, std::string value) {
  values_.insert_or_assign(std::string(name), std::move(value));
}

void Options::set_default(std::string_view name, std::string value) {
  if (!given(name)) set(name, value);
  defaults_.insert_or_assign(std::string(name), std::move(value));
}

std::string Options::canonical() const {
  return listed(&OptionInfo::name, [&](const OptionInfo& option) { return is_said(option); });
}

std::string Options::in_effect(std::uint32_t run) const {
  return listed(&OptionInfo::name, [&](const OptionInfo& option) {
    return is_said(option) && has_effect(option, run);
  });
}

std::string Options::stored_name() const {
  return listed(&OptionInfo::name, [&](const OptionInfo& option) { return is_stored(option); });
}

std::string Options::first_name() const {
  return listed(&OptionInfo::formerly, [&](const OptionInfo& option) { return is_stored(option); });
}

std::string Options::listed(std::string OptionInfo::*first_choice, const Wanted& wanted) const {
  std::string text = entry_->name;
  char separator = ':';
  for (const OptionInfo& option : entry_->options) {
    if (!wanted(option)) continue;
    const std::string& name = option.*first_choice;
    text += separator + (name.empty() ? option.name : name) + "=" + word(option.name);
    separator = ',';
  }
  return text;
}

bool Options::is_neutral(const OptionInfo& option) const {
  return !option.neutral.empty() && word(option.name) == option.neutral;
}

bool Options::is_said(const OptionInfo& option) const {
  if (!values_.contains(option.name)) return false;
  const auto preset = defaults_.find(option.name);
  const bool by_default = preset != defaults_.end() && word(option.name) == preset->second;
  return !(by_default && is_neutral(option));
}

bool Options::is_stored(const OptionInfo& option) const {
  return values_.contains(option.name) && !is_neutral(option);
}

bool Options::has_effect(const OptionInfo& option, std::uint32_t run) const {
  const auto holds_in = [&](const OptionEffect& effect) {
    return (effect.run & run) == effect.run &&
           std::all_of(effect.values.begin(), effect.values.end(),
                       [&](const OptionEffect::Value& v) { return holds(v, option, run); });
  };
  const auto& effects = option.effects;
  return effects.empty() || std::any_of(effects.begin(), effects.end(), holds_in);
}

// Is this true of the value of an option, and has that one an effect?
bool Options::holds(const OptionEffect::Value& value, const OptionInfo& of,
                    std::uint32_t run) const {
  const auto& all = entry_->options;
  const auto other = std::find_if(all.begin(), all.end(),
                                  [&](const OptionInfo& o) { return o.name == value.option; });
  if (other == all.end()) {
    throw Error(ErrorCode::kInternal, entry_->name + ": the effect of option '" + of.name +
                                          "' depends on '" + value.option + "', which is none");
  }
  if (!values_.contains(other->name)) return false;
  const std::string& own = word(other->name);
  const bool found = std::any_of(value.values.begin(), value.values.end(),
                                 [&](const std::string& v) { return same_value(own, v); });
  return found != value.others && (other->name == of.name || has_effect(*other, run));
}

}  // namespace playproof
