// What proof zones cost where they prune nothing: the same search without zones and with all that
// zones ask for (those of finished positions and of nodes, what tables and trees keep of them),
// while no reply counts as outside of one, so that both do the same steps. Without patterns: one
// that matches prunes. Seconds of the processor, medians of runs in turn, and the median of the
// ratios of two runs side by side. Ends with status 1 if the steps differ.
//
// usage: zones_bench [repeats [part of a search's name]]
//        (cmake --build build --target zones_bench)
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "games/hex/connection.h"
#include "games/hex/entry.h"
#include "host/drive/clocks.h"
#include "host/drive/driver.h"
#include "host/drive/search.h"
#include "host/playouts/evaluator.h"
#include "host/table/depth_first.h"
#include "host/tree/best_first.h"
#include "host/zone/zone.h"
#include "kernels/schemes/pn.h"
#include "kernels/schemes/ppn.h"

namespace playproof {

// Hex with zones that nothing is outside of.
template <int W>
struct WholeHex : Hex<W> {};
template <int W>
struct Connection<WholeHex<W>> : Connection<Hex<W>> {};
template <int W>
struct SymmetryOf<WholeHex<W>> : SymmetryOf<Hex<W>> {};

// Leaves `outside` empty, which the compiler must not know.
const volatile int kWordsOutside = 0;

template <int W>
struct ZoneRules<WholeHex<W>> {
  using Cells = CellSet<W>;
  static Cells finished(const auto& rules, const auto& state, Player /*winner*/) {
    return Connection<Hex<W>>::winning_set(rules, state);
  }
  static Cells won(const Cells& child) { return child; }
  static auto lost(std::span<const Cells> zones, const Cells& replies, const Cells& empty) {
    return few_zones(zones, replies, empty);
  }
  static Cells outside(const Cells& zone, const Cells& board) {
    Cells cells = board - zone;
    for (int i = kWordsOutside; i < W; ++i) cells.words[i] = 0;
    return cells;
  }
};
namespace {

// The playouts of Hex.
template <int W>
class Playouts final : public PlayoutEvaluator<WholeHex<W>> {
 public:
  using typename PlayoutEvaluator<WholeHex<W>>::Ticket;
  explicit Playouts(const typename Hex<W>::Rules& rules)
      : hex_(make_evaluator<Hex<W>>(rules, "cpu", 1)) {}
  Ticket submit(std::span<const LeafRequest<WholeHex<W>>> requests) override {
    requests_.clear();
    for (const auto& request : requests) {
      requests_.push_back({request.state, request.key, request.first, request.playouts});
    }
    return hex_->submit(requests_);
  }
  void collect(Ticket ticket, std::span<Tally> tallies) override { hex_->collect(ticket, tallies); }
  std::string name() const override { return hex_->name(); }

 private:
  std::unique_ptr<PlayoutEvaluator<Hex<W>>> hex_;
  std::vector<LeafRequest<Hex<W>>> requests_;
};

struct Run {
  double seconds = 0;
  Counters counters;
};

template <class Engine, int W>
Run run(Engine& engine, Playouts<W>& playouts) {
  EngineSearch<WholeHex<W>, Engine> search(engine, 256);
  const double begin = times_now(false).cpu_seconds;
  run_to_end<WholeHex<W>>(search, &playouts);
  return {times_now(false).cpu_seconds - begin, engine.counters()};
}

double median(std::vector<double> of) {
  const auto middle = of.begin() + static_cast<std::ptrdiff_t>(of.size() / 2);
  std::nth_element(of.begin(), middle, of.end());
  return *middle;
}

struct Asked {
  std::size_t repeats = 21;
  std::string name;
  bool same = true;
};

// `search(zones)` -> Run.
template <class Search>
void compare(Asked& asked, const std::string& name, const Search& search) {
  if (name.find(asked.name) == std::string::npos) return;
  std::vector<double> off;
  std::vector<double> on;
  std::vector<double> ratios;
  Run last[2];
  for (std::size_t i = 0; i < asked.repeats; ++i) {
    for (const bool zones : {i % 2 == 0, i % 2 != 0}) last[zones ? 1 : 0] = search(zones);
    off.push_back(last[0].seconds);
    on.push_back(last[1].seconds);
    ratios.push_back(on.back() / off.back());
  }
  const Counters& a = last[0].counters;
  const Counters& b = last[1].counters;
  const bool same =
      a.iterations == b.iterations && a.nodes_expanded == b.nodes_expanded && b.zone_solved == 0;
  std::printf("| %s | %llu | %llu, %llu | %.4f | %.4f | %.3f |%s\n", name.c_str(),
              static_cast<unsigned long long>(b.iterations),
              static_cast<unsigned long long>(a.evaluations),
              static_cast<unsigned long long>(b.evaluations), median(off), median(on),
              median(ratios), same ? "" : " other steps");
  std::fflush(stdout);
  asked.same = asked.same && same;
}

template <int W>
struct Question {
  typename Hex<W>::Rules rules;
  typename Hex<W>::State position;
  std::string name;
  std::uint64_t max_nodes = SearchLimits::kNone;
};

template <class O, int W>
O options_of(const Question<W>& question, bool zones) {
  O options;
  options.max_nodes = question.max_nodes;
  options.zones = zones;
  if constexpr (requires { options.table.beside; }) options.table.beside = zones;
  return options;
}

template <int W>
void with_tables(Asked& asked, const Question<W>& question, Playouts<W>& playouts,
                 bool without_playouts) {
  using Board = WholeHex<W>;
  const Claim claim{Board::to_move(question.rules, question.position), 1};
  for (const bool plays : {false, true}) {
    if (!plays && !without_playouts) continue;
    compare(asked, question.name + " | dfpn:leaf=" + (plays ? "playouts" : "unit"),
            [&](bool zones) {
              auto options = options_of<DepthFirstOptions>(question, zones);
              options.leaf =
                  plays ? LeafNumbers::from_playouts(64, {RateForm::Kind::kPower, 32768}, false)
                        : LeafNumbers::unit();
              DepthFirst<Board> engine(question.rules, question.position, claim, options);
              return run(engine, playouts);
            });
  }
}

template <int W>
void with_trees(Asked& asked, const Question<W>& question, Playouts<W>& playouts,
                bool without_playouts) {
  using Board = WholeHex<W>;
  const Claim claim{Board::to_move(question.rules, question.position), 1};
  const auto search = [&](const auto& scheme, bool zones) {
    using Scheme = std::remove_cvref_t<decltype(scheme)>;
    BestFirst<Board, Scheme> engine(
        question.rules, question.position, claim, scheme,
        options_of<typename BestFirst<Board, Scheme>::Options>(question, zones));
    return run(engine, playouts);
  };
  if (without_playouts) {
    compare(asked, question.name + " | pn", [&](bool zones) { return search(Pn{}, zones); });
  }
  compare(asked, question.name + " | ppn:playouts=32", [&](bool zones) {
    return search(Ppn{32, {}}, zones);
  });
}

template <int W>
Question<W> question(int size, const std::vector<Move>& moves, const std::string& name) {
  Question<W> asked{Hex<W>::make_rules(size, size), {}, name};
  for (const Move move : moves) Hex<W>::play(asked.rules, asked.position, move);
  return asked;
}

int measure(int count, char** values) {
  Asked asked;
  if (count > 1) asked.repeats = static_cast<std::size_t>(std::max(1, std::atoi(values[1])));
  if (count > 2) asked.name = values[2];
  std::printf(
      "| position | search | steps | evaluations | off, s | on, s | ratio |\n"
      "| --- | --- | --- | --- | --- | --- | --- |\n");
  const auto small = question<1>(4, {}, "4x4, empty");
  Playouts<1> on_small(small.rules);
  with_tables(asked, small, on_small, true);
  with_trees(asked, small, on_small, true);
  // The first position of tests/data/hex-5x5-8-stones.txt.
  const auto stones = question<1>(5, {18, 6, 23, 20, 22, 1, 21, 14}, "5x5, 8 stones");
  Playouts<1> on_stones(stones.rules);
  with_tables(asked, stones, on_stones, true);
  with_trees(asked, stones, on_stones, true);
  const auto medium = question<1>(5, {}, "5x5, empty");
  with_tables(asked, medium, on_stones, false);
  // Nothing is decided.
  auto large = question<6>(11, {}, "11x11, empty");
  Playouts<6> on_large(large.rules);
  large.max_nodes = 20000;
  with_tables(asked, large, on_large, true);
  large.max_nodes = 500000;
  with_trees(asked, large, on_large, true);
  return asked.same ? 0 : 1;
}

}  // namespace
}  // namespace playproof

int main(int count, char** values) { return playproof::measure(count, values); }
