// A certificate (docs/certificate.md) to look at: read once, checked, then shown, all from the same
// bytes.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "host/solve/position.h"
#include "src/check/check.h"
#include "src/view/document.h"

namespace playproof {

inline constexpr std::uint64_t kCertificateBytes = std::uint64_t{1} << 30;  // unless asked else

// Its nodes have the numbers of their lines.
class CertificateDocument final : public Document {
 public:
  // The document of a file called `name`. Throws Error(kData) with the place unless the checker
  // accepts it, and if it takes more than `max_memory` bytes: the file with the checker's nodes,
  // then with the text and the table of what is shown.
  CertificateDocument(std::string bytes, std::string name, check::Limits limits,
                      std::uint64_t max_memory);

  Json head() const override;
  std::vector<std::uint64_t> roots() const override;
  std::optional<std::string> node(std::uint64_t number) const override;
  std::vector<std::uint64_t> below(std::uint64_t number) const override;
  std::uint64_t nodes() const { return items_.size(); }

 private:
  enum class Kind : std::uint8_t;
  static bool is_race(Kind kind);
  struct Item {
    std::uint64_t id = 0;
    std::uint64_t line = 0;
    std::uint64_t begin = 0;  // of its line in text_
    std::uint32_t size = 0;
    // Plies to the end of the game at most, unknown above a bound; of cards and links: moves of the
    // prover.
    std::uint32_t left = 0;
    Kind kind{};
  };
  struct Claim {
    int threshold = 0;
    bool proved = true;
    std::size_t begin = 0;  // its nodes in items_
    std::size_t end = 0;
    std::size_t root = 0;
  };
  using Words = std::vector<std::string_view>;

  std::string graph(std::uint64_t most_bytes);
  [[noreturn]] void refuse_size(std::uint64_t line, std::uint64_t most_bytes) const;
  void make_room(std::uint64_t max_memory);
  void read();
  void add(const Words& words, std::uint64_t line);
  // Of its line, without and with what it holds under (docs/certificate.md, "Positions that come
  // again").
  Words words_of(const Item& item) const;
  Words all_words_of(const Item& item) const;
  const Item* find(std::uint64_t line) const;
  const Claim& claim_of(const Item& item) const;
  const Item& item_of(const Claim& claim, std::string_view id) const;
  std::uint32_t left_of(const Claim& claim, Kind kind, const Words& words) const;
  std::uint32_t plies_of(const Item& item, bool provers_turn) const;
  std::uint32_t turn_stones() const;
  // A node as it is told of in the one above it: line, left, kind, its move; on a graph its name.
  Json summary(const Item& item) const;

  std::string bytes_;
  std::string name_;
  check::Report report_;
  bool on_graph_ = false;
  std::unique_ptr<AnyPosition> start_;
  std::map<std::string, std::size_t, std::less<>> cells_;  // by name
  std::string text_;                                       // the lines of the nodes
  std::vector<Item> items_;                                // by line
  std::vector<Claim> claims_;
};

}  // namespace playproof
