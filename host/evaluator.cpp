#include "host/evaluator.h"

#include <bit>
#include <string>
#include <utility>

#include "games/error.h"
#include "games/game_text.h"
#include "host/evaluator_check.h"
#include "host/evaluator_cuda.h"
#include "host/evaluator_function.h"
#include "host/evaluator_latency.h"
#include "kernels/cpu_playouts.h"
#include "kernels/reference_playouts.h"
#include "kernels/scalar_playouts.h"

namespace playproof {
namespace {

// What plays, rather than wraps what plays; and whose tallies it gives (own_tallies).
struct Engine {
  const char* name;
  const char* own_tallies;
};
constexpr Engine kEngines[] = {{"auto", ""},      {"cpu", ""},  {"scalar", "scalar"},
                               {"reference", ""}, {"cuda", ""}, {"fake", "fake"}};

OptionInfo inner_option(const std::string& name, const std::string& backend,
                        const std::string& help) {
  OptionInfo option;
  option.name = name;
  option.type = OptionType::kWord;
  option.default_text = backend;
  for (const Engine& engine : kEngines) option.words.emplace_back(engine.name);
  option.help = help;
  return option;
}

OptionInfo number_option(const std::string& name, OptionType type, const std::string& value,
                         double min, double max, const std::string& help) {
  OptionInfo option;
  option.name = name;
  option.type = type;
  option.default_text = value;
  option.min = min;
  option.max = max;
  option.help = help;
  return option;
}

OptionInfo simd_option() {
  OptionInfo option;
  option.name = "simd";
  option.type = OptionType::kWord;
  option.default_text = "auto";
  option.words = {"auto", "baseline", "avx2", "avx512"};
  option.help = "vector instructions; they change no count";
  return option;
}

Catalogue make_catalogue() {
  const OptionInfo of = inner_option("of", "cpu", "the backend whose tallies are used");
  Catalogue catalogue{"backend", {}};
  catalogue.entries = {
      {"auto", "the best backend that is the same everywhere: cpu", {}},
      {"cpu", "hundreds of playouts at a time, on the threads it is given", {simd_option()}},
      {"scalar", "one playout after the other, other ones than cpu; the baseline", {}},
      {"reference", "one playout after the other on the reference rules; slow", {}},
      {"cuda", "an NVIDIA GPU", {}},
      {"fake", "no playouts: numbers that look like tallies, to time the search alone", {}},
      {"check",
       "two backends, compared bit for bit",
       {of, inner_option("against", "reference", "the backend that it is compared with"),
        number_option("every", OptionType::kInteger, "50", 1, 1e9, "compares every n-th batch")}},
      {"latency",
       "a simulated device, to tune the pipeline",
       {of,
        number_option("us", OptionType::kReal, "20", 0, 1e6, "microseconds until a batch starts"),
        number_option("rate", OptionType::kReal, "6e10", 1, 1e15, "playouts a second")}}};
  return catalogue;
}

[[noreturn]] void throw_unavailable(const std::string& text) {
  throw Error(ErrorCode::kUnavailable, "backend " + text);
}

// Numbers that look like the tallies of a game without draws: they depend on seed, stream and the
// playouts asked for alone, also when a request is split. The win rate differs from leaf to leaf.
template <class G>
Tally fake_playouts(const typename G::Rules&, std::uint64_t seed, const LeafRequest<G>& request) {
  const std::uint64_t leaf = mix64(seed ^ mix64(request.stream));
  Tally tally;
  for_each_word(request.first, request.playouts, [&](std::uint32_t word, std::uint32_t lanes) {
    const std::uint64_t random = mix64(leaf + (word + std::uint64_t{1}) * kGoldenGamma);
    const auto a = static_cast<std::uint32_t>(random);
    const auto b = static_cast<std::uint32_t>(random >> 32);
    const std::uint32_t wins = leaf % 3 == 0 ? a & b : leaf % 3 == 1 ? a : a | b;
    tally.wins += static_cast<std::uint32_t>(std::popcount(wins & lane_mask(lanes)));
  });
  tally.losses = request.playouts - tally.wins;
  return tally;
}

// What a ply of a playout costs, roughly, on a core of 2024. Only the choice between the caller's
// thread and the pool looks at it.
template <class G>
constexpr double kPlyNs = 0.05;
template <>
constexpr double kPlyNs<PGame> = 0.5;
template <>
constexpr double kPlyNs<Othello> = 2;
template <class G>
constexpr double kScalarPlyNs = 5;
template <>
constexpr double kScalarPlyNs<Othello> = 30;
constexpr double kReferencePlyNs = 2000;

// The level with this name, the machine's best for "auto".
SimdLevel simd_level(const std::string& name) {
  if (name == "auto") return best_simd_level();
  for (const SimdLevel level : simd_levels()) {
    if (name == to_string(level)) return level;
  }
  throw_unavailable("cpu:simd=" + name + ": this machine has no such instructions");
}

template <class G>
PlayoutFunction<G> playout_function(const std::string& name, const Options& options) {
  if (name == "reference") return {name, one_by_one<G>(reference_playouts<G>), kReferencePlyNs};
  if (name == "scalar") return {name, one_by_one<G>(scalar_playouts<G>), kScalarPlyNs<G>};
  if (name == "fake") return {name, one_by_one<G>(fake_playouts<G>), 0.01, 10};
  const std::string simd = name == "cpu" ? options.word("simd") : "auto";
  const SimdLevel level = simd_level(simd);
  const auto engine = [level](const typename G::Rules& rules, std::uint64_t seed,
                              std::span<const LeafRequest<G>> requests, Tally* tallies) {
    cpu_playouts<G>(level, rules, seed, requests, tallies);
  };
  return {simd == "auto" ? "cpu" : "cpu:simd=" + simd, engine, kPlyNs<G>};
}

template <class G>
std::unique_ptr<PlayoutEvaluator<G>> make_check(const typename G::Rules& rules,
                                                const Options& options, std::uint64_t seed,
                                                int threads) {
  return std::make_unique<CheckEvaluator<G>>(
      make_evaluator<G>(rules, options.word("of"), seed, threads),
      make_evaluator<G>(rules, options.word("against"), seed, threads),
      static_cast<std::uint64_t>(options.integer("every")));
}

std::string text(const Tally& tally) {
  return std::to_string(tally.wins) + " wins, " + std::to_string(tally.draws) + " draws, " +
         std::to_string(tally.losses) + " losses, " + std::to_string(tally.truncated) +
         " truncated";
}

}  // namespace

void check_request(std::uint32_t first, std::uint32_t playouts) {
  constexpr std::uint64_t kEnd = std::uint64_t{1} << 32;
  if (first % kLanes != 0) {
    throw Error(ErrorCode::kInternal,
                "evaluator: first must be a multiple of 32, not " + std::to_string(first));
  }
  if (std::uint64_t{first} + playouts > kEnd) {
    throw Error(ErrorCode::kInternal, "evaluator: a position has 2^32 playouts: first " +
                                          std::to_string(first) + " and " +
                                          std::to_string(playouts) + " more are too many");
  }
}

void check_collect(bool known, std::size_t requests, std::size_t tallies) {
  if (!known) throw Error(ErrorCode::kInternal, "evaluator: this batch is not in flight");
  if (requests != tallies) {
    throw Error(ErrorCode::kInternal, "evaluator: the batch has " + std::to_string(requests) +
                                          " requests, not " + std::to_string(tallies));
  }
}

void throw_difference(const std::string& of, const std::string& against,
                      const TallyDifference& difference) {
  throw Error(ErrorCode::kInternal,
              "check: request " + std::to_string(difference.request) + " of a batch (stream " +
                  std::to_string(difference.stream) + ", " + std::to_string(difference.playouts) +
                  " playouts from " + std::to_string(difference.first) + "): " + of + " says " +
                  text(difference.of) + "; " + against + " says " + text(difference.against));
}

const Catalogue& backend_catalogue() {
  static const Catalogue catalogue = make_catalogue();
  return catalogue;
}

std::string own_tallies(std::string_view backend) {
  const std::size_t colon = backend.find(':');
  for (const Engine& engine : kEngines) {
    if (backend.substr(0, colon) == engine.name) return engine.own_tallies;
  }
  // A wrapper, which may hold another one: "check:of=latency:of=fake,against=cpu,every=50".
  constexpr std::string_view kInner = "of=";
  for (std::size_t before = colon; before != std::string_view::npos; before = backend.find(',')) {
    backend.remove_prefix(before + 1);
    if (!backend.starts_with(kInner)) continue;
    backend.remove_prefix(kInner.size());
    return own_tallies(backend.substr(0, backend.find(',')));
  }
  return "";
}

template <class G>
std::unique_ptr<PlayoutEvaluator<G>> make_evaluator(const typename G::Rules& rules,
                                                    const std::string& backend, std::uint64_t seed,
                                                    int threads) {
  if (threads < 1) {
    throw Error(ErrorCode::kUsage, "threads must be at least 1, not " + std::to_string(threads));
  }
  const Spec spec = parse_spec(backend);
  const Options options(backend_catalogue().find(spec.name), spec);
  if (spec.name == "cuda") return make_cuda_evaluator<G>(rules, seed);
  if (spec.name == "latency") {
    return std::make_unique<LatencyEvaluator<G>>(
        make_evaluator<G>(rules, options.word("of"), seed, threads), options.real("us"),
        options.real("rate"), options.canonical());
  }
  if (spec.name == "check") return make_check<G>(rules, options, seed, threads);
  return std::make_unique<FunctionEvaluator<G>>(rules, playout_function<G>(spec.name, options),
                                                seed, threads);
}

template std::unique_ptr<PlayoutEvaluator<PGame>> make_evaluator<PGame>(const PGame::Rules&,
                                                                        const std::string&,
                                                                        std::uint64_t, int);
template std::unique_ptr<PlayoutEvaluator<Hex<1>>> make_evaluator<Hex<1>>(const Hex<1>::Rules&,
                                                                          const std::string&,
                                                                          std::uint64_t, int);
template std::unique_ptr<PlayoutEvaluator<Hex<6>>> make_evaluator<Hex<6>>(const Hex<6>::Rules&,
                                                                          const std::string&,
                                                                          std::uint64_t, int);
template std::unique_ptr<PlayoutEvaluator<Othello>> make_evaluator<Othello>(const Othello::Rules&,
                                                                            const std::string&,
                                                                            std::uint64_t, int);
template std::unique_ptr<PlayoutEvaluator<Connect<1>>> make_evaluator<Connect<1>>(
    const Connect<1>::Rules&, const std::string&, std::uint64_t, int);
template std::unique_ptr<PlayoutEvaluator<Connect<6>>> make_evaluator<Connect<6>>(
    const Connect<6>::Rules&, const std::string&, std::uint64_t, int);

}  // namespace playproof
