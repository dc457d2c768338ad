// States of searches behind their checksums: what a forger can write. An input says which search,
// how far it is, and which bytes of its state to change; so seeds do not grow old with the format.
//
//   search, iterations, changes of three bytes: place (two bytes, in 1/65536 of the state), bits
#include <memory>
#include <vector>

#include "host/solve/solver.h"
#include "tests/fuzz/target.h"
#include "tests/host/saved.h"

namespace playproof::fuzz {
namespace {

struct Search {
  const char* game;
  const char* position;
  const char* algorithm;
  const char* goal;
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
      {"hex:size=3", "", "ppn:playouts=3,fill=full,probe=connections", "win"}};
  return all;
}

SolveRequest request_of(const Search& search) {
  SolveRequest request;
  request.game = search.game;
  request.position = search.position;
  request.algorithm = search.algorithm;
  request.goal = search.goal;
  request.limits.max_nodes = 20000;
  return request;
}

Verdict finish(Solver& solver) {
  // The counters are what is saved, and may be as large as they like: so many steps are enough.
  for (int step = 0; step < 100 && solver.step(100) == StopReason::kRunning; ++step) {
  }
  return solver.result().verdict;
}

std::string changed_state(const Search& search, const std::uint8_t* data, std::size_t size) {
  const std::unique_ptr<Solver> solver = make_solver(request_of(search));
  solver->step(data[1]);
  std::string state = saved(*solver);
  for (std::size_t i = 2; i + 2 < size; i += 3) {
    const std::size_t place = (data[i] * 256u + data[i + 1]) * state.size() / 65536;
    state[place] = static_cast<char>(state[place] ^ data[i + 2]);
  }
  return state;
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  Search& search = searches()[data[0] % searches().size()];
  if (search.verdict == Verdict::kUnknown) {
    search.verdict = finish(*make_solver(request_of(search)));
    if (search.verdict == Verdict::kUnknown) broken("a search that is not decided");
  }
  const std::string state = changed_state(search, data, size);
  const bool whole = size < 5;
  const bool read = reads([&] {
    const std::unique_ptr<Solver> solver = resumed(request_of(search), state);
    const Verdict verdict = finish(*solver);
    if (verdict != Verdict::kUnknown && verdict != search.verdict) broken("another verdict");
    if (whole && verdict != search.verdict) broken("no verdict");
    solver->self_check();
  });
  if (whole && !read) broken("a state that was not changed is refused");
  return 0;
}

}  // namespace playproof::fuzz
