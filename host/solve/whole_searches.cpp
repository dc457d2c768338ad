#include "host/solve/whole_searches.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>
#include <utility>

#include "games/core/error.h"
#include "games/list.h"
#include "host/drive/clocks.h"
#include "host/playouts/device_error.h"
#include "host/playouts/evaluator_keeper.h"
#include "host/solve/claims.h"
#include "host/solve/make_solver.h"
#include "kernels/search/device_searches.h"

namespace playproof {
namespace {

// The error curve of one search has so many points at most; what has more of them is the CPU's.
constexpr std::size_t kMostPoints = 256;
constexpr unsigned kMostMoves = 64;  // their numbers are bits of a word
// A thread of a device is expected to take some 100 times as long as a core: fewer trees than this
// are not searched once more there.
constexpr std::uint32_t kLeastAgain = 128;

// Asks `stopped` while a device is busy.
class Watch {
 public:
  Watch(const std::function<bool()>& stopped, std::function<void()> interrupt) {
    if (!stopped) return;
    thread_ =
        std::jthread([&stopped, interrupt = std::move(interrupt)](const std::stop_token& over) {
          while (!over.stop_requested()) {
            if (stopped()) return interrupt();
            std::this_thread::sleep_for(kBetweenLooks);
          }
        });
  }

 private:
  static constexpr std::chrono::milliseconds kBetweenLooks{20};
  std::jthread thread_;
};

// One claim after the other: the value, "win" first.
bool is_asked(const Goal& goal) {
  return goal.kind == Goal::Kind::kThreshold || goal.kind == Goal::Kind::kValue;
}
Value first_threshold(const Goal& goal) {
  return goal.kind == Goal::Kind::kValue ? Value{1} : static_cast<Value>(goal.threshold);
}

template <Game G>
class Whole final : public WholeSearches {
 public:
  Whole(SolveRequest like, const typename G::Rules& rules,
        std::unique_ptr<DeviceSearches<G>> searches)
      : like_(std::move(like)),
        canonical_(GameText<G>::canonical(playout_rules<G>(rules))),
        searches_(std::move(searches)) {}

  std::string device() const override { return searches_->device(); }

  void search(std::span<const WholeQuestion> questions, const std::function<bool()>& stopped,
              const WholeListener& answered) override {
    Fleet fleet{questions, stopped, answered, std::vector<WholeAnswer>(questions.size())};
    std::vector<Asked> asked;
    std::vector<WholeAnswer> left;
    for (std::size_t i = 0; i < questions.size(); ++i) {
      fleet.known[i].question = i;
      Asked one = {i, {}};
      if (take(questions[i], &one.request)) {
        asked.push_back(one);
      } else {
        left.push_back(fleet.known[i]);
      }
    }
    if (!left.empty()) answered(std::move(left));
    while (!asked.empty() && !(stopped && stopped())) asked = ask(fleet, asked);
  }

 private:
  struct Fleet {
    std::span<const WholeQuestion> questions;
    const std::function<bool()>& stopped;
    const WholeListener& answered;
    std::vector<WholeAnswer> known;  // so far, of each question
  };
  // A claim of a question.
  struct Asked {
    std::size_t number;  // of the question
    TreeRequest<G> request;
  };

  // Returns the claims that are to be asked next.
  std::vector<Asked> ask(Fleet& fleet, const std::vector<Asked>& asked) {
    std::vector<TreeRequest<G>> requests;
    bool curves = false;
    for (const Asked& one : asked) {
      requests.push_back(one.request);
      curves |= one.request.legal_moves > 0;
    }
    std::vector<TreeResult> results(requests.size());
    std::vector<CurvePoint> points(curves ? requests.size() * kMostPoints : 0);
    std::vector<Asked> next;
    Times before = times_now(true);
    const auto over = [&](std::span<const std::size_t> ended) {
      const Times now = times_now(true);
      const auto count = static_cast<double>(ended.size());
      const Times each = {(now.seconds - before.seconds) / count,
                          (now.cpu_seconds - before.cpu_seconds) / count};
      before = now;
      std::vector<WholeAnswer> answers;
      for (const std::size_t i : ended) {
        std::span<const CurvePoint> curve;
        if (curves) curve = std::span(points).subspan(i * kMostPoints, kMostPoints);
        settle(fleet, asked[i], results[i], curve, each, &answers, &next);
      }
      if (!answers.empty()) fleet.answered(std::move(answers));
    };
    {
      const Watch watch(fleet.stopped, [this] { searches_->interrupt(); });
      throw_device_error(searches_->search(requests, results, points, over));
    }
    std::vector<WholeAnswer> outgrown;
    for (std::size_t i = 0; i < results.size(); ++i) {
      if (results[i].end != SearchEnd::kOutgrown) continue;
      outgrown.emplace_back().question = asked[i].number;
    }
    if (!outgrown.empty()) fleet.answered(std::move(outgrown));
    return next;
  }
  // What a claim says that has ended: of its question the answer, or what is to be asked next.
  void settle(Fleet& fleet, const Asked& asked, const TreeResult& result,
              std::span<const CurvePoint> curve, const Times& each,
              std::vector<WholeAnswer>* answers, std::vector<Asked>* next) const {
    const WholeQuestion& question = fleet.questions[asked.number];
    WholeAnswer& known = fleet.known[asked.number];
    WholeAnswer found = answer(question, asked.request, result, curve, each);
    if (parse_goal(question.search.goal).kind != Goal::Kind::kValue) {
      known = std::move(found);
    } else if (learn(question, asked.request.claim.threshold, std::move(found), &known)) {
      Asked another = asked;
      another.request.claim.threshold = static_cast<Value>(known.result.upper);
      if (another.request.max_nodes != SearchLimits::kNone) {
        another.request.max_nodes -= known.result.counters.nodes_created;
      }
      next->push_back(another);
      return;
    }
    known.question = asked.number;
    answers->push_back(std::move(known));
  }
  // Adds what one claim says to a question of the value, as host/solve/claims.cpp has it of
  // searches on the CPU. True if another one is to be asked.
  static bool learn(const WholeQuestion& question, Value threshold, WholeAnswer found,
                    WholeAnswer* known) {
    if (!found.ended) {
      *known = {};
      return false;
    }
    SolveResult& all = known->result;
    if (!std::exchange(known->ended, true)) {
      all.lower = -1;
      all.upper = 1;
    }
    SolveResult& one = found.result;
    all.counters = all.counters + one.counters;
    all.seconds += one.seconds;
    all.cpu_seconds += one.cpu_seconds;
    all.reason = one.reason;
    all.best_move.reset();
    if (one.reason != StopReason::kDecided) {
      all.best_move = std::move(one.best_move);
      return false;
    }
    const int old_lower = all.lower;
    const ClaimBounds set = claim_bounds(one, threshold, true);
    all.lower = std::max(all.lower, set.lower);
    all.upper = std::min(all.upper, set.upper);
    if (all.lower > old_lower) all.best_move = std::move(one.best_move);
    if (all.lower == all.upper) {
      all.verdict = Verdict::kProved;
      return false;
    }
    // Who has no nodes left says what he would play now, which asks the tree.
    const std::uint64_t most = question.search.limits.max_nodes;
    const bool more = most == SearchLimits::kNone || all.counters.nodes_created < most;
    if (!more) *known = {};
    return more;
  }
  // Returns false if the question is the CPU's.
  bool take(const WholeQuestion& question, TreeRequest<G>* request) const {
    const SolveRequest& search = question.search;
    bool taken = search.algorithm == like_.algorithm && search.batch == like_.batch &&
                 search.pipeline == like_.pipeline && search.limits.max_seconds == 0;
    visit_game(search.game, [&]<class Other>(const typename Other::Rules& rules) {
      if constexpr (std::is_same_v<Other, G>) {
        taken = taken && GameText<G>::canonical(playout_rules<G>(rules)) == canonical_ &&
                read(rules, search, request);
      } else {
        taken = false;
      }
    });
    if (!taken || question.errors_by == nullptr) return taken;
    return parse_goal(search.goal).kind != Goal::Kind::kValue &&
           read_errors(*question.errors_by, request);
  }
  bool read(const typename G::Rules& rules, const SolveRequest& search,
            TreeRequest<G>* request) const {
    const Goal goal = parse_goal(search.goal);
    if (!is_asked(goal)) return false;
    request->position = GameText<G>::parse(rules, search.position);
    if (G::finished(rules, request->position)) return false;
    request->claim = {G::to_move(rules, request->position), first_threshold(goal)};
    request->seed = search.seed;
    request->order_seed = order_seed_of(search.seed);
    request->max_nodes = search.limits.max_nodes;
    return !unknown_bounds<G>(rules, request->claim.attacker).decides(request->claim.threshold);
  }
  static bool read_errors(const OracleAnswer& answer, TreeRequest<G>* request) {
    if (!answer.complete) return false;
    request->legal_moves = static_cast<std::uint32_t>(answer.moves.size());
    for (const auto& [move, right] : answer.moves) {
      request->right_moves |= std::uint64_t{right} << (move % kMostMoves);
    }
    return std::ranges::all_of(answer.moves,
                               [](const auto& one) { return one.first < kMostMoves; });
  }

  // Says what host/solve/tree_solver.h says of a search on the CPU.
  WholeAnswer answer(const WholeQuestion& question, const TreeRequest<G>& request,
                     const TreeResult& found, std::span<const CurvePoint> curve,
                     const Times& each) const {
    WholeAnswer answer;
    const std::uint64_t bytes = found.nodes_created * searches_->node_bytes();
    const std::uint64_t most_bytes = question.search.limits.max_memory;
    const bool ends = found.end == SearchEnd::kDecided || found.end == SearchEnd::kNodes;
    const bool fits = most_bytes == 0 || bytes_on_cpu(found) <= most_bytes;
    if (!ends || !fits || found.points > curve.size()) return answer;
    answer.ended = true;
    SolveResult& result = answer.result;
    result.reason = found.end == SearchEnd::kDecided ? StopReason::kDecided : StopReason::kNodes;
    if (found.lower >= request.claim.threshold) {
      result.verdict = Verdict::kProved;
    } else if (found.upper < request.claim.threshold) {
      result.verdict = Verdict::kDisproved;
    }
    result.lower = found.lower;
    result.upper = found.upper;
    const bool of_value = parse_goal(question.search.goal).kind == Goal::Kind::kValue;
    if (result.verdict != Verdict::kDisproved || of_value) {
      result.best_move = best_move(question, request, found);
    }
    Counters& c = result.counters;
    c.iterations = found.iterations;
    c.nodes_created = found.nodes_created;
    c.nodes_expanded = found.nodes_expanded;
    c.evaluations = found.evaluations;
    c.playouts = found.playouts;
    c.max_depth = found.max_depth;
    c.node_visits = found.node_visits;
    c.re_entries = found.re_entries;
    c.branch_switches = found.branch_switches;
    c.root_switches = found.root_switches;
    c.shallow_switches = found.shallow_switches;
    c.peak_bytes = bytes;
    result.seconds = each.seconds;
    result.cpu_seconds = each.cpu_seconds;
    answer.errors.assign(curve.begin(), curve.begin() + static_cast<std::ptrdiff_t>(found.points));
    return answer;
  }
  // What a tree on the CPU takes at the most that has so many nodes, with room for one expansion
  // more: a limit of memory that is below may have ended it.
  static std::uint64_t bytes_on_cpu(const TreeResult& found) {
    constexpr std::uint64_t kNode = 64;
    constexpr std::uint64_t kEdge = 8;
    return (found.nodes_created + G::kMaxMoves) * kNode +
           (found.nodes_expanded + 1) * G::kMaxMoves * kEdge +
           2 * (G::kMaxPlies + std::uint64_t{1}) * (sizeof(typename G::State) + kNode);
  }
  std::string best_move(const WholeQuestion& question, const TreeRequest<G>& request,
                        const TreeResult& found) const {
    return visit_game(question.search.game,
                      [&]<class Other>(const typename Other::Rules& rules) -> std::string {
                        if constexpr (std::is_same_v<Other, G>) {
                          Move move = found.best_move;
                          if (move == kNoMove) {  // nothing was expanded: any of them
                            Move moves[G::kMaxMoves];
                            const int count = G::moves(rules, request.position, moves);
                            move = moves[drawn_tie(request.seed, found.iterations,
                                                   static_cast<std::uint32_t>(count))];
                          }
                          return GameText<G>::move_text(rules, move);
                        } else {
                          throw Error(ErrorCode::kInternal, "a search of another game");
                        }
                      });
  }

  SolveRequest like_;
  std::string canonical_;
  std::unique_ptr<DeviceSearches<G>> searches_;
};

}  // namespace

std::unique_ptr<WholeSearches> open_whole_searches(const SolveRequest& like, int device) {
  return visit_game(like.game, [&]<class G>(const typename G::Rules& rules) {
    std::unique_ptr<WholeSearches> whole;
    if constexpr (kSearchedGame<G>) {
      SolveRequest request = like;
      request.backend = "reference";  // it plays none
      request.evaluators = nullptr;
      const ReadRequest<G> read = read_request<G>(rules, request);
      if (!is_asked(read.goal)) return whole;
      const auto solver = make_claim_solver<G>(rules, read.position, first_threshold(read.goal),
                                               read.algorithm, request, read.names);
      FleetLayout layout;
      layout.least_again = kLeastAgain;
      auto searches = solver->on_device(device, layout);
      if (searches) whole = std::make_unique<Whole<G>>(like, rules, std::move(searches));
    }
    return whole;
  });
}

}  // namespace playproof
