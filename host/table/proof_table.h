// The table of depth-first search: what is known of positions (host/table/position_table.h), with
// the numbers and the bounds of df-pn as payload.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "games/core/connection.h"
#include "games/core/game.h"
#include "games/core/identity.h"
#include "host/table/position_table.h"
#include "kernels/numbers/bounds.h"
#include "kernels/numbers/phi_delta.h"

namespace playproof {

// Node entries below a position, as a table keeps them: exact below 2048, then eleven binary
// digits; order is kept.
inline constexpr std::uint32_t kMostPackedWork = 0xffff;
constexpr std::uint32_t packed_work(std::uint64_t work) {
  if (work < 2048) return static_cast<std::uint32_t>(work);
  const int shift = static_cast<int>(std::bit_width(work)) - 12;
  return static_cast<std::uint32_t>((shift + 1) << 11) +
         static_cast<std::uint32_t>((work >> shift) & 2047);
}

// What depth-first search keeps of a position that it entered, in two words.
class ProofPayload {
 public:
  static constexpr std::uint32_t kMostWorth = kMostPackedWork;
  ProofPayload() = default;
  ProofPayload(const PhiDeltaPair& numbers, const Bounds& bounds, std::uint64_t work)
      : phi_((numbers.open() ? numbers.phi : kClosed) & kClosed),
        work_(packed_work(std::min(work, kMostWork)) & kMostPackedWork),
        delta_((numbers.open() ? numbers.delta : kClosed) & kClosed),
        lower_(bounds.lower()),
        upper_(bounds.upper()) {}

  void take(bool turn) {
    turn_ = turn;
    used_ = 1;
  }
  bool used() const { return used_ != 0; }
  bool turn() const { return turn_ != 0; }
  // Open where the position was not solved for the question that was asked when it was stored.
  PhiDeltaPair numbers() const { return phi_ == kClosed ? kMoverWins : PhiDeltaPair{phi_, delta_}; }
  Bounds bounds() const {
    return Bounds::unknown(static_cast<Value>(lower_), static_cast<Value>(upper_));
  }
  std::uint32_t work() const { return work_; }  // packed
  std::uint32_t worth() const { return work(); }
  bool entered() const { return work_ > 0; }
  // What both say of the same position: the newer numbers, every bound, the greater work.
  void join(const ProofPayload& newer) {
    const Bounds bounds = Bounds::both(newer.bounds(), this->bounds());
    phi_ = newer.phi_;
    delta_ = newer.delta_;
    lower_ = bounds.lower();
    upper_ = bounds.upper();
    work_ = std::max(newer.work(), work()) & kMostPackedWork;
  }
  template <class Archive>
  void serialize(Archive& archive) {
    archive.bytes(this, sizeof *this);
  }
  using Limits = Bounds;  // of every position
  template <class Archive>
  void check(Archive& archive, const Limits& any) const {
    archive.check(entered(), "a node that was never entered");
    archive.check((phi_ == kClosed && delta_ == kClosed) || numbers().open(),
                  "numbers that no node has");
    const Bounds bounds = this->bounds();
    archive.check(any.lower() <= bounds.lower() && bounds.lower() <= bounds.upper() &&
                      bounds.upper() <= any.upper(),
                  "bounds that no position has");
  }

 private:
  static constexpr std::uint64_t kClosed = (std::uint64_t{1} << 47) - 1;
  static_assert(kPhiDeltaCap < kClosed);
  static constexpr std::uint64_t kMostWork = 0xffffffff;

  std::uint64_t phi_ : 47 = 0;
  std::uint64_t turn_ : 1 = 0;
  std::uint64_t work_ : 16 = 0;
  std::uint64_t delta_ : 47 = 0;
  std::uint64_t used_ : 1 = 0;
  std::int64_t lower_ : 8 = 0;
  std::int64_t upper_ : 8 = 0;
};
static_assert(sizeof(ProofPayload) == 16);

template <Game G>
using TableEntry = PositionEntry<PositionId<G>, ProofPayload>;
template <Game G>
using ProofTable = PositionTable<PositionId<G>, ProofPayload, Zone<G>>;

}  // namespace playproof
