// One TOML table of a plan, read key by key. Every getter knows the type and range that it wants
// and returns nothing where the plan has something else; finish() finds the keys that nobody asked
// for. Errors are collected (plan_errors.h), so that the rest of the plan is read too.
#pragma once

#include <toml++/toml.h>

#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "src/experiment/plan_errors.h"

namespace playproof {

// What stands for {name} in texts of a plan.
using Substitutions = std::map<std::string, std::string>;

class PlanTable {
 public:
  // `what` names the table in messages: "[limits]", "[[series]] 'hex-4'". The table and the errors
  // must outlive this object.
  PlanTable(PlanErrors* errors, const toml::table& table, std::string what);

  bool has(const std::string& key);
  std::optional<std::string> text(const std::string& key);
  // The text must not be empty. `example`: a line with this key, for a plan that lacks it.
  std::optional<std::string> required_text(const std::string& key, const std::string& example);
  std::optional<bool> flag(const std::string& key);
  std::optional<std::uint64_t> integer(const std::string& key, std::uint64_t min,
                                       std::uint64_t max);
  std::optional<std::uint64_t> required_integer(const std::string& key, std::uint64_t min,
                                                std::uint64_t max, const std::string& example);
  std::optional<double> real(const std::string& key);
  // Complains of a text that holds control characters: a terminal could take them for orders.
  void refuse_control(const std::string& key) const;
  // A list of texts, or one text.
  std::optional<std::vector<std::string>> texts(const std::string& key);
  // nullptr if there is none.
  const toml::array* array(const std::string& key);
  // A table in the table.
  std::optional<PlanTable> table(const std::string& key);
  // [[key]]: the tables of an array of tables, none if the key is missing.
  std::vector<PlanTable> tables(const std::string& key);
  const toml::table& raw() const { return *table_; }

  // Each {name} of these in what is read from now on, also in tables in this one, is its value, and
  // a text that has become a whole number is one; other braces stay, since they may name columns.
  void fill_in(const Substitutions& values) { values_ = values; }
  std::string filled(std::string text) const;
  bool fills_in(const std::string& name) const { return values_.contains(name); }
  // A table in this one.
  PlanTable of(const toml::table& table, std::string what) const;

  // A key that is read only where there is another, for the error of a plan that lacks that.
  void goes_with(const std::string& key, const std::string& other);
  // Keys that nobody asks for because of another error.
  void knows(const std::vector<std::string>& keys);
  // Complains of the keys that no getter asked for.
  void finish() const;
  void rename(std::string what) { what_ = std::move(what); }
  const std::string& what() const { return what_; }
  PlanErrors& errors() const { return *errors_; }
  int line() const;
  int line_of(const std::string& key) const;
  void complain(int line, const std::string& text, const std::vector<std::string>& mend = {}) const;
  void complain_at(const std::string& key, const std::string& text) const;
  // `example`: the line to add.
  void complain_missing(const std::string& key, const std::string& example) const;

 private:
  const toml::node* find(const std::string& key);
  void complain_of_type(const std::string& key, const char* wanted) const;

  PlanErrors* errors_;
  const toml::table* table_;
  std::string what_;
  Substitutions values_;  // fill_in()
  std::vector<std::string> known_;
  std::map<std::string, std::string> companions_;  // of keys: goes_with()
};

// Runs `read`. What it throws is an error in the line of `key`; returns whether it threw nothing.
template <class Read>
bool try_at(const PlanTable& table, const std::string& key, const Read& read) {
  try {
    read();
    return true;
  } catch (const std::runtime_error& error) {
    table.complain_at(key, error.what());
    return false;
  }
}

}  // namespace playproof
