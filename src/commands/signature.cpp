// playproof signature: one number that moves when any search, rule or playout does.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "host/solve/solver.h"
#include "src/bench/playout_words.h"
#include "src/commands/command_options.h"
#include "src/commands/commands.h"
#include "src/commands/listing.h"
#include "src/io/checksum.h"
#include "src/io/drive.h"
#include "src/io/json.h"
#include "src/io/output.h"

namespace playproof {
namespace {

constexpr const char* kSignatureFooter =
    "Runs fixed searches of every algorithm on every game with fixed seeds and small\n"
    "limits (not of those that are for one game alone), fixed perfts and fixed\n"
    "playouts, and hashes verdicts, counts, moves and lines. The number is the same\n"
    "on every machine, for any thread count and any build. A change that moves it\n"
    "changes what the program computes: --verbose shows the rows that moved.";

// A position of the table: small boards, so that every algorithm goes deep within few nodes.
struct Problem {
  const char* game;
  const char* position;
  const char* goal;
};

constexpr Problem kProblems[] = {
    {"pgame:branching=2,depth=12,tree=1", "", "win"},
    {"pgame:branching=5,depth=6,tree=2", "", "value"},
    {"hex:size=3", "", "win"},
    {"hex:size=9", "e5 d6", "win"},
    {"othello:size=4", "", "draw"},
    {"othello:size=6", "", "score>=4"},
    {"connect6:rows=4,columns=5,connect=4,stones=1", "", "draw"},
    {"connect6:rows=7,columns=7,connect=5,stones=2", "DD CC EE", "win"},
    {"connect6:rows=9,columns=9,connect=6,stones=2", "", "win"},
};

// There is a row for every other way through the code beside the defaults of every algorithm.
// Options that came later are at their neutral values (zones=off): rows stay what they were.
constexpr const char* kVariants[] = {
    "pn:ties=deepest,stop=none",
    "pn:ties=path",
    "pn:stop=allis",
    "pn:stop=one",
    "pn:leaf=mobility",
    "pn:earlybreak=off",
    "pn:order=random",
    "deeppn:R=0.5",
    "deeppn:R=0.5,norm=inv1",
    "mcpn:rule=beta",
    "ppn:playouts=10",
    "ppn:rule=beta,earlybreak=off",
    "uct:C=0.5,form=outside",
    "mcts:playouts=1",
    "dfpn:leaf=unit",
    "dfpn:leaf=mobility,epsilon=0.25,order=random",
    "dfpn:leaf=both,playouts=10,increment=0,edge=3",
    "dfpn:E=3,D=4,table=1KiB,earlybreak=off",
    "dfpn:leaf=unit,table=4KiB,probe=100,gc=0.3,symmetry=off",
    "pn2:limit=breuker,a=100,b=20,evaluate=immediate",
    "uct:endings=8",
    "uct:reward=sign",
};

// Every algorithm that has proof zones has a row with them, their default in Hex; so have these.
constexpr const char* kZoneVariants[] = {
    "dfpn:patterns=64",
    "dfpn:patterns=64,probe=bridges",
    "dfpn:leaf=unit,patterns=64,probe=connections",
    "dfppn:patterns=64,probe=connections",
    "dfpn:leaf=mustplay,epsilon=0.25,patterns=64,widening=0.25,fill=full",
    "pn:patterns=64,probe=bridges",
    "ppn:patterns=64",
    "pn:probe=connections,ask=created",
    "pn:probe=connections",
    "ppn:patterns=64,fill=full",
    "ews:patterns=64,probe=connections,fill=captured",
};
constexpr Problem kZoneProblems[] = {
    {"hex:size=3", "", "win"},
    {"hex:rows=4,columns=5", "b2", "win"},
    {"hex:size=9", "e5 d6 e4 d5", "win"},
};

constexpr std::uint64_t kMaxNodes = 2000;
constexpr std::uint64_t kMaxZoneNodes = 500;
constexpr std::uint64_t kSeed = 20240229;

struct Perft {
  const char* game;
  const char* position;
  int depth;
};

constexpr Perft kPerfts[] = {
    {"pgame:branching=3,depth=6", "", 8},
    {"hex:size=11", "", 3},
    {"othello:size=8", "", 7},
    {"othello:size=6", "", 6},
    {"connect6:size=19", "", 2},
    {"connect6:rows=3,columns=3,connect=3,stones=1", "", 9},
};

// Playouts of each row: full words of several groups and a part of a word.
constexpr std::uint32_t kPlayouts = 32 * 40 + 10;

struct PlayoutRow {
  const char* game;
  const char* position;
};

constexpr PlayoutRow kPlayoutRows[] = {
    {"pgame:branching=7,depth=9,tree=3", ""},
    {"hex:size=5", ""},
    {"hex:size=13", "a1 b2"},
    {"othello:size=8", ""},
    {"othello:size=6", ""},
    {"connect6:size=19", ""},
    {"connect6:rows=6,columns=7,connect=4,stones=1", ""},
};

class Signature {
 public:
  explicit Signature(bool verbose) : verbose_(verbose) {}

  void add(const std::string& name, const std::string& findings) {
    const std::uint64_t hash = Checksum().add(name).add(findings).value();
    if (verbose_) write_stdout(fmt::format("{:016x}  {}  {}\n", hash, name, findings));
    total_.add(fmt::format("{:016x}\n", hash));
  }
  std::uint64_t value() const { return total_.value(); }

 private:
  bool verbose_;
  Checksum total_;
};

// Rows keep the names that options had at first: another name is no other search.
std::string row_name(const std::string& algorithm) {
  const Spec spec = parse_spec(algorithm_as_stored(algorithm));
  return Options(algorithm_catalogue().find(spec.name), spec).first_name();
}

void add_search(Signature& signature, const Problem& problem, const std::string& algorithm,
                std::uint32_t batch, std::uint64_t max_nodes = kMaxNodes) {
  SolveRequest request;
  request.game = problem.game;
  request.position = problem.position;
  request.algorithm = algorithm;
  request.goal = problem.goal;
  request.batch = batch;
  request.seed = kSeed;
  request.limits.max_nodes = max_nodes;
  const std::unique_ptr<Solver> solver = make_solver(request);
  Progress silent(ProgressMode::kNone);
  drive(*solver, batch, silent);
  const SolveResult result = solver->result();
  const Counters& counters = result.counters;
  signature.add(
      fmt::format("{} '{}' {} {} batch={}", problem.game, problem.position,
                  row_name(solver->algorithm()), problem.goal, batch),
      fmt::format("{} {}..{} {} {} {} {} {} {} [{}]", to_string(result.verdict), result.lower,
                  result.upper, counters.iterations, counters.nodes_created,
                  counters.nodes_expanded, counters.playouts, counters.max_depth,
                  result.best_move.value_or("-"), fmt::join(result.principal_variation, " ")));
}

void add_searches(Signature& signature) {
  std::vector<std::string> algorithms;
  for (const CatalogueEntry& entry : algorithm_catalogue().entries) {
    if (entry.game.empty()) algorithms.push_back(entry.name);
  }
  algorithms.insert(algorithms.end(), std::begin(kVariants), std::end(kVariants));
  for (std::string& algorithm : algorithms) algorithm = algorithm_as_stored(algorithm);
  for (const Problem& problem : kProblems) {
    for (const std::string& algorithm : algorithms) add_search(signature, problem, algorithm, 1);
    add_search(signature, problem, algorithm_as_stored("ppn"), 8);
  }
}

void add_zone_searches(Signature& signature) {
  std::vector<std::string> algorithms;
  for (const CatalogueEntry& entry : algorithm_catalogue().entries) {
    const bool has_zones = std::any_of(entry.options.begin(), entry.options.end(),
                                       [](const OptionInfo& o) { return o.name == "zones"; });
    if (has_zones) algorithms.push_back(entry.name);
  }
  algorithms.insert(algorithms.end(), std::begin(kZoneVariants), std::end(kZoneVariants));
  for (const Problem& problem : kZoneProblems) {
    for (const std::string& algorithm : algorithms) {
      add_search(signature, problem, algorithm, 1, kMaxZoneNodes);
    }
  }
}

int signature_main(bool verbose, bool json) {
  Signature signature(verbose);
  add_searches(signature);
  for (const Perft& row : kPerfts) {
    signature.add(fmt::format("perft {} '{}' {}", row.game, row.position, row.depth),
                  std::to_string(perft(row.game, row.position, row.depth)));
  }
  for (const PlayoutRow& row : kPlayoutRows) {
    PlayoutPlan plan;
    plan.game = row.game;
    plan.position = row.position;
    plan.seed = kSeed;
    plan.playouts_per_leaf = kPlayouts;
    signature.add(fmt::format("playouts {} '{}' {}", row.game, row.position, kPlayouts),
                  std::to_string(tally_checksum(plan)));
  }
  add_zone_searches(signature);
  if (json) {
    print_json({{"signature", signature.value()}});
  } else {
    write_stdout(fmt::format("{}\n", signature.value()));
  }
  return 0;
}

}  // namespace

void add_signature_command(CLI::App& app, Action& chosen) {
  struct Flags {
    bool verbose = false;
    bool json = false;
  };
  auto flags = std::make_shared<Flags>();
  CLI::App& command =
      add_command(app, "signature", "One number over all games and algorithms with fixed seeds.",
                  kSignatureFooter);
  add_flag(command, "--verbose", &flags->verbose,
           "Print the hash and the findings of each row too");
  add_json_flag(command, &flags->json);
  when_read(command, [flags, &chosen] {
    chosen = [flags] { return signature_main(flags->verbose, flags->json); };
  });
}

}  // namespace playproof
