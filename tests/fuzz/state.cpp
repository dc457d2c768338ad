// States of searches behind their checksums: what a forger can write. An input says which search,
// how far it is, and which bytes of its state to change; so seeds do not grow old with the format.
//
//   search, iterations, changes of three bytes: place (two bytes, in 1/65536 of the state), bits
//   search, iterations, bits: a sweep, each byte of the state's tail by itself with these bits
//   changed
//
// Of a search with several batches out the iterations are a limit of nodes, which mostly cuts a
// batch.
#include <algorithm>
#include <memory>
#include <vector>

#include "host/solve/solver.h"
#include "tests/fuzz/target.h"
#include "tests/host/saved.h"
#include "tests/nightly.h"

namespace playproof::fuzz {
namespace {

struct Search {
  const char* game;
  const char* position;
  const char* algorithm;
  const char* goal;
  std::uint32_t batch = 1;
  std::uint32_t pipeline = 1;
  Verdict verdict = Verdict::kUnknown;  // the right one, once it is known
};
// Goals of one claim: of what is saved of earlier claims the verdict is believed.
std::vector<Search>& searches() {
  static std::vector<Search> all = {
      {"hex:size=3", "a1", "pn", "win"},
      {"othello:size=4", "-XXX-XXXOOXX-OX- X", "ppn:playouts=5", "draw"},
      {"connect6:rows=3,columns=3,connect=3,stones=1", "BB", "uct:playouts=2", "draw"},
      {"pgame:branching=3,depth=4,tree=2", "", "mcts:playouts=2", "win"},
      {"hex:size=3", "a1", "deeppn:zones=off", "win"},
      {"hex:size=3", "", "mcpn:playouts=3", "win"},
      {"pgame:branching=3,depth=4,tree=7", "", "pn:ties=path,stop=one", "draw"},
      {"othello:size=4", "-XXX-XXXOOXX-OX- X", "pn:leaf=mobility,order=random", "score>=1"},
      {"pgame:branching=3,depth=4,tree=7", "", "uct:playouts=2,reward=sign,A=0.5", "draw"},
      {"hex:size=3", "", "dfpn:leaf=unit,patterns=20", "win"},
      {"hex:size=3", "", "ppn:playouts=3,patterns=20", "win"},
      {"hex:size=3", "", "ppn:playouts=3,fill=full,probe=connections", "win"},
      {"hex:size=3", "", "ppn:playouts=2", "win", 1, 4},
      {"hex:size=3", "a1", "ppn:playouts=3,patterns=20,order=random", "win", 3, 2},
      {"pgame:branching=3,depth=4,tree=7", "", "pn:leaf=playouts,playouts=2,ties=path", "draw", 2,
       3},
      {"connect6:rows=3,columns=3,connect=3,stones=1", "BB", "mcpn:playouts=2", "draw", 3, 2},
      {"hex:size=3", "a1", "ews:playouts=2", "win", 2, 3},
      {"pgame:branching=3,depth=4,tree=2", "", "mcts:playouts=2", "win", 3, 2},
      {"hex:size=3", "", "uct:playouts=2", "win", 2, 4},
      {"hex:size=3", "a1", "pn", "win", 4, 2},
      {"hex:size=3", "", "ppn:playouts=2", "win", 5, 1}};
  return all;
}

SolveRequest request_of(const Search& search) {
  SolveRequest request;
  request.game = search.game;
  request.position = search.position;
  request.algorithm = search.algorithm;
  request.goal = search.goal;
  request.batch = search.batch;
  request.pipeline = search.pipeline;
  request.limits.max_nodes = 20000;
  return request;
}

Verdict verdict_of(Solver& solver) {
  // The counters are what is saved, and may be as large as they like: so many steps are enough.
  for (int step = 0; step < 100 && solver.step(100) == StopReason::kRunning; ++step) {
  }
  return solver.result().verdict;
}

// So far, `how_far` being the iterations or, with several batches out, the limit that cuts one.
std::string state_after(const Search& search, std::uint8_t how_far) {
  SolveRequest request = request_of(search);
  if (search.pipeline > 1) request.limits.max_nodes = std::max<std::uint64_t>(how_far, 1);
  const std::unique_ptr<Solver> solver = make_solver(request);
  if (search.pipeline == 1) {
    solver->step(how_far);
  } else {
    verdict_of(*solver);
  }
  return saved(*solver);
}

std::string changed_state(const Search& search, const std::uint8_t* data, std::size_t size) {
  std::string state = state_after(search, data[1]);
  for (std::size_t i = 2; i + 2 < size; i += 3) {
    const std::size_t place = (data[i] * 256u + data[i + 1]) * state.size() / 65536;
    state[place] = static_cast<char>(state[place] ^ data[i + 2]);
  }
  return state;
}

// False if it is refused. `whole`: it was not changed.
bool goes_on(const Search& search, const std::string& state, bool whole) {
  return reads([&] {
    const std::unique_ptr<Solver> solver = resumed(request_of(search), state);
    const Verdict verdict = verdict_of(*solver);
    if (verdict != Verdict::kUnknown && verdict != search.verdict) broken("another verdict");
    if (whole && verdict != search.verdict) broken("no verdict");
    solver->self_check();
  });
}

// The counters, and what stands beside the tree.
constexpr std::size_t kTail = 320;

// By day every eleventh byte, from another one for other bits.
void sweep(const Search& search, std::string state, std::uint8_t bits) {
  const std::size_t step = nightly() ? 1 : 11;
  const std::size_t first = state.size() - std::min(state.size(), kTail);
  for (std::size_t i = first + bits % step; i < state.size(); i += step) {
    const char byte = state[i];
    state[i] = static_cast<char>(byte ^ bits);
    goes_on(search, state, bits == 0);
    state[i] = byte;
  }
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  Search& search = searches()[data[0] % searches().size()];
  if (search.verdict == Verdict::kUnknown) {
    search.verdict = verdict_of(*make_solver(request_of(search)));
    if (search.verdict == Verdict::kUnknown) broken("a search that is not decided");
  }
  const std::string state = changed_state(search, data, size);
  if (size == 3) sweep(search, state, data[2]);
  const bool whole = size < 5;
  if (!goes_on(search, state, whole) && whole) broken("a state that was not changed is refused");
  return 0;
}

}  // namespace playproof::fuzz
