// Evaluators: whatever the backend, the threads and the shape of a batch, one answer.
#include "host/playouts/evaluator.h"
#include "host/drive/leaf_loads.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "games/core/error.h"
#include "games/list.h"
#include "host/drive/clocks.h"
#include "host/playouts/backends/check.h"
#include "host/playouts/function.h"
#include "host/playouts/thread_pool.h"
#include "host/solve/solver.h"
#include "kernels/device/device_info.h"
#include "kernels/list.h"
#include "tests/kernels/positions.h"
#include "tests/nightly.h"

namespace playproof::evaluator_test {
namespace {

constexpr std::uint64_t kSeed = 5;

template <Game G>
std::vector<Tally> evaluate(PlayoutEvaluator<G>& evaluator,
                            const std::vector<LeafRequest<G>>& requests) {
  std::vector<Tally> tallies(requests.size());
  evaluator.collect(evaluator.submit(requests), tallies);
  return tallies;
}

// `size` requests of different positions and lengths; every `big`-th asks for many playouts.
template <Game G>
std::vector<LeafRequest<G>> some_requests(const typename G::Rules& rules, std::size_t size,
                                          std::size_t big = 1000) {
  const auto states = random_positions<G>(rules, 20, 1);
  std::vector<LeafRequest<G>> requests;
  for (std::size_t i = 0; i < size; ++i) {
    const auto first = static_cast<std::uint32_t>(32 * (i % 40));
    const auto n = static_cast<std::uint32_t>(i % big == big - 1 ? 5000 + i : i % 70);
    requests.push_back(request_of<G>(rules, states[i % states.size()], first, n, kSeed + i / 9));
  }
  return requests;
}

template <class Call>
void expect_error(ErrorCode code, const std::string& part, const Call& call) {
  try {
    call();
    FAIL() << "no error, but wanted: " << part;
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.what();
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  }
}

template <class T>
class EveryGame : public testing::Test {};
struct PGameCase {
  using G = PGame;
  static G::Rules rules() { return {}; }
};
struct Hex1Case {
  using G = Hex<1>;
  static G::Rules rules() { return G::make_rules(5, 5); }
};
struct Hex2Case {
  using G = Hex<2>;
  static G::Rules rules() { return G::make_rules(9, 9); }
};
struct Hex6Case {
  using G = Hex<6>;
  static G::Rules rules() { return G::make_rules(12, 12); }
};
struct OthelloCase {
  using G = Othello;
  static G::Rules rules() { return G::make_rules(4); }
};
struct Connect1Case {
  using G = Connect<1>;
  static G::Rules rules() { return G::make_rules(5, 5, 4, 2); }
};
struct Connect6Case {
  using G = Connect<6>;
  static G::Rules rules() { return G::make_rules(9, 9, 5, 2); }
};
using Cases = testing::Types<PGameCase, Hex1Case, Hex2Case, Hex6Case, OthelloCase, Connect1Case,
                             Connect6Case>;
TYPED_TEST_SUITE(EveryGame, Cases);

TYPED_TEST(EveryGame, CpuEqualsReference) {
  using G = typename TypeParam::G;
  const auto rules = TypeParam::rules();
  const auto requests = some_requests<G>(rules, 60);
  const auto cpu = make_evaluator<G>(rules, "cpu", 1);
  const auto reference = make_evaluator<G>(rules, "reference", 1);
  EXPECT_EQ(evaluate(*cpu, requests), evaluate(*reference, requests));
  EXPECT_EQ(cpu->name(), "cpu");
  EXPECT_EQ(reference->name(), "reference");
  EXPECT_EQ(cpu->device(), "cpu");
  EXPECT_EQ(make_evaluator<G>(rules, "auto", 1)->name(), "cpu");
}

// A batch played in loads has the tallies of the batch played at once, wherever it is cut.
TYPED_TEST(EveryGame, LoadsChangeNothing) {
  int turn = 0;
  using G = typename TypeParam::G;
  const auto rules = TypeParam::rules();
  const auto requests = some_requests<G>(rules, 40, 5);
  for (const std::string backend : {"cpu", "scalar", "fake", "check:of=cpu,every=3"}) {
    const auto evaluator = make_evaluator<G>(rules, backend, 1);
    const std::vector<Tally> at_once = evaluate(*evaluator, requests);
    LeafLoads<G> loads;
    for (const std::uint64_t most : {1u, 512u, 700u, 5000u, 20000u, 1u << 30}) {
      ++turn;
      if ((turn + turn / 6) % 4 != 0 && !nightly()) continue;
      loads.begin(requests);
      std::uint64_t count = 0;
      for (; !loads.done(); ++count) {
        loads.submit(*evaluator, most);
        loads.collect(*evaluator);
      }
      EXPECT_TRUE(std::ranges::equal(loads.tallies(), at_once)) << backend << ' ' << most;
      EXPECT_LE(count, loads.playouts() / std::max<std::uint64_t>(most / 2, 1) + 41);
      EXPECT_GE(count, (loads.playouts() - 1) / std::max<std::uint64_t>(most, 512) + 1);
    }
  }
}

// Requests may come while others are at the evaluator.
TYPED_TEST(EveryGame, LoadsOfRequestsThatComeInParts) {
  using G = typename TypeParam::G;
  const auto rules = TypeParam::rules();
  const auto requests = some_requests<G>(rules, 40, 5);
  for (const std::string backend : {"cpu", "check:of=cpu,every=3"}) {
    const auto evaluator = make_evaluator<G>(rules, backend, 3);
    const std::vector<Tally> at_once = evaluate(*evaluator, requests);
    for (const std::size_t part : {1u, 7u, 39u}) {
      std::vector<LeafRequest<G>> so_far(requests.begin(), requests.begin() + part);
      LeafLoads<G> loads;
      loads.begin(so_far);
      while (so_far.size() < requests.size()) {
        loads.submit(*evaluator, 1u << 30);
        const auto next = requests.begin() + static_cast<std::ptrdiff_t>(so_far.size());
        so_far.insert(
            so_far.end(), next,
            next + static_cast<std::ptrdiff_t>(std::min(part, requests.size() - so_far.size())));
        loads.extend(so_far);
      }
      while (!loads.done()) {
        loads.submit(*evaluator, 700);  // the last of them cut
        loads.collect(*evaluator);
      }
      EXPECT_TRUE(std::ranges::equal(loads.tallies(), at_once)) << backend << ' ' << part;
    }
  }
}

TYPED_TEST(EveryGame, ThreadsChangeNothing) {
  using G = typename TypeParam::G;
  const auto rules = TypeParam::rules();
  for (const std::string backend : {"cpu", "fake"}) {
    const auto one = make_evaluator<G>(rules, backend, 1);
    for (const int threads : {2, 3, 8}) {
      const auto many = make_evaluator<G>(rules, backend, threads);
      for (const std::size_t size : {1u, 50u, 400u}) {
        const auto requests = some_requests<G>(rules, size, 7);
        EXPECT_EQ(evaluate(*many, requests), evaluate(*one, requests)) << backend << threads;
      }
    }
  }
  const auto requests = some_requests<G>(rules, 40);
  EXPECT_EQ(evaluate(*make_evaluator<G>(rules, "reference", 3), requests),
            evaluate(*make_evaluator<G>(rules, "cpu", 1), requests));
}

TYPED_TEST(EveryGame, BatchesChangeNothing) {
  using G = typename TypeParam::G;
  const auto rules = TypeParam::rules();
  const auto requests = some_requests<G>(rules, 1025);
  const auto evaluator = make_evaluator<G>(rules, "cpu", 2);
  std::vector<Tally> alone;
  for (const auto& request : requests) {
    alone.push_back(evaluate<G>(*evaluator, {request})[0]);
    const Tally& tally = alone.back();
    ASSERT_EQ(tally.wins + tally.draws + tally.losses, request.playouts);
    ASSERT_EQ(tally.truncated, 0u);
  }
  for (const std::size_t size : {0u, 1u, 31u, 32u, 33u, 64u, 65u, 1023u, 1024u, 1025u}) {
    const std::vector<LeafRequest<G>> batch(requests.begin(), requests.begin() + size);
    EXPECT_EQ(evaluate(*evaluator, batch), std::vector<Tally>(alone.begin(), alone.begin() + size));
  }
  auto backwards = requests;
  std::reverse(backwards.begin(), backwards.end());
  std::reverse(alone.begin(), alone.end());
  EXPECT_EQ(evaluate(*evaluator, backwards), alone);
}

// The clock of a simulated device is most of what an empty batch takes, and none of the search's
// time.
TEST(SimulatedDevice, ItsClockIsNoneOfTheTimes) {
  const PGame::Rules rules{};
  const auto simulated = make_evaluator<PGame>(rules, "latency:of=fake", 1);
  const Times begin = times_now(true);
  const double before = simulated->simulation_cpu_seconds();
  for (int i = 0; i < 20000; ++i) evaluate<PGame>(*simulated, {});
  const double all = times_now(true).cpu_seconds - begin.cpu_seconds;
  const double clock = simulated->simulation_cpu_seconds() - before;
  EXPECT_GT(clock, 0.25 * all);
  EXPECT_LT(clock, 1.25 * all);
  EXPECT_EQ(make_evaluator<PGame>(rules, "cpu", 1)->simulation_cpu_seconds(), 0);
}

// A search that has its playouts from one without latency takes what is its own: neither time has
// what looking at the clock took, four times a batch, of which each expansion is one.
TEST(SimulatedDevice, SearchesHaveNoneOfItsClock) {
  SolveRequest request;
  request.game = "pgame:branching=2,depth=20,tree=3";
  request.algorithm = "ppn:playouts=1";
  request.backend = "latency:of=fake,us=0,rate=1e15";
  request.limits.max_nodes = 200000;
  const auto solver = make_solver(request);
  const double begin = times_now(true).cpu_seconds;
  while (solver->step(1000) == StopReason::kRunning) {
  }
  const SolveResult result = solver->result();
  const double all = times_now(true).cpu_seconds - begin;
  double look = 1;  // seconds; whatever else runs here can only make it longer
  for (int round = 0; round < 9; ++round) {
    const double before = times_now(true).cpu_seconds;
    timespec time{};
    for (int i = 1; i < 1000; ++i) clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    look = std::min(look, (times_now(true).cpu_seconds - before) / 1000);
  }
  const double looks = 4 * look * static_cast<double>(result.counters.nodes_expanded);
  EXPECT_GT(looks, 0.002);
  EXPECT_LT(result.cpu_seconds, all - 0.6 * looks);
  EXPECT_LT(result.seconds, all - 0.6 * looks);
  EXPECT_GT(result.seconds, 0);
}

TYPED_TEST(EveryGame, TicketsAreCollectedInAnyOrder) {
  using G = typename TypeParam::G;
  const auto rules = TypeParam::rules();
  const auto one = make_evaluator<G>(rules, "cpu", 1);
  for (const std::string backend : {"cpu", "check:of=cpu,against=cpu,every=2"}) {
    const auto many = make_evaluator<G>(rules, backend, 3);
    std::vector<std::vector<LeafRequest<G>>> batches;
    std::vector<typename PlayoutEvaluator<G>::Ticket> tickets;
    for (std::size_t i = 0; i < 6; ++i) {
      batches.push_back(some_requests<G>(rules, 3 + 50 * i, 5));
      tickets.push_back(many->submit(batches.back()));
    }
    for (const std::size_t i : {3u, 0u, 5u, 1u, 2u, 4u}) {
      std::vector<Tally> tallies(batches[i].size());
      many->collect(tickets[i], tallies);
      EXPECT_EQ(tallies, evaluate(*one, batches[i])) << backend << ' ' << i;
    }
  }
}

// Batches that nobody collects do not keep an evaluator from ending.
TYPED_TEST(EveryGame, MayBeLeftInFlight) {
  using G = typename TypeParam::G;
  const auto rules = TypeParam::rules();
  const auto evaluator = make_evaluator<G>(rules, "cpu", 3);
  evaluator->submit(some_requests<G>(rules, 300, 2));
  evaluator->submit(some_requests<G>(rules, 2));
}

TYPED_TEST(EveryGame, FakeLooksLikeTallies) {
  using G = typename TypeParam::G;
  const auto rules = TypeParam::rules();
  const auto evaluator = make_evaluator<G>(rules, "fake", 1);
  auto whole = some_requests<G>(rules, 1)[0];
  bool differ = false;
  for (whole.key.stream = 0; whole.key.stream < 20; ++whole.key.stream) {
    whole.playouts = 100;
    auto begin = whole;
    auto end = whole;
    begin.playouts = 64;
    end.first += 64;
    end.playouts = 36;
    const auto tallies = evaluate<G>(*evaluator, {whole, begin, end});
    EXPECT_EQ(tallies[0].wins + tallies[0].draws + tallies[0].losses, 100u);
    EXPECT_EQ(tallies[0], tallies[1] + tallies[2]);
    ++whole.key.seed;
    differ = differ || tallies[0] != evaluate<G>(*evaluator, {whole})[0];
  }
  EXPECT_TRUE(differ);
}

TYPED_TEST(EveryGame, BrokenPromisesAreNamed) {
  using G = typename TypeParam::G;
  const auto rules = TypeParam::rules();
  const auto evaluator = make_evaluator<G>(rules, "cpu", 2);
  auto request = some_requests<G>(rules, 1)[0];
  const std::vector<LeafRequest<G>> fine = {request};
  request.first = 16;
  expect_error(ErrorCode::kInternal, "multiple of 32, not 16",
               [&] { evaluate<G>(*evaluator, {request}); });
  request.first = 0xffffffe0;
  request.playouts = 33;
  expect_error(ErrorCode::kInternal, "too many", [&] { evaluate<G>(*evaluator, {request}); });
  request.playouts = 32;
  EXPECT_EQ(evaluate<G>(*evaluator, {request}).size(), 1u);

  std::vector<Tally> two(2);
  std::vector<Tally> one(1);
  const auto ticket = evaluator->submit(fine);
  expect_error(ErrorCode::kInternal, "1 requests, not 2", [&] { evaluator->collect(ticket, two); });
  evaluator->collect(ticket, one);
  expect_error(ErrorCode::kInternal, "not in flight", [&] { evaluator->collect(ticket, one); });
  expect_error(ErrorCode::kInternal, "not in flight", [&] { evaluator->collect(12345, one); });
}

// The reference with one playout turned round in one leaf.
template <Game G>
Tally wrong_playouts(const typename G::Rules& rules, const LeafRequest<G>& request) {
  Tally tally = reference_playouts<G>(rules, request);
  if (request.key.stream == 77) {
    --(tally.wins > 0 ? tally.wins : tally.losses);
    ++tally.draws;
  }
  return tally;
}

TYPED_TEST(EveryGame, CheckFindsAPlantedFault) {
  using G = typename TypeParam::G;
  const auto rules = TypeParam::rules();
  auto fine = some_requests<G>(rules, 10);
  auto faulty = fine;
  faulty[6].key.stream = 77;
  faulty[6].playouts = 20;
  const auto make = [&](std::uint64_t every) {
    return CheckEvaluator<G>(
        std::make_unique<FunctionEvaluator<G>>(
            rules, PlayoutFunction<G>{"wrong", one_by_one<G>(wrong_playouts<G>)}, 1),
        make_evaluator<G>(rules, "cpu", 1), every);
  };
  auto always = make(1);
  EXPECT_EQ(always.name(), "check:of=wrong,against=cpu,every=1");
  evaluate(always, fine);
  for (int i = 0; i < 2; ++i) {
    expect_error(ErrorCode::kInternal, "request 6 of a batch (stream 77, 20 playouts from 192)",
                 [&] { evaluate(always, faulty); });
    evaluate(always, fine);
  }
  auto third = make(3);  // batches 0, 3, 6
  evaluate(third, fine);
  evaluate(third, faulty);
  evaluate(third, faulty);
  expect_error(ErrorCode::kInternal, "wrong says", [&] { evaluate(third, faulty); });
}

TEST(Backends, CanonicalNames) {
  const auto name = [](const std::string& backend) {
    return make_evaluator<PGame>({}, backend, 1)->name();
  };
  EXPECT_EQ(name("check"), "check:of=cpu,against=reference,every=50");
  EXPECT_EQ(name("check:every=3,of=auto"), "check:of=cpu,against=reference,every=3");
  EXPECT_EQ(name("check:of=fake,against=cpu"), "check:of=fake,against=cpu,every=50");
}

TEST(Backends, UnknownNamesAndKeys) {
  const auto make = [](const std::string& backend) {
    return [backend] { make_evaluator<PGame>({}, backend, 1); };
  };
  expect_error(ErrorCode::kUsage, "'cpu'", make("cqu"));
  expect_error(ErrorCode::kUsage, "every", make("check:evry=2"));
  expect_error(ErrorCode::kUsage, "every", make("check:every=0"));
  expect_error(ErrorCode::kUsage, "of", make("check:of=check"));
  expect_error(ErrorCode::kUsage, "threads", make("cpu:threads=2"));
  expect_error(ErrorCode::kUsage, "", make(""));
  expect_error(ErrorCode::kUsage, "threads must be at least 1, not 0",
               [] { make_evaluator<PGame>({}, "cpu", 0); });
}

TEST(Backends, KnownOnesThatAreNotHere) {
  if (!list_devices().empty()) GTEST_SKIP() << "this machine has a device";
  const auto hex = Hex<1>::make_rules(5, 5);
  for (const std::string backend : {"cuda", "latency:of=cuda", "check:of=cuda"}) {
    expect_error(ErrorCode::kUnavailable,
                 "backend cuda: ", [&] { make_evaluator<Hex<1>>(hex, backend, 1); });
    expect_error(ErrorCode::kUnavailable,
                 "backend cuda: ", [&] { make_evaluator<PGame>({}, backend, 1); });
  }
}

template <Game G>
void expect_cuda_equals_cpu(const typename G::Rules& rules) {
  const auto cuda = make_evaluator<G>(rules, "cuda", 1);
  const auto cpu = make_evaluator<G>(rules, "cpu", 1);
  EXPECT_NE(cuda->device(), "cpu");
  for (const std::size_t size : {0u, 1u, 31u, 1025u}) {
    const auto requests = some_requests<G>(rules, size, 9);
    EXPECT_EQ(evaluate(*cuda, requests), evaluate(*cpu, requests));
  }
}

TEST(Backends, CudaEqualsCpu) {
  if (list_devices().empty()) GTEST_SKIP() << "no device on this machine";
  expect_cuda_equals_cpu<PGame>({});
  expect_cuda_equals_cpu<Hex<1>>(Hex<1>::make_rules(5, 5));
  expect_cuda_equals_cpu<Hex<2>>(Hex<2>::make_rules(11, 11));
  expect_cuda_equals_cpu<Hex<6>>(Hex<6>::make_rules(13, 13));
  expect_cuda_equals_cpu<Othello>(Othello::make_rules(8));
  expect_cuda_equals_cpu<Connect<1>>(Connect<1>::make_rules(5, 5, 4, 1));
  expect_cuda_equals_cpu<Connect<6>>(Connect<6>::make_rules(19, 19, 6, 2));
}

// Every name of the catalogue can be made or is said to be missing.
TEST(Backends, CatalogueIsWhatCanBeMade) {
  int made = 0;
  for (const CatalogueEntry& entry : backend_catalogue().entries) {
    EXPECT_FALSE(entry.summary.empty()) << entry.name;
    try {
      EXPECT_FALSE(make_evaluator<PGame>({}, entry.name, 1)->name().empty());
      ++made;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kUnavailable) << entry.name << ": " << error.what();
    }
  }
  EXPECT_GE(made, 5);
}

// Two backends are said to have the same tallies if and only if they do.
TEST(Backends, OwnTallies) {
  const auto hex = Hex<1>::make_rules(5, 5);
  const auto requests = some_requests<Hex<1>>(hex, 40);
  std::map<std::string, std::vector<Tally>> tallies_of;
  for (const CatalogueEntry& entry : backend_catalogue().entries) {
    if (entry.name == "cuda") continue;
    std::vector<std::string> backends = {entry.name};
    for (const OptionInfo& option : entry.options) {
      if (option.name != "of") continue;
      for (const std::string& inner : option.words) {
        if (inner == "cuda") continue;
        backends.push_back(entry.name + ":of=" + inner);
        if (entry.name == "check") backends.back() += ",against=" + inner;
      }
    }
    for (const std::string& backend : backends) {
      const auto evaluator = make_evaluator<Hex<1>>(hex, backend, 1);
      EXPECT_EQ(own_tallies(evaluator->name()), own_tallies(backend)) << backend;
      const auto tallies = evaluate(*evaluator, requests);
      const auto [known, first] = tallies_of.try_emplace(own_tallies(backend), tallies);
      EXPECT_EQ(tallies, known->second) << backend;
    }
  }
  ASSERT_EQ(tallies_of.size(), 3u);
  EXPECT_NE(tallies_of[""], tallies_of["scalar"]);
  EXPECT_NE(tallies_of[""], tallies_of["fake"]);
  EXPECT_NE(tallies_of["scalar"], tallies_of["fake"]);
}

TEST(Backends, NamedDevice) {
  EXPECT_EQ(named_device("cuda"), 0);
  EXPECT_EQ(named_device("cuda:device=3"), 3);
  EXPECT_EQ(named_device("cuda:devices=all"), 0);
  for (const char* none : {"cpu", "none", "latency:of=fake", "nobody", ""}) {
    EXPECT_EQ(named_device(none), std::nullopt) << none;
  }
  EXPECT_THROW(named_device("cuda:device=64"), Error);
}

TEST(Backends, OwnTalliesOfTheInnermost) {
  EXPECT_EQ(own_tallies("none"), "");
  EXPECT_EQ(own_tallies("cuda"), "");
  EXPECT_EQ(own_tallies("cpu:simd=avx2"), "");
  EXPECT_EQ(own_tallies("latency:us=20,of=scalar"), "scalar");
  EXPECT_EQ(own_tallies("latency:of=check:of=fake,against=cpu,every=1,us=0,rate=1"), "fake");
  EXPECT_EQ(own_tallies("check:of=latency:of=cpu,against=fake"), "");
  EXPECT_EQ(own_tallies("check:against=scalar,of=reference"), "");
  for (const char* text :
       {"", ":", "of=", ",", "latency:", "latency:of=", "nobody:of=nobody", "fak"}) {
    EXPECT_EQ(own_tallies(text), "") << text;
  }
}

TEST(ThreadPool, RunsEveryTaskOnce) {
  ThreadPool pool(3);
  for (const std::size_t count : {0u, 1u, 2u, 100u, 5000u}) {
    std::vector<int> runs(count, 0);
    const auto job = pool.start(count, [&runs](std::size_t i) { ++runs[i]; });
    pool.wait(*job);
    EXPECT_EQ(runs, std::vector<int>(count, 1));
  }
}

TEST(ThreadPool, ThrowsWhatTheFirstFailedTaskThrew) {
  ThreadPool pool(3);
  for (int repeat = 0; repeat < 20; ++repeat) {
    const auto job = pool.start(100, [](std::size_t i) {
      if (i % 10 == 7) throw std::runtime_error("task " + std::to_string(i));
    });
    try {
      pool.wait(*job);
      FAIL() << "nothing was thrown";
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "task 7");
    }
  }
}

// Every game of the list is played by `cpu`, whoever plays it, as by the definition.
TEST(Backends, EveryGameOfTheListEqualsReference) {
  AllGames::for_each([]<class Entry>() {
    for (const std::string& game : {Entry::info().name, std::string(Entry::kSmall)}) {
      visit_game(game, [&]<class G>(const typename G::Rules& rules) {
        const auto evaluator =
            make_evaluator<G>(rules, "check:of=cpu,against=reference,every=1", 2);
        std::vector<LeafRequest<G>> requests;
        for (const int plies : {0, 1, 3}) {
          const auto state = random_position<G>(rules, plies, 5);
          for (const std::uint32_t n : {1u, 31u, 64u, 200u}) {
            requests.push_back({state, {n % 2, G::key(rules, state)}, 32 * n, n});
          }
        }
        std::vector<Tally> tallies(requests.size());
        evaluator->collect(evaluator->submit(requests), tallies);
        for (std::size_t i = 0; i < tallies.size(); ++i) {
          EXPECT_EQ(tallies[i].wins + tallies[i].draws + tallies[i].losses, requests[i].playouts);
        }
      });
    }
  });
}

}  // namespace
}  // namespace playproof::evaluator_test
