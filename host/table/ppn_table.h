// The table of depth-first PPN (host/table/depth_first_ppn.h): positions that were evaluated, with
// their probabilities and bounds as payload.
#pragma once

#include <algorithm>
#include <cstdint>

#include "games/core/connection.h"
#include "games/core/game.h"
#include "games/core/identity.h"
#include "host/numbers/probability.h"
#include "host/question/bounds.h"
#include "host/table/position_table.h"
#include "host/table/proof_table.h"

namespace playproof {

// In two words. No work: a leaf, which goes first when places run out.
class PpnPayload {
 public:
  static constexpr std::uint32_t kMostWorth = kMostPackedWork;
  PpnPayload() = default;
  PpnPayload(const Probability& p, const Bounds& bounds, std::uint64_t work)
      : m_(p.parts().m),
        minus_e_(static_cast<std::uint32_t>(std::min(-p.parts().e, kMostMinusE)) & kMostMinusE),
        complement_(p.parts().complement),
        work_(static_cast<std::uint16_t>(packed_work(std::min(work, kMostWork)))),
        lower_(static_cast<std::int8_t>(bounds.lower())),
        upper_(static_cast<std::int8_t>(bounds.upper())) {}

  void take(bool turn) {
    turn_ = turn;
    used_ = 1;
  }
  bool used() const { return used_ != 0; }
  bool turn() const { return turn_ != 0; }
  // 0 or 1 of a position that was decided for the question that was asked when it was stored.
  Probability p() const {
    return Probability::of({m_, -static_cast<std::int32_t>(minus_e_), complement_ != 0});
  }
  Bounds bounds() const {
    return Bounds::unknown(static_cast<Value>(lower_), static_cast<Value>(upper_));
  }
  std::uint32_t worth() const { return work_; }
  bool entered() const { return work_ > 0; }
  // What both say of the same position: the newer number, every bound, the greater work.
  void join(const PpnPayload& newer) {
    const Bounds bounds = Bounds::both(newer.bounds(), this->bounds());
    m_ = newer.m_;
    minus_e_ = newer.minus_e_;
    complement_ = newer.complement_;
    lower_ = static_cast<std::int8_t>(bounds.lower());
    upper_ = static_cast<std::int8_t>(bounds.upper());
    work_ = std::max(newer.work_, work_);
  }
  template <class Archive>
  void serialize(Archive& archive) {
    archive.bytes(this, sizeof *this);
  }
  using Limits = Bounds;  // of every position
  template <class Archive>
  void check(Archive& archive, const Limits& any) const {
    archive.check(p().valid(), "a number that is no probability");
    const Bounds bounds = this->bounds();
    archive.check(any.lower() <= bounds.lower() && bounds.lower() <= bounds.upper() &&
                      bounds.upper() <= any.upper(),
                  "bounds that no position has");
  }

 private:
  static constexpr std::uint64_t kMostWork = 0xffffffff;
  static constexpr std::int32_t kMostMinusE = (std::int32_t{1} << 29) - 1;

  double m_ = 0;
  std::uint32_t minus_e_ : 29 = 0;
  std::uint32_t complement_ : 1 = 0;
  std::uint32_t used_ : 1 = 0;
  std::uint32_t turn_ : 1 = 0;
  std::uint16_t work_ = 0;  // packed
  std::int8_t lower_ = 0;
  std::int8_t upper_ = 0;
};
static_assert(sizeof(PpnPayload) == 16);

template <Game G>
using PpnTable = PositionTable<PositionId<G>, PpnPayload, Zone<G>>;

}  // namespace playproof
