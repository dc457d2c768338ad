#include "host/playouts/playouts.h"

#include <algorithm>
#include <chrono>
#include <deque>
#include <utility>

#include "games/core/error.h"
#include "games/list.h"
#include "host/playouts/evaluator.h"

namespace playproof {
namespace {

// Which playouts are next: positions in order, each cut where the engines share their random words.
struct Cursor {
  std::size_t position = 0;
  std::uint32_t first = 0;
};

// A multiple of the words that share an order of cells, in every game.
constexpr std::uint32_t kPiece = 512;

// Finds how many playouts take some milliseconds: engines differ by four orders of magnitude, so
// that is found while they play.
class Load {
 public:
  explicit Load(int threads) : playouts_(std::uint64_t{kPiece} * static_cast<unsigned>(threads)) {}
  std::uint64_t playouts() const { return playouts_; }
  // Call after each batch.
  void tick() {
    const auto now = std::chrono::steady_clock::now();
    const double seconds = std::chrono::duration<double>(now - last_).count();
    if (seconds < kShort && playouts_ < kMost) playouts_ *= 2;
    if (seconds > kLong && playouts_ > kPiece) playouts_ /= 2;
    last_ = now;
  }

 private:
  static constexpr double kShort = 0.004;
  static constexpr double kLong = 0.02;
  static constexpr std::uint64_t kMost = std::uint64_t{1} << 32;
  std::uint64_t playouts_;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

template <Game G>
class PlayoutsOf final : public AnyPlayouts {
 public:
  PlayoutsOf(const typename G::Rules& rules, const PlayoutRequest& request)
      : rules_(rules),
        seed_(request.seed),
        threads_(request.threads),
        evaluator_(make_evaluator<G>(rules, request.backend, request.threads)) {
    states_.reserve(request.positions.size());
    for (const std::string& text : request.positions) states_.push_back(parse(text));
  }

  std::size_t size() const override { return states_.size(); }
  std::string backend() const override { return evaluator_->name(); }
  std::string device() const override { return evaluator_->device(); }

  bool play(std::uint32_t count, std::span<Tally> tallies,
            const std::function<bool()>& stopped) override {
    if (tallies.size() != size()) {
      throw Error(ErrorCode::kInternal, "playouts: not one tally a position");
    }
    Load load(threads_);
    Cursor next;
    submit(next, count, load.playouts(), tallies);
    while (!pending_.empty()) {
      const bool stop = stopped && stopped();
      if (!stop) submit(next, count, load.playouts(), tallies);
      while (pending_.size() > (stop ? 0 : 1)) collect(tallies);
      if (stop) return false;
      if (next.position == size()) collect(tallies);
      load.tick();
    }
    return true;
  }

 private:
  struct Batch {
    typename PlayoutEvaluator<G>::Ticket ticket;
    std::vector<std::size_t> owners;  // positions of its requests
  };

  typename G::State parse(const std::string& text) const {
    try {
      return GameText<G>::parse(rules_, text);
    } catch (const Error& error) {
      throw Error(error.code(), "position " + std::to_string(states_.size()) + ": " + error.what());
    }
  }
  // Submits the next batch of at most so many playouts, if any are left.
  void submit(Cursor& next, std::uint32_t count, std::uint64_t most, std::span<Tally> tallies) {
    requests_.clear();
    Batch batch;
    std::uint64_t taken = 0;
    while (next.position < size() && taken < most) {
      const auto& state = states_[next.position];
      if (G::finished(rules_, state)) {
        tallies[next.position++] += certain_tally(G::value(rules_, state), count);
        continue;
      }
      const std::uint64_t room = std::max<std::uint64_t>((most - taken) / kPiece * kPiece, kPiece);
      LeafRequest<G> leaf;
      leaf.state = state;
      leaf.key = {seed_, G::key(rules_, state)};
      leaf.first = next.first;
      leaf.playouts = static_cast<std::uint32_t>(std::min<std::uint64_t>(count - next.first, room));
      taken += leaf.playouts;
      next.first += leaf.playouts;
      batch.owners.push_back(next.position);
      requests_.push_back(leaf);
      if (next.first == count) next = {next.position + 1, 0};
    }
    if (requests_.empty()) return;
    batch.ticket = evaluator_->submit(requests_);
    pending_.push_back(std::move(batch));
  }
  // The oldest batch.
  void collect(std::span<Tally> tallies) {
    if (pending_.empty()) return;
    const Batch batch = std::move(pending_.front());
    pending_.pop_front();
    counted_.resize(batch.owners.size());
    evaluator_->collect(batch.ticket, counted_);
    for (std::size_t i = 0; i < counted_.size(); ++i) tallies[batch.owners[i]] += counted_[i];
  }

  typename G::Rules rules_;
  std::uint64_t seed_;
  int threads_;
  std::unique_ptr<PlayoutEvaluator<G>> evaluator_;
  std::vector<typename G::State> states_;
  std::vector<LeafRequest<G>> requests_;
  std::vector<Tally> counted_;
  std::deque<Batch> pending_;
};

}  // namespace

std::unique_ptr<AnyPlayouts> make_playouts(const PlayoutRequest& request) {
  return visit_game(request.game,
                    [&]<class G>(const typename G::Rules& rules) -> std::unique_ptr<AnyPlayouts> {
                      return std::make_unique<PlayoutsOf<G>>(rules, request);
                    });
}

}  // namespace playproof
