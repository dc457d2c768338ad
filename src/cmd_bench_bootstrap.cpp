// playproof bench bootstrap: bootstrap samples, timed; or made for the report, which asks for them
// on stdin.
#include <fmt/format.h>

#include <CLI/App.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "games/error.h"
#include "kernels/random_words.h"
#include "src/bench_commands.h"
#include "src/bootstrap_request.h"
#include "src/checksum.h"
#include "src/command_options.h"
#include "src/files_apart.h"
#include "src/line_reader.h"
#include "src/listing.h"
#include "src/output.h"
#include "src/resampler.h"

namespace playproof {
namespace {

constexpr const char* kFooter =
    "A sample draws as many of the units as there are, with replacement; what is made are the "
    "means\n"
    "of its columns. The values that are timed are random numbers. means_checksum is xxh64 (seed "
    "0)\n"
    "over the means, sample after sample, as 64-bit floating-point numbers: it is the same for\n"
    "every backend and thread count. seconds is the median over the repeats.\n"
    "\n"
    "--serve is for `playproof report`: a request is a line \"UNITS COLUMNS SAMPLES SEED\" and "
    "then\n"
    "UNITS x COLUMNS floating-point numbers of 64 bits in the machine's order of bytes, row by "
    "row;\n"
    "the answer is SAMPLES x COLUMNS of them. Requests follow one another until stdin ends. One "
    "that\n"
    "cannot be answered ends the program, with a line on stderr and status 65.\n"
    "\n"
    "Examples:\n"
    "  playproof bench bootstrap --units 200 --samples 10000\n"
    "  playproof bench bootstrap --units 200 --columns 400 --samples 2000 --backend cpu --json";

constexpr std::uint64_t kMostRepeats = 1000;

struct BootstrapOptions {
  BootstrapRequest request;
  std::string backend = "auto";
  int threads = all_cores();
  std::uint64_t repeat = 5;
  bool serve = false;
  bool json = false;
};

std::string_view bytes_of(const std::vector<double>& numbers) {
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(double)};
}

int serve(Resampler& resampler) {
  keep_apart_from_stdin();
  LineReader reader(std::nullopt);
  std::vector<double> values;
  while (const std::optional<BootstrapRequest> request = read_bootstrap_request(reader, &values)) {
    write_stdout(bytes_of(resampler.means(request->data(values), request->sample_count())));
  }
  return 0;
}

// Even in 0..1.
std::vector<double> random_values(const BootstrapRequest& request) {
  std::vector<double> values(request.values());
  RandomWords random({request.seed, 0}, 0);
  for (double& value : values) value = std::ldexp(random.next(), -32);
  return values;
}

double median_seconds(Resampler& resampler, const BootstrapOptions& options,
                      const BootstrapData& data, std::vector<double>* means) {
  std::vector<double> seconds;
  for (std::uint64_t i = 0; i < options.repeat; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    *means = resampler.means(data, options.request.sample_count());
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
    seconds.push_back(taken.count());
  }
  const auto middle = seconds.begin() + static_cast<std::ptrdiff_t>(seconds.size() / 2);
  std::nth_element(seconds.begin(), middle, seconds.end());
  return *middle;
}

Json bench_json(const BootstrapOptions& options, const std::string& device, double seconds,
                const std::vector<double>& means) {
  const BootstrapRequest& request = options.request;
  const auto samples = static_cast<double>(request.samples);
  const double rate = seconds > 0 ? samples / seconds : 0;
  return {{"units", request.units},
          {"columns", request.columns},
          {"samples", request.samples},
          {"seed", request.seed},
          {"backend", options.backend},
          {"device", device},
          {"threads", options.threads},
          {"seconds", seconds},
          {"samples_per_second", rate},
          {"additions_per_second", rate * static_cast<double>(request.values())},
          {"means_checksum", fmt::format("{:016x}", Checksum().add(bytes_of(means)).value())},
          {"version", version_text()}};
}

int bench_bootstrap_main(const BootstrapOptions& options) {
  check_size(options.request);
  Resampler resampler(options.backend, options.threads);
  if (options.serve) return serve(resampler);
  const std::vector<double> values = random_values(options.request);
  std::vector<double> means;
  const double seconds = median_seconds(resampler, options, options.request.data(values), &means);
  const Json json = bench_json(options, resampler.device(), seconds, means);
  if (options.json) {
    print_json(json);
    return 0;
  }
  write_stdout(fmt::format(
      "{} samples of {} units, {} columns, on {}, {} threads\n"
      "{:.4f} s: {:.4g} samples a second, {:.4g} additions a second\nmeans checksum {}\n",
      options.request.samples, options.request.units, options.request.columns, resampler.device(),
      options.threads, seconds, json["samples_per_second"].get<double>(),
      json["additions_per_second"].get<double>(), json["means_checksum"].get<std::string>()));
  return 0;
}

}  // namespace

void add_bench_bootstrap_command(CLI::App& bench, Action& chosen) {
  auto options = std::make_shared<BootstrapOptions>();
  BootstrapOptions& values = *options;
  CLI::App* command =
      bench.add_subcommand("bootstrap", "Bootstrap samples, as the report's intervals need them.");
  command->footer(kFooter);
  add_integer(*command, "--units", &values.request.units, 1, kMostNumbers,
              "Units that are drawn from (default: 200)");
  add_integer(*command, "--columns", &values.request.columns, 1, kMostNumbers,
              "Values of a unit (default: 1)");
  add_integer(*command, "--samples", &values.request.samples, 1, kMostNumbers,
              "Bootstrap samples (default: 10000)");
  add_integer(*command, "--seed", &values.request.seed, 0, kNoBound,
              "Of draws and values (default: 1)");
  add_integer(*command, "--repeat", &values.repeat, 1, kMostRepeats,
              "Times that they are made (default: 5)");
  command
      ->add_option("--backend", values.backend,
                   "auto (an accelerator where it is worth its start), cpu or cuda")
      ->type_name("BACKEND");
  add_threads(*command, &values.threads, "Threads; change no bit (default: all cores)");
  command->add_flag("--serve", values.serve, "Answer requests on stdin instead");
  add_json_flag(*command, &values.json);
  command->callback(
      [options, &chosen] { chosen = [options] { return bench_bootstrap_main(*options); }; });
}

}  // namespace playproof
