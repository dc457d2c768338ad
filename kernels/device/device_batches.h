// How batches go to a device and come back: staged, cut in pieces if memory is short, several on
// their way at once. What moves bytes and starts kernels is behind Slot, so that the tests run all
// of this on a CPU.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "kernels/common/random_words.h"
#include "kernels/device/busy_time.h"
#include "kernels/device/playout_device.h"

namespace playproof {

// What a device counts of one request.
struct WordCounts {
  std::uint32_t wins = 0;
  std::uint32_t draws = 0;
};

// The same of a game whose playouts may be cut off.
struct BoundedCounts : WordCounts {
  std::uint32_t truncated = 0;  // among the others
};
template <class G>
using CountsOf = std::conditional_t<AcyclicGame<G>, WordCounts, BoundedCounts>;

// One batch as a device reads it. The words of all requests are numbered one after the other: word
// i is of the first request whose `ends` is greater than i.
template <class G>
struct DeviceBatch {
  const LeafRequest<G>* requests = nullptr;
  const std::uint64_t* ends = nullptr;  // words of requests 0 .. i
  CountsOf<G>* counts = nullptr;        // what is added to; zero before
  // If it is not null, the last block to end puts the counts here, and leaves zeros behind there
  // and in `ended`, which counts blocks.
  CountsOf<G>* answer = nullptr;
  std::uint32_t* ended = nullptr;
  std::uint32_t size = 0;  // requests
  std::uint64_t words = 0;
};

// What a thread (or a warp) plays.
struct WorkItem {
  std::uint32_t request = 0;
  std::uint32_t word = 0;   // of the request's position
  std::uint32_t lanes = 0;  // none: it only keeps the others company
};

// Word i of the batch, which is of request number `request`; beyond the last word, that one without
// lanes.
template <class G>
PP_HD WorkItem work_item(const DeviceBatch<G>& batch, std::uint32_t request, std::uint64_t i) {
  const bool played = i < batch.words;
  const std::uint64_t begin = request == 0 ? 0 : batch.ends[request - 1];
  const std::uint64_t at = played ? i : batch.words - 1;
  const auto done = static_cast<std::uint32_t>(at - begin);  // words of the request before
  const LeafRequest<G>& asked = batch.requests[request];
  const std::uint32_t left = asked.playouts - done * kLanes;
  const std::uint32_t lanes = played ? lane_mask(left < kLanes ? left : kLanes) : 0;
  return {request, asked.first / kLanes + done, lanes};
}

// Words that a device plays of a request; none if its tally is certain.
template <class G>
std::uint64_t words_to_play(const typename G::Rules& rules, const LeafRequest<G>& request) {
  if (G::finished(rules, request.state)) return 0;
  return (std::uint64_t{request.playouts} + kLanes - 1) / kLanes;
}

// A Slot has memory on both sides for one piece of a batch:
//   DeviceError reserve(std::size_t requests);      // room for so many, at least 1; all or nothing
//   LeafRequest<G>* requests();                     // where they are staged, and
//   std::uint64_t* ends();                          // the words of all requests up to each
//   // words > 0; returns at once; the way is that of go()
//   DeviceError start(std::size_t requests, std::uint64_t words, std::optional<BatchWay>);
//   DeviceError finish(BatchTime*);                 // waits for it, and says when it was
//   const CountsOf<G>* counts();                     // then valid
//   void drain();  // waits for what is left of a start() that failed: it may still read the memory
template <class G, class Slot>
class DeviceBatches final : public PlayoutDevice<G> {
 public:
  // make_slot() makes an empty slot.
  template <class MakeSlot>
  DeviceBatches(const typename G::Rules& rules, std::string name, MakeSlot make_slot)
      : rules_(rules), name_(std::move(name)), make_slot_(std::move(make_slot)) {}

  DeviceError submit(std::span<const LeafRequest<G>> requests, std::size_t* number) override {
    if (free_.empty()) {
      free_.push_back(batches_.size());
      batches_.push_back(std::make_unique<Batch>());
      batches_.back()->slot = make_slot_();
    }
    *number = free_.back();
    Batch& batch = *batches_[*number];
    batch.tallies.clear();
    batch.waiting = 0;
    const DeviceError error = start(requests, batch);
    if (error) {
      batch.slot->drain();
    } else {
      free_.pop_back();
    }
    return error;
  }

  DeviceError collect(std::size_t number, std::span<Tally> tallies) override {
    Batch& batch = *batches_[number];
    free_.push_back(number);
    const DeviceError error = finish_piece(batch);
    if (!error) std::copy(batch.tallies.begin(), batch.tallies.end(), tallies.begin());
    return error;
  }
  std::string name() const override { return name_; }
  double busy_seconds() const override { return busy_.seconds(); }
  void go(std::optional<BatchWay> way) override { way_ = way; }

 private:
  struct Batch {
    std::unique_ptr<Slot> slot;
    std::vector<Tally> tallies;  // of the pieces so far; losses stand in for all that is played
    std::size_t waiting = 0;     // requests at the end of tallies that are being played
  };

  DeviceError start(std::span<const LeafRequest<G>> requests, Batch& batch) {
    if (requests.empty()) return {};
    std::size_t piece = requests.size();
    DeviceError error = batch.slot->reserve(piece);
    while (error.out_of_memory && piece > 1) {
      piece = (piece + 1) / 2;
      error = batch.slot->reserve(piece);
    }
    batch.tallies.reserve(requests.size());
    for (std::size_t at = 0; at < requests.size() && !error; at += piece) {
      error = finish_piece(batch);
      if (!error) {
        error = start_piece(requests.subspan(at, std::min(piece, requests.size() - at)), batch);
      }
    }
    return error;
  }

  DeviceError start_piece(std::span<const LeafRequest<G>> piece, Batch& batch) {
    std::copy(piece.begin(), piece.end(), batch.slot->requests());
    std::uint64_t all_words = 0;
    for (std::size_t i = 0; i < piece.size(); ++i) {
      const LeafRequest<G>& request = piece[i];
      const std::uint64_t words = words_to_play<G>(rules_, request);
      const Value value =
          words > 0 || request.playouts == 0 ? Value{-1} : G::value(rules_, request.state);
      batch.tallies.push_back(certain_tally(value, request.playouts));
      all_words += words;
      batch.slot->ends()[i] = all_words;
    }
    if (all_words == 0) return {};
    batch.waiting = piece.size();
    return batch.slot->start(piece.size(), all_words, way_);
  }

  // The tallies of the piece that is being played, if there is one.
  DeviceError finish_piece(Batch& batch) {
    const std::size_t waiting = std::exchange(batch.waiting, 0);
    if (waiting == 0) return {};
    BatchTime time;
    const DeviceError error = batch.slot->finish(&time);
    if (error) return error;
    busy_.add(time);
    Tally* tally = batch.tallies.data() + batch.tallies.size() - waiting;
    for (std::size_t i = 0; i < waiting; ++i, ++tally) {
      const CountsOf<G>& counts = batch.slot->counts()[i];
      tally->wins += counts.wins;
      tally->draws += counts.draws;
      tally->losses -= counts.wins + counts.draws;
      if constexpr (!AcyclicGame<G>) tally->truncated = counts.truncated;
    }
    return {};
  }

  typename G::Rules rules_;
  std::string name_;
  std::function<std::unique_ptr<Slot>()> make_slot_;
  std::vector<std::unique_ptr<Batch>> batches_;
  std::vector<std::size_t> free_;
  std::optional<BatchWay> way_;
  BusyTime busy_;
};

}  // namespace playproof
