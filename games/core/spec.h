// Names with options, as the command line and plan files write them: "hex:size=5",
// "ppn:playouts=128,theta=0.002". One table of options per name serves parsing, defaults, ranges,
// help, --json listings and error texts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace playproof {

struct Spec {
  std::string name;
  std::vector<std::pair<std::string, std::string>> options;  // in the order given
};

enum class OptionType : std::uint8_t { kInteger, kReal, kWord, kText };

// Where an option has an effect: in a run of this kind, with these values of options that have an
// effect there themselves.
struct OptionEffect {
  struct Value {
    std::string option;  // also the option itself
    std::vector<std::string> values;
    bool others = false;  // any value but these
  };
  std::uint32_t run = 0;  // bits that whoever runs it has names for; all must be there
  std::vector<Value> values = {};
};

struct OptionInfo {
  // A word that stands for values of other options.
  struct Preset {
    std::string word;
    std::vector<std::pair<std::string, std::string>> values;
  };

  std::string name;
  OptionType type = OptionType::kInteger;
  std::string default_text;  // empty: no default of its own (the help says what happens)
  double min = 0;            // integers and reals: closed range
  double max = 0;
  std::vector<std::string> words;  // kWord: what is allowed
  std::string help;
  // It came when results were stored already: with this value a search does what it did before, and
  // is stored under the name that it had. Empty: results without it are of no use.
  std::string neutral = {};
  // What it was called at first, if that was something else: still read, where the value is one of
  // this option (another option may have taken the name over).
  std::string formerly = {};
  // One of these must hold, or it has no effect; none: it always has one.
  std::vector<OptionEffect> effects = {};
  // A kWord that is but another way to write what these options say has a preset each word. What is
  // written of them beside it goes before. It has no value of its own, and stands in no name.
  std::vector<Preset> presets = {};
};

// A whole number in min..max.
OptionInfo integer_option(std::string name, std::string default_text, double min, double max,
                          std::string help);

struct CatalogueEntry {
  std::string name;
  std::string summary;
  std::vector<OptionInfo> options;
  std::vector<std::string> aliases = {};  // other names of the same thing
  // What others call it, or a part of it, in small letters alone, and what to write here.
  std::vector<std::pair<std::string, std::string>> elsewhere = {};
  // The game whose boards alone an algorithm can search. Empty: those of all games.
  std::string game = {};
};

// All that may be named in one place, e.g. all games.
struct Catalogue {
  std::string what;  // "game", "algorithm", "backend": for error texts
  std::vector<CatalogueEntry> entries;
  // Finds by name or alias. Throws Error(kUsage) listing what exists and the nearest match.
  const CatalogueEntry& find(std::string_view name) const;
  // The number of one of its entries.
  std::size_t index(const CatalogueEntry& entry) const {
    return static_cast<std::size_t>(&entry - entries.data());
  }
};

// The candidate with the fewest letters to change from `word`; abbreviations and parts of names are
// near; case, dashes, underlines and spaces are nothing (empty if there is none).
std::string nearest_match(std::string_view word, const std::vector<std::string>& candidates);

// "name" or "name:key=value,key=value". Throws Error(kUsage) on a malformed text.
Spec parse_spec(std::string_view text);

// "01", "-01", "-0", "00.5": a number that has a shorter name. No reader takes it, since one number
// written in two ways would be two names of one game or goal.
bool has_leading_zero(std::string_view text);
// ", not '01' (no leading zeros)": the end of a message about a text that is no number.
std::string not_a_number(std::string_view text);
// Strict number readers: the whole text, no white space, no leading zeros, or false.
bool parse_integer(std::string_view text, std::int64_t* out);
bool parse_real(std::string_view text, double* out);
// "64MiB", "2GiB", "1000000", "512KiB": bytes. Throws Error(kUsage) naming `what`.
std::uint64_t parse_size(std::string_view what, std::string_view text);

// The options of one entry with the values of one spec: every key known, every value in range, or
// Error(kUsage).
class Options {
 public:
  Options(const CatalogueEntry& entry, const Spec& spec);

  bool has(std::string_view name) const;    // in the table
  bool given(std::string_view name) const;  // written in the spec, not a default
  std::int64_t integer(std::string_view name) const;
  double real(std::string_view name) const;
  const std::string& word(std::string_view name) const;
  const std::string& text(std::string_view name) const { return word(name); }
  const CatalogueEntry& entry() const { return *entry_; }
  // Every option with its value, in table order: "ppn:playouts=32,rule=clamp,...". Left out are
  // options without a value, and those at their neutral value if that is their default too: read
  // back, and read as the name of what is stored, it is the same search.
  std::string canonical() const;
  // canonical(), without what has no effect in a run of this kind (OptionEffect). Read back it is
  // the same search there; it is no name of what is stored.
  std::string in_effect(std::uint32_t run) const;
  // What results are stored under: canonical(), without all that are at their neutral value.
  std::string stored_name() const;
  // The same under the names that options had at first.
  std::string first_name() const;
  // Sets an option that had no value (a default that depends on other options).
  void set(std::string_view name, std::string value);
  // Makes this its default, for what these options are used for.
  void set_default(std::string_view name, std::string value);

 private:
  void expand(const OptionInfo& option);
  using Wanted = std::function<bool(const OptionInfo& option)>;

  // The wanted ones, each under that name of it, or else under the one that it has.
  std::string listed(std::string OptionInfo::*first_choice, const Wanted& wanted) const;
  bool is_neutral(const OptionInfo& option) const;
  bool is_said(const OptionInfo& option) const;    // in canonical()
  bool is_stored(const OptionInfo& option) const;  // in stored_name()
  bool has_effect(const OptionInfo& option, std::uint32_t run) const;
  bool holds(const OptionEffect::Value& value, const OptionInfo& of, std::uint32_t run) const;

  const CatalogueEntry* entry_;
  std::map<std::string, std::string, std::less<>> values_;
  std::map<std::string, std::string, std::less<>> defaults_;
  std::map<std::string, bool, std::less<>> given_;
};

}  // namespace playproof
