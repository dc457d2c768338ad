// What the table of a depth-first search by a scheme's labels (host/table/depth_first_scheme.h)
// keeps of a position that was evaluated: its label and its bounds.
#pragma once

#include <algorithm>
#include <cstdint>

#include "host/table/proof_table.h"
#include "kernels/numbers/bounds.h"
#include "kernels/numbers/probability.h"
#include "kernels/schemes/ews.h"

namespace playproof {

// `Packed` holds the label, in as few bits as lose none of it, and has room for the rest.
// No work: a leaf, which goes first when places run out.
template <class Packed>
class LabelPayload : private Packed {
 public:
  using Label = typename Packed::Label;
  static constexpr std::uint32_t kMostWorth = kMostPackedWork;
  LabelPayload() = default;
  LabelPayload(const Label& label, const Bounds& bounds, std::uint64_t entries) {
    this->pack(label);
    set(bounds);
    this->work = static_cast<std::uint16_t>(packed_work(std::min(entries, kMostWork)));
  }

  void take(bool turn) {
    this->turn_bit = turn;
    this->used_bit = 1;
  }
  bool used() const { return this->used_bit != 0; }
  bool turn() const { return this->turn_bit != 0; }
  // That of a solved node if the position was decided for the question that was asked when it was
  // stored.
  Label label() const { return this->unpack(); }
  Bounds bounds() const {
    return Bounds::unknown(static_cast<Value>(this->lower), static_cast<Value>(this->upper));
  }
  std::uint32_t worth() const { return static_cast<std::uint32_t>(this->work); }
  bool entered() const { return this->work > 0; }
  // What both say of the same position: the newer label, every bound, the greater work.
  void join(const LabelPayload& newer) {
    this->pack(newer.label());
    set(Bounds::both(newer.bounds(), bounds()));
    if (newer.work > this->work) this->work = newer.work;
  }
  template <class Archive>
  void serialize(Archive& archive) {
    archive.bytes(this, sizeof *this);
  }
  using Limits = Bounds;  // of every position
  template <class Archive>
  void check(Archive& archive, const Limits& any) const {
    archive.check(label().valid(), "a label that no position has");
    const Bounds bounds = this->bounds();
    archive.check(any.lower() <= bounds.lower() && bounds.lower() <= bounds.upper() &&
                      bounds.upper() <= any.upper(),
                  "bounds that no position has");
  }

 private:
  static constexpr std::uint64_t kMostWork = 0xffffffff;

  void set(const Bounds& bounds) {
    this->lower = static_cast<std::int8_t>(bounds.lower());
    this->upper = static_cast<std::int8_t>(bounds.upper());
  }
};

// A label in two words.
struct PackedProbability {
  using Label = Probability;

  void pack(const Probability& p) {
    const Probability::Parts parts = p.parts();
    m = parts.m;
    minus_e = static_cast<std::uint32_t>(std::min(-parts.e, kMostMinusE)) & kMostMinusE;
    complement = parts.complement;
  }
  Probability unpack() const {
    return Probability::of({m, -static_cast<std::int32_t>(minus_e), complement != 0});
  }

  static constexpr std::int32_t kMostMinusE = (std::int32_t{1} << 29) - 1;

  double m = 0;
  std::uint32_t minus_e : 29 = 0;
  std::uint32_t complement : 1 = 0;
  std::uint32_t used_bit : 1 = 0;
  std::uint32_t turn_bit : 1 = 0;
  std::uint16_t work = 0;  // packed
  std::int8_t lower = 0;
  std::int8_t upper = 0;
};
static_assert(sizeof(LabelPayload<PackedProbability>) == 16);

// A label in four words. Wins and visits are whole below a root.
struct PackedEwsLabel {
  using Label = EwsLabel;

  void pack(const EwsLabel& label) {
    proof = label.proof;
    disproof = label.disproof;
    wins = static_cast<std::uint64_t>(label.wins) & kMost;
    visits = static_cast<std::uint64_t>(label.visits) & kMost;
  }
  EwsLabel unpack() const {
    return {proof, disproof, static_cast<double>(wins), static_cast<double>(visits)};
  }

  static constexpr std::uint64_t kMost = (std::uint64_t{1} << 47) - 1;
  static_assert(EwsLabel::kMostVisits == static_cast<double>(kMost));

  double proof = 0;
  double disproof = 0;
  std::uint64_t wins : 47 = 0;
  std::uint64_t turn_bit : 1 = 0;
  std::uint64_t work : 16 = 0;  // packed
  std::uint64_t visits : 47 = 0;
  std::uint64_t used_bit : 1 = 0;
  std::int64_t lower : 8 = 0;
  std::int64_t upper : 8 = 0;
};
static_assert(sizeof(LabelPayload<PackedEwsLabel>) == 32);

// How a label is kept in a table, on a stack and in a file.
template <class Label>
struct KeptLabel;

template <>
struct KeptLabel<Probability> {
  using Packed = PackedProbability;
  // Nothing is known of the position.
  static Probability none() { return Probability::from(0.5); }
  template <class Archive>
  static void serialize(Archive& archive, Probability& p) {
    Probability::Parts parts = p.parts();
    archive(parts.m, parts.e, parts.complement);
    if constexpr (Archive::kLoading) p = Probability::of(parts);
  }
};

template <>
struct KeptLabel<EwsLabel> {
  using Packed = PackedEwsLabel;
  static EwsLabel none() { return {}; }
  template <class Archive>
  static void serialize(Archive& archive, EwsLabel& label) {
    archive.bytes(&label, sizeof label);
  }
};

}  // namespace playproof
