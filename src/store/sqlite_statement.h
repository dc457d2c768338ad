// One prepared SQL statement: bind in order, step, read columns. Texts and blobs are not copied:
// what is bound must live until the statement has run.
#pragma once

#include <sqlite3.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace playproof {

// What SQLite said, with its result code, and of which file.
struct SqliteFailure {
  int code;
  std::string text;
  const sqlite3* database = nullptr;
};

inline SqliteFailure failure_of(sqlite3* database, int code) {
  const bool large = (code & 0xff) == SQLITE_TOOBIG;
  return {code, large ? "a value is larger than any of ours" : sqlite3_errmsg(database), database};
}

// Every member throws SqliteFailure.
class Statement {
 public:
  Statement(sqlite3* database, const std::string& sql) : database_(database) {
    check(sqlite3_prepare_v2(database, sql.c_str(), static_cast<int>(sql.size()), &statement_,
                             nullptr));
  }
  ~Statement() { sqlite3_finalize(statement_); }
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  Statement& bind(std::string_view text) {
    check(sqlite3_bind_text(statement_, ++bound_, text.data(), static_cast<int>(text.size()),
                            nullptr));
    return *this;
  }
  Statement& bind(const std::string& text) { return bind(std::string_view{text}); }
  Statement& bind(std::int64_t number) {
    check(sqlite3_bind_int64(statement_, ++bound_, number));
    return *this;
  }
  Statement& bind(double number) {
    check(sqlite3_bind_double(statement_, ++bound_, number));
    return *this;
  }
  Statement& bind(const std::optional<double>& number) {
    if (number) return bind(*number);
    check(sqlite3_bind_null(statement_, ++bound_));
    return *this;
  }
  Statement& bind(const std::optional<std::string>& text) {
    if (text) return bind(std::string_view{*text});
    check(sqlite3_bind_null(statement_, ++bound_));
    return *this;
  }
  Statement& bind_blob(std::string_view bytes) {
    check(sqlite3_bind_blob(statement_, ++bound_, bytes.data(), static_cast<int>(bytes.size()),
                            nullptr));
    return *this;
  }

  // Returns true if there is a row.
  bool step() {
    const int code = sqlite3_step(statement_);
    if (code == SQLITE_ROW) return true;
    if (code != SQLITE_DONE) check(code);
    return false;
  }
  void run() {
    step();
    reset();
  }
  void reset() {
    check(sqlite3_reset(statement_));
    bound_ = 0;
  }
  std::int64_t integer(int column) { return sqlite3_column_int64(statement_, column); }
  std::string text(int column) {
    const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement_, column));
    if (text == nullptr) return {};
    // The text keeps its NULs: two are not one because they begin alike.
    return {text, static_cast<std::size_t>(sqlite3_column_bytes(statement_, column))};
  }

  // Values as they are, of whatever type: taken from the row of another statement, held against it.
  Statement& bind_value(const Statement& other, int column) {
    check(sqlite3_bind_value(statement_, ++bound_, sqlite3_column_value(other.statement_, column)));
    return *this;
  }
  bool same_value(const Statement& other, int column) const {
    const int type = sqlite3_column_type(statement_, column);
    if (type != sqlite3_column_type(other.statement_, column)) return false;
    if (type == SQLITE_INTEGER) {
      return sqlite3_column_int64(statement_, column) ==
             sqlite3_column_int64(other.statement_, column);
    }
    if (type == SQLITE_FLOAT) {
      return sqlite3_column_double(statement_, column) ==
             sqlite3_column_double(other.statement_, column);
    }
    return bytes(column) == other.bytes(column);
  }
  bool is_null(int column) const { return sqlite3_column_type(statement_, column) == SQLITE_NULL; }
  std::string_view bytes(int column) const {  // valid until the next step
    const auto* data = static_cast<const char*>(sqlite3_column_blob(statement_, column));
    return {data, data == nullptr
                      ? 0
                      : static_cast<std::size_t>(sqlite3_column_bytes(statement_, column))};
  }
  int columns() const { return sqlite3_column_count(statement_); }
  int parameters() const { return sqlite3_bind_parameter_count(statement_); }
  std::string name(int column) const { return sqlite3_column_name(statement_, column); }

 private:
  void check(int code) {
    if (code != SQLITE_OK) throw failure_of(database_, code);
  }

  sqlite3* database_;
  sqlite3_stmt* statement_ = nullptr;
  int bound_ = 0;
};

// It is undone unless it is committed.
class Transaction {
 public:
  explicit Transaction(sqlite3* database) : database_(database) {
    Statement(database_, "BEGIN IMMEDIATE").run();
  }
  ~Transaction() {
    if (!done_) sqlite3_exec(database_, "ROLLBACK", nullptr, nullptr, nullptr);
  }
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  void commit() {
    Statement(database_, "COMMIT").run();
    done_ = true;
  }

 private:
  sqlite3* database_;
  bool done_ = false;
};

}  // namespace playproof
