// Positions of every game: "GAME\nPOSITION". What is read is written and read again, and the
// reference rules agree that the game is over.
#include "games/list.h"
#include "tests/fuzz/target.h"

namespace playproof::fuzz {
namespace {

template <class G>
void check(const typename G::Rules& rules, const typename G::State& state) {
  using Reference = ReferenceOf<G>;
  using R = typename Reference::Type;
  const bool over = R::finished(Reference::rules(rules), Reference::state(rules, state));
  if (over != G::finished(rules, state)) broken("the rules disagree about the end of the game");
  if constexpr (!std::is_same_v<G, PGame>) {
    const std::string text = GameText<G>::format(rules, state);
    if (!(GameText<G>::parse(rules, text) == state)) broken("it is read back as another: " + text);
  }
}

void read(const std::string& input) {
  const std::size_t end = std::min(input.find('\n'), input.size());
  const std::string position = input.substr(std::min(end + 1, input.size()));
  visit_game(input.substr(0, end), [&]<class G>(const typename G::Rules& rules) {
    typename G::State state;
    if (reads([&] { state = GameText<G>::parse(rules, position); })) check<G>(rules, state);
  });
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  reads([&] { read(text_of(data, size)); });
  return 0;
}

}  // namespace playproof::fuzz
