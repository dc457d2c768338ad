#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "kernels/connect/engines.h"

namespace playproof {

namespace {

// The common order of the empty cells.
std::vector<Move> connect_order(std::vector<Move> cells, PlayoutPlace place) {
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

}  // namespace

template <>
GameEnd reference_playout<RefConnect>(const RefConnect::Rules& rules, RefConnect::State s,
                                      PlayoutPlace place) {
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

}  // namespace playproof
