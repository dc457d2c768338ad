// The wins by threats that a proof search on turns (games/connect/rzop.h) asks for. What has been
// said is kept in order, so that a search that is resumed has it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "games/connect/race_zone.h"
#include "games/connect/vcst.h"
#include "games/core/error.h"

namespace playproof {

template <int W>
class TurnThreats {
 public:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  struct Said {
    std::uint64_t work = 0;
    std::uint64_t nodes_by[2] = {};
    std::uint64_t searches = 1;  // by double threats: several of one with single threats
    std::uint32_t zone = kNone;  // of a win: its number in `zones`
  };

  // Those of wins are appended to what the search has of other positions.
  using Zones = std::vector<RaceZone<W>>;

  // `windows` must outlive it.
  explicit TurnThreats(const ConnectWindows<W>& windows) : windows_(&windows), doubles_(windows) {}

  // By double threats or, on request, with some single ones: that begins with the former. Their
  // `threats` are the same.
  void begin(const VcdtOptions& doubles, const std::optional<VcstOptions>& singles) {
    options_ = doubles;
    more_ = singles;
    if (more_) more_->threats = options_;
    if (more_ && !singles_) singles_.emplace(*windows_);
    said_.clear();
    used_ = 0;
  }
  // Does the attacker, who is to move, win? While `loading` it has been asked before.
  const Said& ask(const ConnectThreats<W>& position, int attacker, int stones, bool loading,
                  Zones* zones) {
    if (used_ == said_.size()) {
      if (loading) refuse();
      Said said;
      if (const auto proof = search(position, attacker, stones, &said)) {
        if (const auto zone = RaceWalk<W>().walk(position, attacker, stones, *proof)) {
          said.zone = add(*zone, zones);
        }
      }
      said_.push_back(said);
    }
    return said_[used_++];
  }
  // The proof of a win that was found, once more.
  RaceProof prove(const ConnectThreats<W>& position, int attacker, int stones) {
    Said said;
    auto proof = search(position, attacker, stones, &said);
    if (!proof) refuse();
    return std::move(*proof);
  }
  bool all_used() const { return used_ == said_.size(); }
  std::uint64_t bytes() const {
    return doubles_.bytes() + (singles_ ? singles_->bytes() : 0) + said_.capacity() * sizeof(Said);
  }

  // Saves or loads what was said (host/archive/archive.h). A win that a file claims is found out
  // when the proof is put together and walked.
  template <class Archive>
  void serialize(Archive& archive, Zones* zones) {
    std::uint64_t count = said_.size();
    archive(count);
    for (std::uint64_t i = 0; i < count; ++i) {
      if constexpr (Archive::kLoading) said_.emplace_back();
      Said& said = said_[i];
      bool is_win = said.zone != kNone;
      archive(said.work, said.nodes_by[0], said.nodes_by[1], is_win);
      if (more_) archive(said.searches);
      check(archive, said);
      if (!is_win) continue;
      if constexpr (Archive::kLoading) said.zone = add({}, zones);
      for (CellSet<W>& place : (*zones)[said.zone].places) {
        archive.bytes(&place, sizeof place);
        archive.check(place.within(CellSet<W>::all(windows_->rules.cells)),
                      "a zone beyond the board");
      }
    }
  }

 private:
  static std::uint32_t add(const RaceZone<W>& zone, Zones* zones) {
    zones->push_back(zone);
    return static_cast<std::uint32_t>(zones->size() - 1);
  }
  std::optional<RaceProof> search(const ConnectThreats<W>& position, int attacker, int stones,
                                  Said* said) {
    const VcdtAnswer answer = more_ ? singles_->solve(position, attacker, stones, *more_)
                                    : doubles_.solve(position, attacker, stones, options_);
    said->work = answer.work;
    said->searches = more_ ? answer.calls : 1;
    for (const int by : {0, 1}) said->nodes_by[by] = answer.nodes_by[by];
    std::optional<RaceProof> proof;
    if (answer.outcome == VcdtAnswer::Outcome::kWin) {
      proof = more_ ? singles_->proof() : doubles_.proof();
    }
    if (more_) singles_->forget();
    return proof;
  }
  // What searches by threats may say of themselves. The work of one by double threats is at most
  // what it is allowed, and the pairs of one position more, each looked at twice; what it goes to
  // are turns that were such a pair, with the replies that hit all their threats, once for each
  // number of turns. One with single threats is made of such searches: the last one may begin with
  // its last pair.
  template <class Archive>
  void check(Archive& archive, const Said& said) const {
    const auto cells = static_cast<std::uint64_t>(windows_->rules.cells);
    const std::uint64_t one = options_.work + 2 * cells * cells;
    archive.check(said.work <= one + (more_ ? more_->work : 0),
                  "more work than a search by threats does");
    archive.check(0 < said.searches && said.searches <= (more_ ? most_searches(cells) : 1),
                  "more searches by double threats than there are positions");
    const std::uint64_t phases = 2 * static_cast<std::uint64_t>(options_.turns) * said.searches;
    for (const std::uint64_t nodes : said.nodes_by) {
      archive.check(nodes <= phases + std::uint64_t{ConnectReplies::kMost} * said.work,
                    "more positions than searches by threats go to");
    }
  }
  // Positions that a search with single threats can ask about, as far as memory would hold them: a
  // reply of one stone or of two to each of the turns that are tried, and so on.
  std::uint64_t most_searches(std::uint64_t cells) const {
    constexpr std::uint64_t kMost = std::uint64_t{1} << 32;
    const std::uint64_t replies =
        static_cast<std::uint64_t>(more_->width) * (cells + cells * cells / 2);
    std::uint64_t positions = 1;
    for (int i = 0; i < more_->singles && positions < kMost; ++i) {
      positions = 1 + positions * replies;
    }
    return std::min(positions, kMost);
  }
  // Only of what a file said is it not so.
  [[noreturn]] static void refuse() {
    throw Error(ErrorCode::kData, "the search that was resumed: a win of its answers is none");
  }

  const ConnectWindows<W>* windows_;
  Vcdt<W> doubles_;
  std::optional<Vcst<W>> singles_;
  VcdtOptions options_;
  std::optional<VcstOptions> more_;
  std::vector<Said> said_;
  std::uint64_t used_ = 0;  // of these
};

}  // namespace playproof
