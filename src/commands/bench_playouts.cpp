// playproof bench playouts: random games a second, their results, and a checksum of every word.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "games/core/error.h"
#include "games/core/spec.h"
#include "host/playouts/evaluator.h"
#include "src/bench/device_bound.h"
#include "src/bench/playout_tallies.h"
#include "src/bench/playout_words.h"
#include "src/commands/bench_commands.h"
#include "src/commands/command_options.h"
#include "src/commands/listing.h"
#include "src/commands/solve_options.h"
#include "src/io/atomic_file.h"
#include "src/io/checksum.h"
#include "src/io/exit_status.h"
#include "src/io/files_apart.h"
#include "src/io/interrupt.h"
#include "src/io/json.h"
#include "src/io/machine.h"
#include "src/io/output.h"
#include "src/io/quantities.h"

namespace playproof {
namespace {

constexpr const char* kBenchPlayoutsFooter =
    "With --playouts N or --leaves (without --seconds) a fixed set of playouts is\n"
    "run, and tally_checksum is printed: xxh64 (seed 0) over the words in order, each\n"
    "as four 32-bit little-endian integers: number of the word, the first player's\n"
    "wins, draws, losses. A word is 32 playouts of one position (the last of a\n"
    "position may be fewer); words are numbered from 0, position after position. It\n"
    "is the same for every engine but scalar, thread count, SIMD level and device.\n"
    "--dump-words writes those 16 bytes a word to FILE, so `xxhsum -H64 FILE` gives\n"
    "the checksum. Words are asked for one by one then, which is somewhat slower than\n"
    "--seconds. --batch-words asks for so many of them at once: with as many as there\n"
    "are a device plays them in one launch, as a profiler wants to see it.\n"
    "\n"
    "standard_error is of first_player_win_rate. effective_sample_ratio is p(1-p)/512\n"
    "over the variance of the mean of 512 consecutive playouts: 1.0 means as good as\n"
    "independent games. It is measured with one position and at least 32768 playouts,\n"
    "else null (and the standard error that of independent games). plies_per_playout\n"
    "are stones or discs laid, passes not counted; where playouts differ in length\n"
    "they are counted after the time is taken, over the same playouts again, for at\n"
    "most as long (with --playouts: over the first 4194304 of them). Null too: simd\n"
    "of accelerators, clock (MHz, at most) without an accelerator, and share_of_bound\n"
    "but for Hex 11x11, Othello 8x8 and P-games (branching a power of two) from the\n"
    "start on one: the rate over what its integer arithmetic allows at that clock;\n"
    "and whatever is a rate of an emulated device.\n"
    "\n"
    "Examples:\n"
    "  playproof bench playouts hex:size=11 --seconds 2\n"
    "  playproof bench playouts othello --engine reference --playouts 100000 \\\n"
    "      --seed 7 --json\n"
    "  playproof bench playouts hex:size=5 --leaves 1000 --playouts-per-leaf 512 \\\n"
    "      --json";

constexpr std::uint64_t kMostLeaves = 10'000'000;
constexpr std::uint64_t kMostBatchWords = std::uint64_t{1} << 20;
constexpr std::uint64_t kWordsPerBlock = PlayoutTallies::kBlock / kPlayoutsPerWord;
constexpr std::uint64_t kWordsPerLargeRequest = 64 * kWordsPerBlock;
constexpr std::uint64_t kWordsForSpread = 1024 * kWordsPerBlock;

struct BenchOptions {
  PlayoutPlan plan;
  std::string engine = "auto";
  std::string simd;
  double seconds = 0;
  std::uint64_t playouts = 0;  // 0: not given
  std::uint64_t leaves = 0;
  std::uint64_t playouts_per_leaf = 0;
  std::uint64_t batch_words =
      0;  // of a fixed number; 0: as many as take some hundredths of a second
  std::string dump;
  bool json = false;

  bool fixed() const { return seconds == 0; }
  // Requests fill whole blocks of one position: the spread can be measured.
  bool has_blocks() const {
    return plan.leaves == 1 && (fixed() || plan.playouts_per_leaf % PlayoutTallies::kBlock == 0);
  }
};

struct Measurement {
  explicit Measurement(bool blocks) : tallies(blocks) {}
  PlayoutTallies tallies;
  double seconds = 0;
  std::optional<double> plies_per_playout;
  std::optional<double> plies_standard_error;  // none where all playouts are equally long
  std::optional<std::uint64_t> checksum;
};

// The backend that an engine is, with its vector instructions.
std::string backend_of(const std::string& engine, const std::string& simd) {
  std::string backend = engine_backend(engine);
  if (simd.empty()) return backend;
  const auto& options = backend_catalogue().find(backend).options;
  const bool has = std::any_of(options.begin(), options.end(),
                               [](const OptionInfo& option) { return option.name == "simd"; });
  if (!has) throw Error(ErrorCode::kUsage, "--simd is for the engine sliced, not " + engine);
  return backend + ":simd=" + simd;
}

class StopClock {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }

 private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

// Batches of some milliseconds: long enough to fill all threads, short enough for the caches and to
// stop in time. Engines differ by four orders of magnitude, so the size is found while running.
class Pace {
 public:
  explicit Pace(int threads) : size_(static_cast<std::uint64_t>(threads)) {}
  std::uint64_t size() const { return size_; }
  // Call after each batch.
  void tick() {
    const double now = clock_.seconds();
    if (now - last_ < 0.004) size_ *= 2;
    if (now - last_ > 0.02 && size_ > 1) size_ /= 2;
    last_ = now;
  }
  double seconds() const { return clock_.seconds(); }

 private:
  std::uint64_t size_;
  StopClock clock_;
  double last_ = 0;
};

// Every word by itself, in order, with one batch at work while the last is added up. Nothing if a
// signal came first: part of the words is no answer.
std::optional<Measurement> run_fixed(PlayoutWords& words, const BenchOptions& options) {
  Measurement measured(options.has_blocks());
  Checksum checksum;
  std::optional<AtomicFile> file;
  if (!options.dump.empty()) file.emplace(options.dump);
  Pace pace(options.plan.threads);
  std::uint64_t submitted = 0;
  const auto submit = [&] {
    const std::uint64_t most = options.batch_words > 0 ? options.batch_words : pace.size();
    const std::uint64_t count = std::min(most, words.size() - submitted);
    if (count > 0) words.submit(submitted, count, 1);
    submitted += count;
  };
  submit();
  for (std::uint64_t word = 0; word < words.size(); pace.tick()) {
    if (interrupted()) {
      words.collect();
      return std::nullopt;
    }
    submit();
    for (const Tally& tally : words.collect()) {
      const std::string bytes = word_bytes(word++, tally);
      checksum.add(bytes);
      if (file) file->write(bytes);
      measured.tallies.add(tally);
    }
  }
  measured.seconds = pace.seconds();
  if (file) file->commit();
  measured.checksum = checksum.value();
  return measured;
}

// Requests of up to 512 playouts until the time is over. An accelerator gets larger ones, which the
// host can make as fast as it plays them, after a first batch from which the spread is measured.
Measurement run_timed(PlayoutWords& words, const BenchOptions& options) {
  Measurement measured(options.has_blocks());
  const bool accelerated = words.device() != "cpu";
  Pace pace(options.plan.threads);
  std::uint64_t submitted = 0;
  const auto submit = [&] {
    const bool large = accelerated && submitted > 0;
    const std::uint64_t count = accelerated && !large ? kWordsForSpread : pace.size();
    words.submit(submitted, count, large ? kWordsPerLargeRequest : kWordsPerBlock);
    submitted += count;
  };
  bool blocks = true;
  const auto collect = [&] {
    for (const Tally& tally : words.collect()) {
      blocks ? measured.tallies.add(tally) : measured.tallies.add_uncut(tally);
    }
    blocks = !accelerated;
  };
  submit();
  for (; pace.seconds() < options.seconds && !interrupted(); pace.tick()) {
    submit();
    collect();
  }
  collect();
  measured.seconds = pace.seconds();
  return measured;
}

// Plies of a playout, counted over the playouts that were played, or as many of them as there is
// time for. The standard error is that of blocks of 512, like the one of the win rate.
void measure_plies(const PlayoutWords& words, const BenchOptions& options, Measurement& measured) {
  constexpr std::uint64_t kMostPlayouts = std::uint64_t{1} << 22;  // of a fixed number
  if (const std::optional<double> fixed = words.plies_per_playout()) {
    measured.plies_per_playout = *fixed;
    return;
  }
  std::uint64_t left = measured.tallies.playouts();
  if (options.fixed()) left = std::min(left, kMostPlayouts);
  const StopClock clock;
  PlayoutWords::Plies sum;
  double blocks = 0;
  double squares = 0;
  for (std::uint64_t word = 0; left > 0 && !interrupted(); word += kWordsPerBlock) {
    if (!options.fixed() && word > 0 && clock.seconds() > options.seconds) break;
    const std::uint64_t count =
        options.fixed() ? std::min(kWordsPerBlock, words.size() - word) : kWordsPerBlock;
    const PlayoutWords::Plies block = words.count_plies(word, count);
    sum.plies += block.plies;
    sum.playouts += block.playouts;
    left -= std::min(left, block.playouts);
    if (block.playouts == PlayoutTallies::kBlock) {
      const auto plies = static_cast<double>(block.plies);
      ++blocks;
      squares += plies * plies;
    }
  }
  if (sum.playouts == 0) return;
  measured.plies_per_playout = static_cast<double>(sum.plies) / static_cast<double>(sum.playouts);
  if (!options.has_blocks() || blocks < PlayoutTallies::kFewestBlocks) return;
  const double mean = static_cast<double>(sum.plies) / blocks;
  const double variance = std::max(0.0, squares / blocks - mean * mean) / (blocks - 1);
  measured.plies_standard_error = std::sqrt(variance) / static_cast<double>(PlayoutTallies::kBlock);
}

template <class T>
Json optional_json(const std::optional<T>& value) {
  return value ? Json(*value) : Json();
}

// An emulated device has none.
std::optional<double> playouts_per_second(const PlayoutWords& words, const Measurement& m) {
  if (words.device() == kEmulatedDevice) return std::nullopt;
  return m.seconds > 0 ? static_cast<double>(m.tallies.playouts()) / m.seconds : 0;
}

Json bench_json(const PlayoutWords& words, const BenchOptions& options, const Measurement& m) {
  const std::optional<double> rate = playouts_per_second(words, m);
  std::optional<double> per_core;
  if (rate) per_core = *rate / options.plan.threads;
  const std::optional<DeviceInfo> device = find_device(words.device());
  std::optional<double> clock;
  std::optional<double> share;
  if (device && rate) {
    clock = device->clock_khz / 1000;
    const std::optional<double> bound = playout_bound(words.game(), *device);
    if (bound && options.plan.position.empty() && options.plan.leaves == 1) share = *rate / *bound;
  }
  Json json = {{"game", words.game()},
               {"position", options.plan.position},
               {"engine", words.backend()},
               {"simd", optional_json(words.simd())},
               {"threads", options.plan.threads},
               {"seed", options.plan.seed},
               {"leaves", options.plan.leaves},
               {"playouts", m.tallies.playouts()},
               {"seconds", m.seconds},
               {"playouts_per_second", optional_json(rate)},
               {"playouts_per_second_per_core", optional_json(per_core)},
               {"plies_per_playout", optional_json(m.plies_per_playout)},
               {"plies_standard_error", optional_json(m.plies_standard_error)},
               {"first_player_win_rate", m.tallies.win_rate()},
               {"draw_rate", m.tallies.draw_rate()},
               {"standard_error", m.tallies.standard_error()},
               {"effective_sample_ratio", optional_json(m.tallies.effective_sample_ratio())},
               {"device", words.device()},
               {"clock", optional_json(clock)},
               {"share_of_bound", optional_json(share)}};
  if (m.checksum) json["tally_checksum"] = fmt::format("{:016x}", *m.checksum);
  json["version"] = version_text();
  return json;
}

std::string bench_text(const PlayoutWords& words, const BenchOptions& options,
                       const Measurement& m) {
  const std::optional<double> rate = playouts_per_second(words, m);
  const std::optional<double> ratio = m.tallies.effective_sample_ratio();
  std::string text = fmt::format(
      "{} {}\nengine {} on {}, {}, seed {}\n", words.game(), options.plan.position, words.backend(),
      words.device(), counted(static_cast<std::uint64_t>(options.plan.threads), "thread"),
      options.plan.seed);
  text += fmt::format("{} of {}", counted(m.tallies.playouts(), "playout"),
                      counted(options.plan.leaves, "position"));
  text += rate ? fmt::format(" in {:.3f} s: {:.4g} a second, {:.4g} a core\n", m.seconds, *rate,
                             *rate / options.plan.threads)
               : "\n";
  text += fmt::format("first player wins {:.5f} +- {:.5f}, draws {:.5f}, effective samples {}\n",
                      m.tallies.win_rate(), m.tallies.standard_error(), m.tallies.draw_rate(),
                      ratio ? fmt::format("{:.2f}", *ratio) : "not measured");
  if (m.plies_per_playout) {
    text += fmt::format(
        "{:.2f}{} plies a playout\n", *m.plies_per_playout,
        m.plies_standard_error ? fmt::format(" +- {:.2f}", *m.plies_standard_error) : "");
  }
  if (m.checksum) text += fmt::format("tally checksum {:016x}\n", *m.checksum);
  return text;
}

// Fills the plan from options that depend on each other.
void complete(BenchOptions& options) {
  PlayoutPlan& plan = options.plan;
  plan.backend = backend_of(options.engine, options.simd);
  if (options.playouts_per_leaf > 0 && options.leaves == 0) {
    throw Error(ErrorCode::kUsage, "--playouts-per-leaf needs --leaves");
  }
  if (options.playouts == 0 && options.leaves == 0 && options.seconds == 0) options.seconds = 1;
  if (!options.dump.empty() && !options.fixed()) {
    throw Error(ErrorCode::kUsage, "--dump-words needs --playouts, or --leaves without --seconds");
  }
  if (options.batch_words > 0 && !options.fixed()) {
    throw Error(ErrorCode::kUsage, "--batch-words needs --playouts, or --leaves without --seconds");
  }
  if (options.leaves > 0) {
    plan.leaves = static_cast<std::uint32_t>(options.leaves);
    if (options.playouts_per_leaf > 0) plan.playouts_per_leaf = options.playouts_per_leaf;
  } else {
    plan.playouts_per_leaf = options.playouts > 0 ? options.playouts : kMostPlayoutsPerLeaf;
  }
}

int bench_playouts_main(BenchOptions options) {
  complete(options);
  if (!options.dump.empty()) {
    keep_apart({{"--dump-words", options.dump, FileUse::kWritten, {}}});
  }
  catch_interrupts();
  const std::unique_ptr<PlayoutWords> words = make_playout_words(options.plan);
  std::optional<Measurement> measured =
      options.fixed() ? run_fixed(*words, options) : run_timed(*words, options);
  if (!measured) {
    print_error("stopped by a signal before all playouts were done; nothing was written");
    return kExitUndecided;
  }
  measure_plies(*words, options, *measured);
  if (options.json) {
    print_json(bench_json(*words, options, *measured));
  } else {
    write_stdout(bench_text(*words, options, *measured));
  }
  return 0;
}

}  // namespace

void add_bench_playouts_command(CLI::App& bench, Action& chosen) {
  auto options = std::make_shared<BenchOptions>();
  BenchOptions& values = *options;
  CLI::App& command =
      add_command(bench, "playouts", "Random games from one position or many, counted by word.",
                  kBenchPlayoutsFooter);
  add_game_option(command, &values.plan.game);
  add_position_option(command, &values.plan.position);
  add_text(command, "--engine", &values.engine,
           "auto, cpu, sliced, scalar, reference or cuda (default: auto)", "ENGINE");
  add_text(command, "--simd", &values.simd, "Of cpu and sliced: auto, baseline, avx2 or avx512",
           "LEVEL");
  CLI::Option* seconds =
      add_positive_real(command, "--seconds", &values.seconds, "Run for X seconds (default: 1)");
  CLI::Option* playouts = add_integer(command, "--playouts", &values.playouts, 1,
                                      kMostPlayoutsPerLeaf, "Run N playouts of the position");
  add_integer(command, "--seed", &values.plan.seed, 0, kNoBound, "Of the playouts (default: 1)");
  CLI::Option* leaves = add_integer(command, "--leaves", &values.leaves, 1, kMostLeaves,
                                    "Play from N different positions of random games");
  add_integer(command, "--playouts-per-leaf", &values.playouts_per_leaf, 1, kMostPlayoutsPerLeaf,
              "Playouts of each of them (default: 512)");
  add_integer(command, "--batch-words", &values.batch_words, 1, kMostBatchWords,
              "Of a fixed number: N words at a time, each a request (default: as many as take "
              "hundredths of a second)");
  add_file(command, "--dump-words", &values.dump, "Write the counts of each word to FILE");
  values.plan.threads = all_cores();
  add_threads(command, &values.plan.threads, "Threads; change no count (default: all cores)");
  add_json_flag(command, &values.json);
  exclude(playouts, seconds);
  exclude(playouts, leaves);
  when_read(command,
            [options, &chosen] { chosen = [options] { return bench_playouts_main(*options); }; });
}

}  // namespace playproof
