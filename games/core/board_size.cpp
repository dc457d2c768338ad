#include "games/core/board_size.h"

#include <string>

#include "games/core/error.h"

namespace playproof {

std::vector<OptionInfo> board_size_options(const char* default_size) {
  return {integer_option("size", default_size, 2, 19, "rows and columns"),
          integer_option("rows", "", 2, 19, "instead of size, with columns"),
          integer_option("columns", "", 2, 19, "instead of size, with rows")};
}

BoardSize board_size(const Options& options) {
  const bool rows = options.given("rows");
  const bool columns = options.given("columns");
  const std::string& game = options.entry().name;
  if (options.given("size") && (rows || columns)) {
    throw Error(ErrorCode::kUsage, game + ": give size, or rows and columns, not both");
  }
  if (rows != columns) {
    throw Error(ErrorCode::kUsage, game + ": rows and columns go together; " +
                                       (rows ? "columns" : "rows") + " is missing");
  }
  const char* down = rows ? "rows" : "size";
  const char* across = rows ? "columns" : "size";
  return {static_cast<int>(options.integer(down)), static_cast<int>(options.integer(across))};
}

}  // namespace playproof
