#include "src/bench/playout_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "games/core/error.h"
#include "games/list.h"
#include "host/playouts/evaluator.h"
#include "kernels/common/simd.h"
#include "kernels/list.h"
#include "src/io/checksum.h"

namespace playproof {
namespace {

// Draws of leaf positions: a stream of their own under the seed.
class LeafDraws {
 public:
  explicit LeafDraws(std::uint64_t seed) : state_(mix64(seed ^ 0x6c65617665735f6full)) {}
  std::uint64_t below(std::uint64_t bound) {
    state_ = mix64(state_);
    return ((state_ >> 32) * bound) >> 32;
  }

 private:
  std::uint64_t state_;
};

// Every unfinished position of one random game, or of its beginning where it goes on and on.
template <Game G>
std::vector<typename G::State> random_game(const typename G::Rules& rules, typename G::State state,
                                           LeafDraws& draws) {
  std::vector<typename G::State> states;
  Move moves[G::kMaxMoves];
  while (!G::finished(rules, state)) {
    if (!AcyclicGame<G> && states.size() == kLongestPlayout<G>) break;
    states.push_back(state);
    const int count = G::moves(rules, state, moves);
    G::play(rules, state, moves[draws.below(static_cast<std::uint64_t>(count))]);
  }
  return states;
}

template <Game G>
std::vector<typename G::State> draw_leaves(const typename G::Rules& rules,
                                           const typename G::State& root, std::uint32_t count,
                                           std::uint64_t seed) {
  if (count == 1) return {root};
  LeafDraws draws(seed);
  std::vector<typename G::State> leaves;
  std::unordered_set<std::uint64_t> keys;
  constexpr std::uint64_t kPatience = 1000;  // games in a row that bring nothing new
  for (std::uint64_t failures = 0; leaves.size() < count && failures < kPatience; ++failures) {
    const auto states = random_game<G>(rules, root, draws);
    const auto& state = states[draws.below(states.size())];
    if (!keys.insert(G::key(rules, state)).second) continue;
    leaves.push_back(state);
    failures = 0;
  }
  if (leaves.size() < count) {
    throw Error(ErrorCode::kUsage,
                fmt::format("--leaves: random play finds only {} different positions, not {}",
                            leaves.size(), count));
  }
  return leaves;
}

template <Game G>
class WordsOf final : public PlayoutWords {
 public:
  WordsOf(const typename G::Rules& rules, const PlayoutPlan& plan)
      : rules_(rules),
        seed_(plan.seed),
        playouts_per_leaf_(plan.playouts_per_leaf),
        words_per_leaf_((playouts_per_leaf_ + kPlayoutsPerWord - 1) / kPlayoutsPerWord) {
    const auto root = GameText<G>::parse(rules, plan.position);
    if (G::finished(rules, root)) {
      throw Error(ErrorCode::kData, fmt::format("{}: the position is finished: nothing to play out",
                                                GameText<G>::canonical(rules)));
    }
    leaves_ = draw_leaves<G>(rules, root, plan.leaves, plan.seed);
    evaluator_ = make_evaluator<G>(rules, plan.backend, plan.threads);
  }

  void submit(std::uint64_t first_word, std::uint64_t words,
              std::uint64_t words_per_request) override {
    requests_ = requests(first_word, words, words_per_request);
    pending_.emplace_back(evaluator_->submit(requests_), requests_.size());
  }

  std::vector<Tally> collect() override {
    const auto [ticket, requests] = pending_.front();
    pending_.pop_front();
    std::vector<Tally> tallies(requests);
    evaluator_->collect(ticket, tallies);
    return tallies;
  }

  std::uint64_t size() const override { return leaves_.size() * words_per_leaf_; }
  std::string game() const override { return GameText<G>::canonical(rules_); }
  std::optional<double> plies_per_playout() const override {
    if constexpr (kFixedLength<G>) {
      double plies = 0;
      for (const auto& leaf : leaves_) plies += G::max_plies_left(rules_, leaf);
      return plies / static_cast<double>(leaves_.size());
    }
    return std::nullopt;
  }
  Plies count_plies(std::uint64_t first_word, std::uint64_t words) const override {
    Plies sum;
    if constexpr (!kFixedLength<G>) {
      for (const LeafRequest<G>& leaf : requests(first_word, words, words)) {
        if constexpr (kOwnPlayouts<G>) {
          sum.plies += cpu_playout_plies<G>(best_simd_level(), rules_, leaf);
        } else {
          sum.plies += generic_playouts<G>(rules_, leaf).plies;
        }
        sum.playouts += leaf.playouts;
      }
    }
    return sum;
  }
  std::string backend() const override { return evaluator_->name(); }
  std::string device() const override { return evaluator_->device(); }
  std::optional<std::string> simd() const override {
    if (evaluator_->device() != "cpu") return std::nullopt;
    return evaluator_->simd();
  }

 private:
  std::vector<LeafRequest<G>> requests(std::uint64_t first_word, std::uint64_t words,
                                       std::uint64_t words_per_request) const {
    std::vector<LeafRequest<G>> leaves;
    const std::uint64_t end = first_word + words;
    for (std::uint64_t word = first_word; word < end;) {
      const std::uint64_t in_leaf = word % words_per_leaf_;
      const std::uint64_t taken = std::min(
          {words_per_request - in_leaf % words_per_request, end - word, words_per_leaf_ - in_leaf});
      leaves.push_back(request(word / words_per_leaf_, in_leaf, taken));
      word += taken;
    }
    return leaves;
  }

  // `visit` counts leaves on and on: from the second round every leaf has another stream.
  LeafRequest<G> request(std::uint64_t visit, std::uint64_t word, std::uint64_t words) const {
    const auto& state = leaves_[visit % leaves_.size()];
    const std::uint64_t round = visit / leaves_.size();
    const std::uint64_t first = word * kPlayoutsPerWord;
    LeafRequest<G> leaf;
    leaf.state = state;
    leaf.key = {seed_, G::key(rules_, state)};
    if (round > 0) leaf.key.stream = mix64(leaf.key.stream + round);
    leaf.first = static_cast<std::uint32_t>(first);
    leaf.playouts =
        static_cast<std::uint32_t>(std::min(words * kPlayoutsPerWord, playouts_per_leaf_ - first));
    return leaf;
  }

  typename G::Rules rules_;
  std::uint64_t seed_;
  std::uint64_t playouts_per_leaf_;
  std::uint64_t words_per_leaf_;
  std::vector<typename G::State> leaves_;
  std::unique_ptr<PlayoutEvaluator<G>> evaluator_;
  std::vector<LeafRequest<G>> requests_;
  std::deque<std::pair<typename PlayoutEvaluator<G>::Ticket, std::size_t>> pending_;
};

void append_little_endian(std::string& bytes, std::uint32_t number) {
  for (int shift = 0; shift < 32; shift += 8) {
    bytes.push_back(static_cast<char>((number >> shift) & 0xff));
  }
}

}  // namespace

std::unique_ptr<PlayoutWords> make_playout_words(const PlayoutPlan& plan) {
  return visit_game(plan.game,
                    [&]<class G>(const typename G::Rules& rules) -> std::unique_ptr<PlayoutWords> {
                      if constexpr (!AcyclicGame<G> && !kOwnPlayouts<G>) {
                        throw Error(ErrorCode::kUsage,
                                    "bench playouts: positions of this game can come again, and it "
                                    "has no engines of its own");
                      }
                      return std::make_unique<WordsOf<G>>(rules, plan);
                    });
}

std::string word_bytes(std::uint64_t word, const Tally& tally) {
  std::string bytes;
  append_little_endian(bytes, static_cast<std::uint32_t>(word));
  append_little_endian(bytes, tally.wins);
  append_little_endian(bytes, tally.draws);
  append_little_endian(bytes, tally.losses);
  return bytes;
}

std::uint64_t tally_checksum(const PlayoutPlan& plan) {
  const std::unique_ptr<PlayoutWords> words = make_playout_words(plan);
  words->submit(0, words->size(), 1);
  Checksum checksum;
  std::uint64_t word = 0;
  for (const Tally& tally : words->collect()) checksum.add(word_bytes(word++, tally));
  return checksum.value();
}

}  // namespace playproof
