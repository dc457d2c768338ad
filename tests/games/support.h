// What the tests of the rules share.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include "games/core/error.h"
#include "games/core/random_position.h"
#include "games/list.h"
#include "tests/conformance.h"

namespace playproof {

// The lines of a file in tests/data that are not comments.
inline std::vector<std::string> data_lines(const std::string& name) {
  std::ifstream file(std::string(PLAYPROOF_TEST_DATA) + "/" + name);
  EXPECT_TRUE(file.good()) << name;
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) {
    if (!line.empty() && line[0] != '#') lines.push_back(line);
  }
  EXPECT_FALSE(lines.empty()) << name;
  return lines;
}

// What reading this position says: the error text, or "" if it is read.
inline std::string position_error(const std::string& game, const std::string& position) {
  return visit_game(game, [&]<class G>(const typename G::Rules& rules) -> std::string {
    try {
      GameText<G>::parse(rules, position);
      return "";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kData);
      return error.what();
    }
  });
}

// What naming this game says: the error text, or its canonical name if it exists.
inline std::string game_answer(const std::string& game) {
  try {
    return visit_game(game, []<class G>(const typename G::Rules& rules) {
      return GameText<G>::canonical(rules);
    });
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUsage);
    return error.what();
  }
}

}  // namespace playproof
