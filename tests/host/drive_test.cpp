// The one loop around searches, with searches and an evaluator that write down what is asked of
// them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "games/pgame/rules.h"
#include "host/drive/driver.h"

namespace playproof::drive_test {
namespace {

using G = PGame;

// Iteration i wants `wants[i]` requests of `playouts` playouts; the end is a stop.
class Scripted final : public Search<G> {
 public:
  Scripted(std::vector<int> wants, std::uint32_t playouts, std::uint64_t stream)
      : wants_(std::move(wants)), playouts_(playouts), stream_(stream) {}

  std::uint64_t propose(std::uint64_t /*most*/, std::vector<LeafRequest<G>>& requests) override {
    EXPECT_FALSE(open_) << "proposes before it has absorbed";
    EXPECT_FALSE(stopped()) << "is asked after its end";
    open_ = true;
    for (int i = 0; i < wants_[next_]; ++i)
      requests.push_back({{}, {1, stream_ + i}, 0, playouts_});
    asked_ = wants_[next_++];
    return 1;
  }
  StopReason absorb(std::span<const Tally> tallies) override {
    EXPECT_TRUE(open_);
    open_ = false;
    EXPECT_EQ(tallies.size(), static_cast<std::size_t>(asked_));
    for (std::size_t i = 0; i < tallies.size(); ++i) {
      EXPECT_EQ(tallies[i].losses, stream_ + i) << "somebody else's";
      EXPECT_EQ(tallies[i].wins, playouts_) << "not all, or more than all";
    }
    return stopped() ? StopReason::kDecided : StopReason::kRunning;
  }
  bool stopped() const { return next_ == wants_.size(); }
  bool open() const { return open_; }
  std::size_t iterations() const { return next_; }

 private:
  std::vector<int> wants_;
  std::uint32_t playouts_;
  std::uint64_t stream_;
  std::size_t next_ = 0;
  int asked_ = 0;
  bool open_ = false;
};

// Wins: how many playouts were asked for. Losses: the stream, once.
class Counting final : public PlayoutEvaluator<G> {
 public:
  explicit Counting(bool overlaps = false) : overlaps_(overlaps) {}
  bool overlaps() const override { return overlaps_; }
  Ticket submit(std::span<const LeafRequest<G>> requests) override {
    EXPECT_FALSE(requests.empty());
    most_out_ = std::max(most_out_, ++out_);
    out_batches_.emplace_back();
    for (const LeafRequest<G>& request : requests) {
      Tally tally;
      tally.wins = request.playouts;
      tally.losses = request.first == 0 ? static_cast<std::uint32_t>(request.key.stream) : 0;
      out_playouts_ += request.playouts;
      out_batches_.back().push_back(tally);
    }
    most_out_playouts_ = std::max(most_out_playouts_, out_playouts_);
    return out_batches_.size() - 1;
  }
  void collect(Ticket ticket, std::span<Tally> tallies) override {
    --out_;
    for (const Tally& tally : out_batches_[ticket]) out_playouts_ -= tally.wins;
    std::ranges::copy(out_batches_[ticket], tallies.begin());
  }
  std::string name() const override { return "counting"; }

  std::size_t loads() const { return out_batches_.size(); }
  int most_out() const { return most_out_; }
  int out() const { return out_; }
  std::uint64_t most_out_playouts() const { return most_out_playouts_; }

 private:
  bool overlaps_;
  std::vector<std::vector<Tally>> out_batches_;
  int out_ = 0;
  int most_out_ = 0;
  std::uint64_t out_playouts_ = 0;
  std::uint64_t most_out_playouts_ = 0;
};

class Many final : public Roster<G> {
 public:
  explicit Many(int searches) {
    for (int i = 0; i < searches; ++i) {
      std::vector<int> wants(static_cast<std::size_t>(1 + i % 5), i % 4);
      searches_.emplace_back(std::move(wants), 10 + i, 100 * static_cast<std::uint64_t>(i + 1));
    }
  }
  Search<G>* next(std::size_t /*place*/) override {
    return begun_ == searches_.size() ? nullptr : &searches_[begun_++];
  }
  void ended(std::size_t /*place*/) override { ++ended_; }

  const std::vector<Scripted>& searches() const { return searches_; }
  std::size_t begun() const { return begun_; }
  std::size_t ended() const { return ended_; }

 private:
  std::vector<Scripted> searches_;
  std::size_t begun_ = 0;
  std::size_t ended_ = 0;
};

TEST(Driver, OneSearchToItsEnd) {
  Counting evaluator;
  Scripted search({2, 0, 0, 3, 0}, 7, 50);
  run_to_end<G>(search, &evaluator);
  EXPECT_TRUE(search.stopped());
  EXPECT_FALSE(search.open());
  EXPECT_EQ(evaluator.loads(), 2u);
}

// Pauses after so many turns.
struct Turns {
  std::uint64_t left;
  std::uint64_t slice = 1;
  std::uint64_t most() const { return slice; }
  bool pause(const Turn& /*turn*/) { return --left == 0; }
};

// A batch of parts: it goes on while its first parts are at the evaluator, and absorbs all of them.
class Parted final : public Search<G> {
 public:
  Parted(const Counting& evaluator, std::uint32_t playouts, int batches, int parts = 5)
      : evaluator_(evaluator), playouts_(playouts), left_(batches), parts_(parts) {}

  std::uint64_t propose(std::uint64_t /*most*/, std::vector<LeafRequest<G>>& requests) override {
    EXPECT_LT(part_, parts_);
    overlapped_ += evaluator_.out() > 0;
    const int size = part_++ % 3;
    for (int i = 0; i < size; ++i) requests.push_back({{}, {1, asked_++}, 0, playouts_});
    return 5;
  }
  bool may_go_on() const override { return part_ > 0 && part_ < parts_; }
  StopReason absorb(std::span<const Tally> tallies) override {
    EXPECT_EQ(part_, parts_);
    EXPECT_EQ(tallies.size(), asked_);
    for (std::size_t i = 0; i < tallies.size(); ++i) {
      EXPECT_EQ(tallies[i].losses, i);
      EXPECT_EQ(tallies[i].wins, playouts_);
    }
    part_ = 0;
    asked_ = 0;
    return --left_ == 0 ? StopReason::kDecided : StopReason::kRunning;
  }
  int overlapped() const { return overlapped_; }
  int left() const { return left_; }

 private:
  const Counting& evaluator_;
  std::uint32_t playouts_;
  int left_;
  int parts_;  // of 0, 1, 2, 0, 1, 2, ... requests
  int part_ = 0;
  std::uint64_t asked_ = 0;
  int overlapped_ = 0;
};

TEST(Driver, ABatchGoesOnWhileItsFirstPartsArePlayed) {
  for (const std::uint32_t playouts : {7u, 4100u, 9000u, 1u << 15}) {
    for (const bool overlaps : {false, true}) {
      Counting evaluator(overlaps);
      Parted search(evaluator, playouts, 4);
      run_to_end<G>(search, &evaluator);
      // Small parts are not worth a load; large ones are cut, so that a run may pause within them.
      const bool worth = 4096 <= playouts && playouts <= 1u << 14;
      EXPECT_EQ(search.overlapped() > 0, overlaps && worth) << playouts;
      if (playouts == 7) {
        EXPECT_EQ(evaluator.loads(), 4u);
      }
    }
  }
}

// However many parts there are, only so many playouts go out before a run may pause.
TEST(Driver, ManyPartsAreCutLikeALargeLeaf) {
  Counting evaluator(true);
  Parted search(evaluator, 4000, 1, 100);
  Driver<G> driver(search, &evaluator);
  driver.run(Turns{1});
  EXPECT_TRUE(driver.within_leaf());
  EXPECT_LE(evaluator.most_out_playouts(), 1u << 15);
  int runs = 1;
  for (; search.left() > 0; ++runs) driver.run(Turns{1});
  EXPECT_GT(runs, 3);
  EXPECT_FALSE(driver.within_leaf());
}

// Up to `batches` batches out. Batch i wants `wants[i]` requests; 0: it is over at once; -1: no
// leaf is free. The end is a stop. The log says in which order all was asked for.
class Piped final : public Search<G> {
 public:
  Piped(std::vector<int> wants, std::uint32_t batches, std::uint32_t playouts)
      : wants_(std::move(wants)), batches_(batches), playouts_(playouts) {}

  std::uint64_t propose(std::uint64_t /*most*/, std::vector<LeafRequest<G>>& requests) override {
    EXPECT_LT(out_.size(), batches_);
    EXPECT_FALSE(stopped_) << "is asked after its end";
    stopped_ = next_ == wants_.size();
    if (stopped_) {
      requests.push_back({{}, {1, 7}, 0, playouts_});  // of a batch that is given up
      return 0;
    }
    const int wanted = wants_[next_];
    log_ += " p" + std::to_string(next_);
    for (int i = 0; i < wanted; ++i) requests.push_back({{}, {1, 100 * next_ + i}, 0, playouts_});
    if (wanted != 0) out_.push_back(next_);
    ++next_;
    return wanted >= 0 ? 1 : 0;
  }
  StopReason absorb(std::span<const Tally> tallies) override {
    const std::size_t oldest = out_.front();
    out_.erase(out_.begin());
    log_ += " a" + std::to_string(oldest);
    EXPECT_EQ(tallies.size(), static_cast<std::size_t>(std::max(wants_[oldest], 0)));
    for (std::size_t i = 0; i < tallies.size(); ++i) {
      EXPECT_EQ(tallies[i].losses, 100 * oldest + i) << "another batch's";
      EXPECT_EQ(tallies[i].wins, playouts_) << "not all, or more than all";
    }
    return StopReason::kRunning;
  }
  std::uint32_t batches() const override { return batches_; }
  StopReason reason() const override {
    return stopped_ ? StopReason::kDecided : StopReason::kRunning;
  }
  const std::string& log() const { return log_; }

  // What the log must say.
  std::string order() const {
    std::string log;
    std::vector<std::size_t> out;
    for (std::size_t next = 0; next < wants_.size();) {
      if (out.size() == batches_) {
        log += " a" + std::to_string(out.front());
        out.erase(out.begin());
      }
      while (next < wants_.size()) {
        log += " p" + std::to_string(next);
        if (wants_[next++] == 0) continue;
        out.push_back(next - 1);
        break;
      }
    }
    if (out.size() == batches_) log += " a" + std::to_string(out.front());
    return log;
  }

 private:
  std::vector<int> wants_;
  std::uint32_t batches_;
  std::uint32_t playouts_;
  std::string log_;
  std::vector<std::size_t> out_;
  std::size_t next_ = 0;
  bool stopped_ = false;
};

// Batch i + D is proposed when batch i has been absorbed, and before batch i + 1 is: wherever the
// run pauses, and also where a batch is played in many loads.
TEST(Driver, SeveralBatchesTakeTurns) {
  const std::vector<int> wants = {1, -1, 2, 0, 3, 0, 0, 1, -1, -1, 2, 4, 0, 1, 1, 1, 2, 2};
  for (const std::uint32_t batches : {2u, 3u, 5u}) {
    for (const std::uint32_t playouts : {7u, 1u << 15}) {
      for (const bool overlaps : {false, true}) {
        for (std::uint64_t turns = 1; turns < 12; ++turns) {
          for (const std::uint64_t slice : {1u, 2u, 100u}) {
            Counting evaluator(overlaps);
            Piped search(wants, batches, playouts);
            Driver<G> driver(search, &evaluator, batches);
            int runs = 0;
            while (search.reason() == StopReason::kRunning && ++runs < 10000) {
              driver.run(Turns{turns, slice});
              EXPECT_EQ(evaluator.out(), 0);
              EXPECT_FALSE(driver.within_leaf());
            }
            EXPECT_EQ(search.log(), search.order());
            if (turns < 3) {
              EXPECT_GT(runs, 1);
            }
          }
        }
      }
    }
  }
}

// All batches are at the evaluator at once.
TEST(Driver, SeveralBatchesAreOutTogether) {
  for (const std::uint32_t batches : {2u, 4u}) {
    Counting evaluator(true);
    Piped search(std::vector<int>(40, 3), batches, 100);
    Driver<G> driver(search, &evaluator, batches);
    driver.run(NoLimits{});
    EXPECT_EQ(static_cast<std::uint32_t>(evaluator.most_out()), batches);
    EXPECT_EQ(evaluator.out(), 0);
  }
}

TEST(Driver, NoEvaluatorWhereNothingIsPlayed) {
  Scripted search({0, 0, 0}, 7, 50);
  run_to_end<G>(search, nullptr);
  EXPECT_TRUE(search.stopped());
}

TEST(Driver, PausesAfterAnyTurnWithEverythingAbsorbed) {
  for (std::uint64_t turns = 1; turns < 12; ++turns) {
    for (const std::uint64_t slice : {1u, 2u, 100u}) {
      Counting evaluator;
      Scripted search({1, 0, 2, 0, 0, 1, 3, 0, 1, 0}, 7, 50);
      Driver<G> driver(search, &evaluator);
      while (!search.stopped()) {
        const std::size_t before = search.iterations();
        driver.run(Turns{turns, slice});
        EXPECT_FALSE(search.open());
        EXPECT_FALSE(driver.within_leaf());
        EXPECT_GT(search.iterations(), before);
        if (slice == 1 && !search.stopped()) {
          EXPECT_EQ(search.iterations() - before, turns);
        }
      }
    }
  }
}

// A leaf of very many playouts is cut: the run may pause in the middle, and what is left is played
// later, with or without new iterations.
TEST(Driver, PausesWithinALargeLeaf) {
  Counting evaluator;
  Scripted search({2, 1}, 1 << 15, 50);
  Driver<G> driver(search, &evaluator);
  driver.run(Turns{1});
  EXPECT_TRUE(driver.within_leaf());
  EXPECT_TRUE(search.open());
  EXPECT_EQ(evaluator.loads(), 1u);
  struct LeafOnly : NoLimits {
    std::uint64_t most() const { return 0; }
  };
  driver.run(LeafOnly{});
  EXPECT_FALSE(driver.within_leaf());
  EXPECT_FALSE(search.open());
  EXPECT_EQ(search.iterations(), 1u);
  driver.run(NoLimits{});
  EXPECT_TRUE(search.stopped());
  EXPECT_GT(evaluator.loads(), 3u);
  EXPECT_EQ(driver.stats().leaves, 3u);
  EXPECT_EQ(driver.stats().playouts, 3u << 15);
}

TEST(Driver, ManySearchesShareLoads) {
  for (const std::size_t places : {1u, 4u, 9u, 30u}) {
    for (const std::size_t team : {1u, 2u, 4u, 100u}) {
      Counting evaluator;
      Many many(23);
      Driver<G> driver(many, places, team, evaluator);
      driver.run(NoLimits{});
      EXPECT_EQ(many.ended(), many.searches().size());
      std::size_t leaves = 0;
      for (const Scripted& search : many.searches()) {
        EXPECT_TRUE(search.stopped());
        EXPECT_FALSE(search.open());
      }
      for (int i = 0; i < 23; ++i) leaves += static_cast<std::size_t>((1 + i % 5) * (i % 4));
      EXPECT_EQ(driver.stats().leaves, leaves);
      EXPECT_EQ(driver.stats().loads, evaluator.loads());
      EXPECT_EQ(evaluator.out(), 0);
      const std::size_t teams = (places + team - 1) / team;
      EXPECT_LE(static_cast<std::size_t>(evaluator.most_out()), teams);
      // While one team's load is out the other teams work.
      if (teams > 1) {
        EXPECT_GT(evaluator.most_out(), 1);
      }
    }
  }
}

TEST(Driver, APauseOfManyLeavesNothingOut) {
  for (std::uint64_t turns = 1; turns < 20; ++turns) {
    Counting evaluator;
    Many many(23);
    Driver<G> driver(many, 9, 4, evaluator);
    driver.run(Turns{turns, 64});
    EXPECT_EQ(evaluator.out(), 0);
    EXPECT_FALSE(driver.within_leaf());
    std::size_t stopped = 0;
    for (const Scripted& search : many.searches()) {
      EXPECT_FALSE(search.open());
      stopped += search.stopped();
    }
    EXPECT_EQ(many.ended(), stopped);
  }
}

}  // namespace
}  // namespace playproof::drive_test
