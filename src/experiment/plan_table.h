// One TOML table of a plan, read key by key. Every getter names the type and range that it wants;
// finish() refuses the keys that nobody asked for. Errors: "plan.toml:12: ...", Error(kData).
#pragma once

#include <toml++/toml.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace playproof {

class PlanTable {
 public:
  // `what` names the table in messages: "[limits]", "[[series]] 'hex-4'". The table must outlive
  // this object.
  PlanTable(std::string file, const toml::table& table, std::string what);

  bool has(const std::string& key);
  std::optional<std::string> text(const std::string& key);
  std::string required_text(const std::string& key);
  std::optional<bool> flag(const std::string& key);
  std::optional<std::uint64_t> integer(const std::string& key, std::uint64_t min,
                                       std::uint64_t max);
  std::uint64_t required_integer(const std::string& key, std::uint64_t min, std::uint64_t max);
  std::optional<double> real(const std::string& key);
  // A list of texts, or one text.
  std::optional<std::vector<std::string>> texts(const std::string& key);
  const toml::array* array(const std::string& key);
  // A table in the table.
  std::optional<PlanTable> table(const std::string& key);
  // [[key]]: the tables of an array of tables, none if the key is missing.
  std::vector<PlanTable> tables(const std::string& key);
  const toml::table& raw() const { return *table_; }

  // Throws for the first key that no getter asked for.
  void finish() const;
  void rename(std::string what) { what_ = std::move(what); }
  const std::string& what() const { return what_; }
  const std::string& file() const { return file_; }
  int line() const;
  int line_of(const std::string& key) const;
  [[noreturn]] void fail(int line, const std::string& text) const;
  [[noreturn]] void fail_at(const std::string& key, const std::string& text) const;
  [[noreturn]] void fail_missing(const std::string& key) const;

 private:
  const toml::node* find(const std::string& key);
  [[noreturn]] void fail_type(const std::string& key, const char* wanted) const;

  std::string file_;
  const toml::table* table_;
  std::string what_;
  std::vector<std::string> known_;
};

}  // namespace playproof
