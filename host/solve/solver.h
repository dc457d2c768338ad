// The one type that programs see: a search for who wins, whatever game and algorithm. Templates of
// game x scheme stay behind it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "games/core/evaluation.h"
#include "games/core/game.h"
#include "games/core/spec.h"
#include "host/archive/bytes.h"
#include "host/question/counters.h"
#include "host/question/node_row.h"
#include "host/question/question.h"
#include "host/question/worker_times.h"
#include "host/table/kept_table.h"

namespace playproof {

class EvaluatorKeeper;  // host/playouts/evaluator_keeper.h

// What a search for a win by threats (games/connect/vcdt.h) has found.
struct ThreatFindings {
  enum class Outcome : std::uint8_t { kWin, kCut, kExhausted };
  Outcome outcome = Outcome::kCut;  // so far
  int turns = 0;            // of a win: of the attacker, the one that completes a line included
  bool macro = false;       // of a win: macro replies alone proved it
  bool alone = true;        // threats alone were searched, not all turns
  std::uint64_t pairs = 0;  // of stones that were looked at
  std::uint64_t macro_nodes = 0;  // positions whose turns were listed against macro replies,
  std::uint64_t reply_nodes = 0;  // and against all replies
  // Places 0 .. 4 of a win's zone (games/connect/race_zone.h), each with the cells that the one
  // before has not.
  std::vector<std::vector<std::string>> zone;
  // The stones of a win's first turn, and the ends of each window that is a threat after it.
  std::vector<std::string> turn;
  std::vector<std::pair<std::string, std::string>> lines;
};

struct SolveResult {
  Verdict verdict = Verdict::kUnknown;
  StopReason reason = StopReason::kRunning;
  // Bounds of the value for the attacker that are proven so far.
  int lower = 0;
  int upper = 0;
  // What the game's evaluation says of the position for the attacker, where it has one
  // (games/core/evaluation.h): no proof, and nothing rests on it.
  std::optional<Estimate> estimate = {};
  // Decided: a move that reaches what is proved or keeps the value, the first of the proof of the
  // lower bound where one is needed; none when finished, disproved, or when `value` is a loss.
  // Undecided: the move that looks best.
  std::optional<std::string> best_move;
  // Begins with it. Decided: to the end of the game, and every move keeps what was decided.
  std::vector<std::string> principal_variation;
  // The cells of the position's zone (host/zone/zone.h), if zones are on and a goal of one claim is
  // decided. A depth-first search that was resumed has none.
  std::vector<std::string> zone;
  std::optional<ThreatFindings> threats;  // where threats alone are searched
  Counters counters;
  double seconds = 0;      // wall time inside step()
  double cpu_seconds = 0;  // CPU time of the process inside step()
  CrewTimes crew;          // of several workers, in this process: where that time went
};

inline constexpr std::uint32_t kMostPipeline = 64;
inline constexpr int kMostWorkers = 256;

struct SolveRequest {
  std::string game;       // spec: "hex:size=5"
  std::string position;   // text; empty: initial position
  std::string algorithm;  // spec: "ppn:playouts=32"
  std::string goal = "win";
  std::string backend = "auto";
  std::uint32_t batch = 1;  // leaf expansions taken from the tree at a time
  // Batches of a tree that are out at a time: so many are proposed before the first is absorbed
  // (docs/pipeline.md). Changes the search as batch does; with searches that have a table an error.
  std::uint32_t pipeline = 1;
  std::uint64_t seed = 1;
  int threads = 1;  // of the evaluator; changes no count
  // Threads of the search itself, each with a share of those of the evaluator. With more than one,
  // counts vary from run to run; verdict and certificate are as certain. Throws kUsage where an
  // algorithm or a game has one alone (docs/searchers.md).
  int workers = 1;
  // Of a search that is loaded: how many it had when it was saved.
  int workers_before = 1;
  SearchLimits limits;
  bool certificate = false;  // write_certificate() will be asked for
  // A depth-first search takes its table from here, and leaves it when it is destroyed; null: a
  // table of its own. What is proven stays so; counts, and what a limit leaves undecided, also
  // depend on what was asked before. Searches that are loaded must have none. Other algorithms have
  // no table: an error.
  TableKeeper* keeper = nullptr;
  // A search with playouts takes its evaluator from here, and leaves it; null: one of its own.
  EvaluatorKeeper* evaluators = nullptr;
};

// The root moves that an algorithm would play now, as move numbers: all moves that tie for best
// under the algorithm's own rule. After a proof: one proven move. Empty when the
// position is finished. The iteration is the count after which this became so.
using InterimListener = std::function<void(std::uint64_t iteration, const std::vector<Move>& tied)>;

class Solver {
 public:
  virtual ~Solver() = default;
  // Runs up to `iterations` more iterations; kRunning if the search can go on. Once it returned
  // anything else it does no more work. Throws Error(kUnavailable) if the evaluator fails, then and
  // in every later call; what result() says stays true.
  // Where an iteration asks for very many playouts, it returns after some hundredths of a second,
  // also in the middle of a leaf: that leaf is expanded, but none of its playouts count yet. It may
  // also return within an iteration of pn2, whose second level searches meanwhile.
  virtual StopReason step(std::uint64_t iterations) = 0;
  // Finishes such a leaf, in about so many seconds; false if that was too short. True at once if
  // there is none.
  virtual bool finish_leaf(double /*seconds*/) { return true; }
  virtual SolveResult result() const = 0;
  // Called whenever the set of tied interim root moves changes (and once at the start of the first
  // step()). Changes no count. Set it before the first step().
  virtual void on_interim(InterimListener listener) = 0;
  // The tied interim moves now, and one of them drawn uniformly under the seed; asking changes
  // nothing and always gives the same answer for the same tree.
  virtual std::vector<Move> interim_moves() const = 0;
  virtual Move interim_move() const = 0;
  virtual std::string move_text(Move move) const = 0;
  // The nodes that the search knows, the root first, depth by depth, the children of one in order
  // of their moves; between two steps. Of a depth-first search: the children of the root as it
  // counts them, below them what the table knows. Of `value` and `score`: of the claim under way.
  // Throws Error(kUsage): minimax.
  virtual std::vector<NodeRow> nodes(const NodeLook& look) const = 0;
  // Writes the certificate of what was found (docs/certificate.md): once the question is decided,
  // if the request said so. Changes no count. Throws Error: what `out` throws, kOutput if temporary
  // files cannot be written.
  virtual void write_certificate(ByteSink& out) = 0;

  // Saving and going on later, in another process (docs/checkpoint.md). A solver made of the same
  // request that loads what this one saved goes on exactly as this one would have: same verdict,
  // counts, moves and certificate. Limits, threads and backend may differ; a search that a limit
  // ended goes on if the new limits let it.
  //
  // May save() be called now? Never for minimax; not after a limit cut a batch short.
  virtual bool resumable() const = 0;
  // May be called between two steps; finishes the leaf in flight. Throws Error: kUsage (minimax),
  // what `out` throws, what step() throws.
  virtual void save(ByteSink& out) = 0;
  // Must come before the first step. Throws Error: kData (not a state of this search: every index,
  // move and bound is held against the rules), kUsage (the memory limit is too small). After an
  // error the solver must not be used.
  virtual void load(ByteSource& in) = 0;
  // Recomputes every node from its children and the rules. Must be called between two steps and not
  // within a leaf. Throws Error(kInternal) naming the first node that is wrong.
  virtual void self_check() const = 0;

  // Canonical names, with every parameter.
  virtual std::string game() const = 0;
  virtual std::string algorithm() const = 0;
  // The same with the options alone that have an effect on this search: read back it is the same
  // search. Not what stores and checkpoints call it.
  virtual std::string algorithm_in_effect() const { return algorithm(); }
  virtual std::string goal() const = 0;
  virtual std::string backend() const = 0;  // "none" for algorithms without playouts
  virtual std::string device() const = 0;
};

// Throws Error: kUsage (names, keys, ranges, a goal that the game lacks), kData (position),
// kUnavailable (backend).
std::unique_ptr<Solver> make_solver(const SolveRequest& request);

// Are two texts the same position of a game? Throws Error: kUsage (game), kData (position).
bool same_position(const std::string& game, const std::string& a, const std::string& b);

// All algorithms with their options.
const Catalogue& algorithm_catalogue();

// Does it take a table from search to search (SolveRequest::keeper)? Throws Error(kUsage).
bool keeps_table(const std::string& algorithm);

// What stores call the search of a canonical name: without the options at their neutral value
// (OptionInfo::neutral), so that a new default renames nothing. Throws Error(kUsage).
std::string stored_algorithm(const std::string& canonical);
// A name for SolveRequest from that of a store or of a checkpoint, also of one from before an
// option came: what it does not say is neutral. Throws Error(kUsage).
std::string algorithm_as_stored(const std::string& stored);

// Leaves at `depth` plies; a game finished before the horizon counts as one leaf, a pass is a ply
// (convention A of the Othello tables). `reference` uses the reference rules.
std::uint64_t perft(const std::string& game, const std::string& position, int depth,
                    bool reference = false);

// Exact value for the attacker of the position, and of each legal move (in ascending order of
// moves), by exhaustive search (host/solve/oracle.h): the oracle of tests and error curves. For
// `goal` of kind kThreshold only "reaches it or not" is decided.
struct OracleAnswer {
  bool complete = true;  // false: a limit came first, and nothing below may be used
  bool reached = false;  // the attacker reaches the threshold
  std::vector<std::pair<Move, bool>> moves;  // and through this move
};
struct OracleLimits {
  std::function<bool()> stop;    // asked now and then; true ends the search
  std::uint64_t max_memory = 0;  // bytes; 0: none
  // Large P-games on this accelerator; the clock is not looked at meanwhile.
  std::optional<int> device = {};
};
OracleAnswer oracle(const std::string& game, const std::string& position, const std::string& goal,
                    const OracleLimits& limits = {});

}  // namespace playproof
