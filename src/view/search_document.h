// A saved search (docs/checkpoint.md) to look at: its tree as it stands, or what its table knows.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "host/solve/position.h"
#include "host/solve/solver.h"
#include "src/view/document.h"

namespace playproof {

// Nodes that are looked at, at most: those nearest to the root.
inline constexpr std::size_t kMostLooked = 200'000;

class SearchDocument final : public Document {
 public:
  // Throws Error as resume() of src/io/checkpoint.h does.
  SearchDocument(const std::string& path, std::string name, std::uint64_t max_memory);

  Json head() const override;
  std::vector<std::uint64_t> roots() const override { return {0}; }
  std::optional<std::string> node(std::uint64_t number) const override;
  std::vector<std::uint64_t> below(std::uint64_t number) const override;
  std::optional<int> whole_depth() const override { return whole_depth_; }

 private:
  // Does the side to move at their parent rather play the first one?
  bool preferred(const NodeRow& a, const NodeRow& b, bool attackers) const;
  std::unique_ptr<AnyPosition> position_of(std::uint64_t number) const;
  Json row_json(std::uint64_t number) const;

  std::string name_;
  SolveRequest request_;
  std::unique_ptr<Solver> solver_;
  std::unique_ptr<AnyPosition> start_;
  std::vector<NodeRow> rows_;
  std::vector<std::vector<std::uint32_t>> children_;  // of each row, by preference
  std::vector<std::string> numbers_;                  // the names of all numbers that rows have
  std::optional<int> whole_depth_;
  // The first node of which a child was not read; of those after it none was.
  std::optional<std::size_t> unread_from_;
};

}  // namespace playproof
