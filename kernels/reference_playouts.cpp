#include "kernels/reference_playouts.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "games/reference_of.h"
#include "kernels/random_words.h"

namespace playproof {
namespace {

// One playout: lane `lane` of word `word` of the random words of `key`.
struct Place {
  RandomKey key;
  std::uint32_t word = 0;
  std::uint32_t lane = 0;

  // The bit of this lane in random word `index` of its word.
  std::uint32_t bit(std::size_t index) const {
    return (random_word(key, word, static_cast<std::uint32_t>(index)) >> lane) & 1;
  }
};

// How a playout ends, and the stones or discs laid until then.
struct Ending {
  Value value;
  std::size_t plies;
};

Ending playout(const RefPGame::Rules& rules, RefPGame::State s, const Place& place) {
  const auto branching = static_cast<std::uint32_t>(rules.branching);
  std::uint32_t planes = 0;  // the logarithm of the branching factor, rounded up
  while ((1u << planes) < branching) ++planes;
  std::uint32_t ply = 0;
  for (; !RefPGame::finished(rules, s); ++ply) {
    std::uint32_t branch = 0;
    if (1u << planes == branching) {
      for (std::uint32_t j = 0; j < planes; ++j) branch = 2 * branch + place.bit(ply * planes + j);
    } else {
      const std::uint64_t r = random_word(place.key, place.word, ply * kLanes + place.lane);
      branch = static_cast<std::uint32_t>((r * branching) >> 32);
    }
    RefPGame::play(rules, s, static_cast<Move>(branch));
  }
  return {RefPGame::value(rules, s), ply};
}

Ending playout(const RefHex::Rules& rules, RefHex::State s, const Place& place) {
  const bool black_moves = RefHex::to_move(rules, s) == Player::kFirst;
  const std::vector<Move> empty = RefHex::moves(rules, s);
  const auto m = static_cast<std::uint32_t>(empty.size());

  std::vector<bool> movers(m);  // cells that go to the side to move
  std::uint32_t count = 0;
  for (std::uint32_t e = 0; e < m; ++e) {
    movers[e] = place.bit(e) == 1;
    count += movers[e] ? 1 : 0;
  }
  const std::uint32_t wanted = (m + 1) / 2;
  const std::uint32_t group = kGroupFlag | (place.word / kHexGroupWords);
  for (std::uint32_t draw = 0; count != wanted; ++draw) {
    const std::uint32_t two = random_word(place.key, group, draw / 2);
    const std::uint32_t half = draw % 2 == 0 ? two & 0xffff : two >> 16;
    if (((half * m) & 0xffff) < 65536 % m) continue;
    const std::uint32_t e = (half * m) >> 16;
    if (count > wanted && movers[e]) {
      movers[e] = false;
      --count;
    } else if (count < wanted && !movers[e]) {
      movers[e] = true;
      ++count;
    }
  }
  for (std::uint32_t e = 0; e < m; ++e) s.cells[empty[e]] = movers[e] == black_moves ? 'B' : 'W';
  return {RefHex::value(rules, s), m};
}

Ending playout(const RefOthello::Rules& rules, RefOthello::State s, const Place& place) {
  constexpr std::uint32_t kBits = 24;
  std::size_t discs = 0;
  for (std::uint32_t ply = 0; !RefOthello::finished(rules, s); ++ply) {
    const std::vector<Move> moves = RefOthello::moves(rules, s);  // at least a pass
    std::uint64_t r = 0;
    for (std::uint32_t j = 0; j < kBits; ++j) r = 2 * r + place.bit(ply * kBits + j);
    const Move move = moves[(moves.size() * r) >> kBits];
    if (move != RefOthello::kPass) ++discs;
    RefOthello::play(rules, s, move);
  }
  return {static_cast<Value>(std::clamp<int>(RefOthello::value(rules, s), -1, 1)), discs};
}

// The common order of the empty cells.
std::vector<Move> connect_order(std::vector<Move> cells, const Place& place) {
  RandomWords random(place.key, kGroupFlag | (place.word / kConnectGroupWords));
  for (std::size_t i = 0; i + 1 < cells.size(); ++i) {
    const std::uint64_t choices = cells.size() - i;
    std::uint64_t product = random.next() * choices;
    while ((product & 0xffffffff) < (std::uint64_t{1} << 32) % choices) {
      product = random.next() * choices;
    }
    std::swap(cells[i], cells[i + (product >> 32)]);
  }
  return cells;
}

// Who places each of the next `count` stones: runs of the same player are turns.
std::vector<Player> connect_players(const RefConnect::Rules& rules, RefConnect::State s,
                                    const std::vector<Move>& order) {
  std::vector<Player> players;
  for (const Move cell : order) {
    players.push_back(RefConnect::to_move(rules, s));
    RefConnect::play(rules, s, cell);
  }
  return players;
}

Ending playout(const RefConnect::Rules& rules, RefConnect::State s, const Place& place) {
  std::vector<Move> order = connect_order(RefConnect::moves(rules, s), place);
  const std::vector<Player> players = connect_players(rules, s, order);
  std::size_t pair = 0;
  for (std::size_t block = 0; block < order.size();) {  // its first stone
    std::size_t second = block;                         // first stone of its second turn
    while (second < order.size() && players[second] == players[block]) ++second;
    std::size_t next = second;
    while (next < order.size() && players[next] == players[second]) ++next;
    for (std::size_t i = 0; block + i < second && second + i < next; ++i, ++pair) {
      if (place.bit(pair) == 1) std::swap(order[block + i], order[second + i]);
    }
    block = next;
  }
  std::size_t stones = 0;
  while (!RefConnect::finished(rules, s)) RefConnect::play(rules, s, order[stones++]);
  return {RefConnect::value(rules, s), stones};
}

// Calls visit(Ending) for every playout of a request.
template <class G, class Visit>
void for_each_playout(const typename G::Rules& rules, std::uint64_t seed,
                      const LeafRequest<G>& request, const Visit& visit) {
  using Reference = ReferenceOf<G>;
  const auto reference_rules = Reference::rules(rules);
  const auto leaf = Reference::state(rules, request.state);
  const bool finished = Reference::Type::finished(reference_rules, leaf);
  for (std::uint32_t n = 0; n < request.playouts; ++n) {
    const std::uint32_t i = request.first + n;
    const Place place = {{seed, request.stream}, i / kLanes, i % kLanes};
    visit(finished ? Ending{Reference::Type::value(reference_rules, leaf), 0}
                   : playout(reference_rules, leaf, place));
  }
}

}  // namespace

template <class G>
Tally reference_playouts(const typename G::Rules& rules, std::uint64_t seed,
                         const LeafRequest<G>& request) {
  Tally tally;
  for_each_playout<G>(rules, seed, request, [&](const Ending& ending) {
    ++(ending.value > 0 ? tally.wins : ending.value < 0 ? tally.losses : tally.draws);
  });
  return tally;
}

template <class G>
std::uint64_t reference_playout_plies(const typename G::Rules& rules, std::uint64_t seed,
                                      const LeafRequest<G>& request) {
  std::uint64_t plies = 0;
  for_each_playout<G>(rules, seed, request, [&](const Ending& ending) { plies += ending.plies; });
  return plies;
}

template Tally reference_playouts(const PGame::Rules&, std::uint64_t, const LeafRequest<PGame>&);
template Tally reference_playouts(const Hex<1>::Rules&, std::uint64_t, const LeafRequest<Hex<1>>&);
template Tally reference_playouts(const Hex<6>::Rules&, std::uint64_t, const LeafRequest<Hex<6>>&);
template Tally reference_playouts(const Othello::Rules&, std::uint64_t,
                                  const LeafRequest<Othello>&);
template Tally reference_playouts(const Connect<1>::Rules&, std::uint64_t,
                                  const LeafRequest<Connect<1>>&);
template Tally reference_playouts(const Connect<6>::Rules&, std::uint64_t,
                                  const LeafRequest<Connect<6>>&);

template std::uint64_t reference_playout_plies(const Othello::Rules&, std::uint64_t,
                                               const LeafRequest<Othello>&);
template std::uint64_t reference_playout_plies(const Connect<1>::Rules&, std::uint64_t,
                                               const LeafRequest<Connect<1>>&);
template std::uint64_t reference_playout_plies(const Connect<6>::Rules&, std::uint64_t,
                                               const LeafRequest<Connect<6>>&);

}  // namespace playproof
