// Runs a target without libFuzzer: over each seed, the seed cut at every byte, with every bit
// flipped, with NUL, CR LF, bytes that are no UTF-8 and huge numbers put in.
//
// usage: TARGET SEED... [--most N] [--dump FILE]
//
// --most N takes at most N of the cuts and N of the flips of a seed, evenly spread, and puts in and
// replaces at half as many places, at most 200 (0: all, the default). An input that crashes the
// target, takes more than two seconds of CPU time or more memory than there is is named with the
// way it was made, and written to FILE (default: TARGET.input).
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "tests/fuzz/target.h"

namespace playproof::fuzz {
namespace {

namespace fs = std::filesystem;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif
constexpr unsigned kSeconds = kSanitized ? 11 : 2;  // of CPU time that an input may take
constexpr unsigned kWaiting = 60;  // seconds in which it must end however busy the machine is
constexpr rlim_t kBytes = rlim_t{1} << 30;  // of address space, for the whole process

// What runs now, for the handler of a crash.
std::string input;
std::string origin;
std::string dump_path;

void report_and_end(int number) {
  const char* cause = number == SIGALRM || number == SIGPROF ? "it takes too long"
                      : number == SIGUSR1                    ? "it takes too much memory"
                                                             : "it crashes";
  std::fprintf(stderr, "%s (signal %d): %s; written to %s\n", cause, number, origin.c_str(),
               dump_path.c_str());
  if (std::FILE* file = std::fopen(dump_path.c_str(), "wb")) {
    std::fwrite(input.data(), 1, input.size(), file);
    std::fclose(file);
  }
  _exit(1);
}

class Replay {
 public:
  explicit Replay(std::size_t most) : most_(most) {}

  void all_of(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    const std::string seed{std::istreambuf_iterator<char>(file), {}};
    name_ = path.filename().string();
    run(seed, "as it is");
    for (std::size_t i = 0; i < seed.size(); i += stride(seed.size())) {
      run(seed.substr(0, i), "cut at byte " + std::to_string(i));
    }
    const std::size_t bits = 8 * seed.size();
    for (std::size_t i = 0; i < bits; i += stride(bits)) {
      std::string changed = seed;
      changed[i / 8] = static_cast<char>(changed[i / 8] ^ (1 << (i % 8)));
      run(changed, "with bit " + std::to_string(i) + " flipped");
    }
    put_in(seed);
    numbers(seed);
  }
  // What is no seed's.
  void of_none() {
    name_ = "no seed";
    run(std::string(1 << 20, 'a'), "but a million letters");
    run(std::string(100'000, '['), "but brackets");
  }
  std::size_t count() const { return count_; }

 private:
  // Odd, so that flips meet every bit of a byte.
  std::size_t stride(std::size_t count) const {
    return most_ == 0 || count <= most_ ? 1 : (count / most_) | 1;
  }

  // Places that something is put in, and numbers that are replaced: each in ten ways.
  std::size_t most_of_others() const {
    return most_ == 0 ? 200 : std::clamp<std::size_t>(most_ / 2, 1, 200);
  }

  void run(const std::string& bytes, const std::string& how) {
    input = bytes;
    origin = name_ + " " + how;
    limit_time(kSeconds, kWaiting);
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
    limit_time(0, 0);
    ++count_;
  }

  // 0: no limit.
  static void limit_time(unsigned cpu_seconds, unsigned seconds) {
    itimerval timer{};
    timer.it_value.tv_sec = cpu_seconds;
    setitimer(ITIMER_PROF, &timer, nullptr);
    alarm(seconds);
  }

  void put_in(const std::string& seed) {
    const std::string inserts[] = {std::string(1, '\0'), "\r",           "\r\n", "\xff", "\xc3\x28",
                                   "\xed\xa0\x80",       "\xef\xbb\xbf", " ",    "\n",   "\""};
    const std::size_t places = std::min(seed.size(), most_of_others());
    for (const std::string& insert : inserts) {
      for (std::size_t i = 0; i <= places; ++i) {
        std::string changed = seed;
        changed.insert(places == 0 ? 0 : i * seed.size() / places, insert);
        run(changed, "with \"" + insert + "\" put in, the " + std::to_string(i) + "th time");
      }
    }
    std::string lines;
    for (const char c : seed) lines += c == '\n' ? "\r\n" : std::string(1, c);
    run(lines, "with CR LF");
    run(seed + seed, "twice");
  }

  // Every number of the seed replaced by numbers that are too large for something.
  void numbers(const std::string& seed) {
    static const std::string kHuge[] = {"0",
                                        "-1",
                                        "256",
                                        "65536",
                                        "4294967296",
                                        "9223372036854775808",
                                        "18446744073709551616",
                                        "1e400",
                                        "0x7fffffff",
                                        std::string(5000, '9')};
    const auto digit = [](char c) { return c >= '0' && c <= '9'; };
    std::size_t replaced = 0;
    for (std::size_t i = 0; i < seed.size() && replaced < most_of_others(); ++i) {
      if (!digit(seed[i])) continue;
      std::size_t end = i;
      while (end < seed.size() && digit(seed[end])) ++end;
      for (const std::string& huge : kHuge) {
        run(seed.substr(0, i) + huge + seed.substr(end),
            "with " + huge.substr(0, 30) + " for the number at byte " + std::to_string(i));
      }
      i = end;
      ++replaced;
    }
  }

  std::size_t most_;
  std::string name_;
  std::size_t count_ = 0;
};

void prepare(const std::string& program) {
  dump_path = fs::path(program).filename().string() + ".input";
  for (const int number : {SIGALRM, SIGPROF, SIGUSR1, SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL}) {
    std::signal(number, report_and_end);
  }
  if (kSanitized) return;  // their address space is huge by design
  const rlimit limit{kBytes, kBytes};
  setrlimit(RLIMIT_AS, &limit);
}

int replay(const std::vector<std::string>& arguments) {
  std::size_t most = 0;
  std::vector<fs::path> seeds;
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    if (arguments[i] == "--most" && i + 1 < arguments.size()) {
      most = std::stoull(arguments[++i]);
    } else if (arguments[i] == "--dump" && i + 1 < arguments.size()) {
      dump_path = arguments[++i];
    } else {
      seeds.emplace_back(arguments[i]);
    }
  }
  std::sort(seeds.begin(), seeds.end());
  Replay all(most);
  all.of_none();
  for (const fs::path& seed : seeds) all.all_of(seed);
  std::printf("%zu inputs from %zu seeds\n", all.count(), seeds.size());
  return seeds.empty() ? 1 : 0;
}

}  // namespace
}  // namespace playproof::fuzz

int main(int argc, char** argv) {
  playproof::fuzz::prepare(argv[0]);
  try {
    return playproof::fuzz::replay({argv, argv + argc});
  } catch (const std::bad_alloc&) {
    std::raise(SIGUSR1);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    std::raise(SIGABRT);
  }
}
