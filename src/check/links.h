// The rules of proof for links (docs/certificate.md, "Links"): two points, cells or edges, that the
// prover joins within a pattern, and the cards that follow. Beside what cards need of a game's
// reference rules they need to know which points touch.
#pragma once

#include <concepts>
#include <string>
#include <string_view>
#include <vector>

#include "games/core/reference_text.h"
#include "src/check/cards.h"
#include "src/check/live_nodes.h"
#include "src/check/reader.h"

namespace playproof::check {

template <class R>
concept HasLinks = HasCards<R> && requires(const typename R::Rules& rules) {
  { R::touch(rules, R::letter(Player::kFirst), 0, 1) } -> std::same_as<bool>;
};

// Games without links.
template <class R>
class Links {
 public:
  Links(const typename R::Rules&, const Cards<R>&, const LiveNodes&) {}
  NodeText check(std::string_view, const RefWords&) const { reject("this game has no links"); }
};

template <HasLinks R>
class Links<R> {
 public:
  using State = typename R::State;
  using Rules = typename R::Rules;

  // `live`: the nodes that may be cited.
  Links(const Rules& rules, const Cards<R>& cards, const LiveNodes& live)
      : rules_(rules), cards_(cards), live_(live) {}

  // The link, or the card, of a line of three words or more, which must be good.
  NodeText check(std::string_view kind, const RefWords& words) const {
    const State pattern = cards_.pattern(words[2]);
    NodeText node{ref_packed(pattern.cells, '.', '-'), NodeKind::kCard};
    if (kind == "card-link") {
      check_card(pattern, words);
      return node;
    }
    expect(words.size() > 5);
    State stones = pattern;  // what the prover has where the link is used: his ends too
    for (const std::string_view word : {words[3], words[4]}) {
      const std::size_t end = point(word);
      put(stones, end);
      node.first += {static_cast<char>(end % 256), static_cast<char>(end / 256)};
    }
    if (kind == "link-and") {
      node.second = check_and(pattern, stones, words);
    } else if (kind == "link-or") {
      check_or(stones, words);
      node.second = NodeKind::kLink;
    } else {
      unreadable("unknown kind of line: " + shown(kind));
    }
    return node;
  }

 private:
  // The number of each point's group: stones of the prover and his edges that touch. 0 for a point
  // that is not his.
  using Groups = std::vector<int>;
  Groups groups_of(const State& stones) const {
    const int cells = static_cast<int>(stones.cells.size());
    Groups group(stones.cells.size() + 2, 0);
    std::vector<int> own = {cells, cells + 1};  // the edges
    for (int cell = 0; cell < cells; ++cell) {
      if (stones.cells[static_cast<std::size_t>(cell)] == cards_.own()) own.push_back(cell);
    }
    for (const int first : own) {
      std::vector<int> waiting = {first};
      while (!waiting.empty()) {
        const int from = waiting.back();
        waiting.pop_back();
        if (group[static_cast<std::size_t>(from)] != 0) continue;
        group[static_cast<std::size_t>(from)] = first + 1;
        for (const int to : own) {
          const bool known = group[static_cast<std::size_t>(to)] != 0;
          if (!known && R::touch(rules_, cards_.own(), from, to)) waiting.push_back(to);
        }
      }
    }
    return group;
  }
  std::size_t point(std::string_view word) const {
    const int point = R::point_named(rules_, cards_.own(), word);
    if (point < 0) reject("an end must be a cell or an edge of the prover's, not " + shown(word));
    return static_cast<std::size_t>(point);
  }
  void put(State& stones, std::size_t point) const {
    if (point < stones.cells.size()) stones.cells[point] = cards_.own();
  }

  // With a stone on the cell each end is joined to it by a half of its own: by stones, or by a link
  // that is good whoever moves. The opponent hurts one of them at a time. If the stone is not
  // there, the prover moves, and puts it there.
  NodeKind check_and(const State& pattern, State stones, const RefWords& words) const {
    expect(words.size() == 8);
    const Move cell = R::move_named(rules_, words[5]);
    if (cell == kNoMove || pattern.cells[cell] == '.') {
      reject("the cell must be in the pattern, not " + shown(words[5]));
    }
    put(stones, cell);
    const Groups group = groups_of(stones);
    const std::vector<bool> first = half(stones, group, words[3], words[5], words[6]);
    const std::vector<bool> second = half(stones, group, words[5], words[4], words[7]);
    for (std::size_t i = 0; i < first.size(); ++i) {
      if (first[i] && second[i] && stones.cells[i] != cards_.own()) {
        reject("both halves need cell " + std::to_string(i + 1));
      }
    }
    return pattern.cells[cell] == '-' ? NodeKind::kProversLink : NodeKind::kLink;
  }
  // The free cells of the link that joins the two points; none if stones do.
  std::vector<bool> half(const State& stones, const Groups& group, std::string_view from,
                         std::string_view to, std::string_view id) const {
    std::vector<bool> carrier(stones.cells.size(), false);
    if (id != "-") {
      const LiveNode link = cited(stones, group, point(from), point(to), id);
      expect_whoever_moves(link, id);
      for (std::size_t i = 0; i < carrier.size(); ++i) {
        carrier[i] = Cards<R>::at(link, i) == Cards<R>::kFree;
      }
    } else if (group[point(from)] != group[point(to)]) {
      reject("no stones join " + std::string(from) + " and " + std::string(to));
    }
    return carrier;
  }
  // A cell that the opponent may take is not one that all of the links need; one that does not is
  // as good as before, and the prover moves.
  void check_or(const State& stones, const RefWords& words) const {
    const Groups group = groups_of(stones);
    std::vector<bool> in_all(stones.cells.size(), true);
    for (std::size_t k = 5; k < words.size(); ++k) {
      const LiveNode link = cited(stones, group, point(words[3]), point(words[4]), words[k]);
      for (std::size_t i = 0; i < in_all.size(); ++i) {
        in_all[i] = in_all[i] && Cards<R>::at(link, i) >= Cards<R>::kFree;
      }
    }
    for (std::size_t i = 0; i < in_all.size(); ++i) {
      if (in_all[i] && stones.cells[i] != cards_.own()) {
        reject("all links need cell " + std::to_string(i + 1));
      }
    }
  }
  // Who joins his edges has won.
  void check_card(const State& pattern, const RefWords& words) const {
    expect(words.size() == 4);
    const std::size_t edge = pattern.cells.size();
    expect_whoever_moves(cited(pattern, groups_of(pattern), edge, edge + 1, words[3]), words[3]);
  }

  static void expect_whoever_moves(const LiveNode& link, std::string_view id) {
    if (link.kind == NodeKind::kLink) return;
    reject("link " + std::string(id) + " is good only with the prover to move");
  }
  // A link that this pattern is a case of, and whose ends are in the groups of these two points.
  LiveNode cited(const State& stones, const Groups& group, std::size_t from, std::size_t to,
                 std::string_view id) const {
    const LiveNode link = live_.find(id);
    const std::string name = "link " + std::string(id);
    if (!link.is_link()) reject("node " + std::string(id) + " is no link");
    cards_.expect_covered(stones, link, name);
    const int a = group[end_of(link, 4)];
    const int b = group[end_of(link, 2)];
    if ((a != group[from] || b != group[to]) && (a != group[to] || b != group[from])) {
      reject(name + " has other ends");
    }
    return link;
  }
  // The end is written as the last bytes of the text, so many before its own.
  static std::size_t end_of(const LiveNode& link, std::size_t from_back) {
    const std::string_view bytes = link.position.substr(link.position.size() - from_back);
    return static_cast<unsigned char>(bytes[0]) + 256u * static_cast<unsigned char>(bytes[1]);
  }

  const Rules& rules_;
  const Cards<R>& cards_;
  const LiveNodes& live_;
};

}  // namespace playproof::check
