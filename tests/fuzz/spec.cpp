// Names with options: games, algorithms, backends. What is accepted has a canonical text that is
// accepted too and names the same.
#include "games/core/spec.h"
#include "games/list.h"
#include "host/playouts/evaluator.h"
#include "host/solve/solver.h"
#include "tests/fuzz/target.h"

namespace playproof::fuzz {
namespace {

void read(const Catalogue& catalogue, const std::string& text) {
  const Spec spec = parse_spec(text);
  const std::string canonical = Options(catalogue.find(spec.name), spec).canonical();
  const Spec again = parse_spec(canonical);
  if (Options(catalogue.find(again.name), again).canonical() != canonical) {
    broken("the canonical text is read as another: " + canonical);
  }
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text = text_of(data, size);
  for (const Catalogue* catalogue :
       {&game_catalogue(), &algorithm_catalogue(), &backend_catalogue()}) {
    reads([&] { read(*catalogue, text); });
  }
  reads([&] {
    visit_game(text, []<class G>(const typename G::Rules& rules) {
      const std::string name = GameText<G>::canonical(rules);
      visit_game(name, [&]<class H>(const typename H::Rules& again) {
        if (GameText<H>::canonical(again) != name) broken("another game: " + name);
      });
    });
  });
  return 0;
}

}  // namespace playproof::fuzz
