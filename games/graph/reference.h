// The obvious rules of graphs (games/graph/rules.h says what they are), written apart from the fast
// ones: the oracle of the tests and of playproof-check. A node is known by its name.
#pragma once

#include <algorithm>
#include <fstream>
#include <map>
#include <numeric>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "games/core/game.h"
#include "games/core/reference_text.h"

namespace playproof {

struct RefGraph {
  static constexpr const char* kName = "graph";
  static constexpr std::string_view kFile = "graph:file=";
  struct Node {
    std::string kind;                // who moves, or what the game is worth
    std::vector<std::string> leads;  // none: the game ends
    bool operator==(const Node&) const = default;
  };
  struct Rules {
    std::map<std::string, Node, std::less<>> nodes;
    std::string rule = "infinite draw";
    std::string start;
    bool operator==(const Rules&) const = default;
  };
  struct State {
    std::string node;
    bool operator==(const State&) const = default;
  };

  // In a certificate a game is "graph", and all lines of the graph follow.
  static bool read_game(std::string_view text, std::vector<std::uint64_t>* /*values*/) {
    return text == kName || text.starts_with(kFile);
  }
  static std::string game_text(const std::vector<std::uint64_t>& /*values*/) { return kName; }
  static Rules make_rules(const std::vector<std::uint64_t>& /*values*/) { return {}; }

  // What repetition is worth if this player comes to a node again; is it the same for both?
  static Value repeated(const Rules& rules, Player mover) {
    if (!is_fair(rules)) return mover == Player::kFirst ? Value{-1} : Value{1};
    return static_cast<Value>((rules.rule == "infinite win") - (rules.rule == "infinite loss"));
  }
  static bool is_fair(const Rules& rules) { return rules.rule != "repeater loses"; }

  // The words of a line of a file; false if they are none.
  static bool add_line(Rules* rules, const RefWords& words) {
    if (words.size() < 2) return false;
    if (words[0] == "rule:") {
      rules->rule = std::string(words[1]) + ' ' + std::string(words.back());
      constexpr const char* kAll[] = {"infinite win", "infinite draw", "infinite loss",
                                      "second draw",  "third draw",    "repeater loses"};
      return words.size() == 3 && std::ranges::find(kAll, rules->rule) != std::end(kAll);
    }
    if (words[0] == "start:") {
      rules->start = words[1];
      return words.size() == 2;
    }
    if (rules->start.empty()) rules->start = words[0];
    if (words[0].size() > 64 || words[0].find_first_of("#:,=!") != words[0].npos) return false;
    Node node;
    node.kind = words[1];
    constexpr std::string_view kSame[][2] = {{"first", "or"}, {"second", "and"}, {"max", "or"},
                                             {"min", "and"},  {"true", "win"},   {"false", "loss"}};
    for (const auto& [word, same] : kSame) node.kind = node.kind == word ? same : node.kind;
    node.leads.assign(words.begin() + 2, words.end());
    const bool ends = make_number(&node.kind);
    return (ends || node.kind == "or" || node.kind == "and") && ends == node.leads.empty() &&
           node.leads.size() <= 256 && rules->nodes.emplace(words[0], node).second;
  }
  // Once all lines are there.
  static bool is_whole(const Rules& rules) {
    const auto is_there = [&](const std::string& name) { return rules.nodes.contains(name); };
    return is_there(rules.start) && std::ranges::all_of(rules.nodes, [&](const auto& node) {
             return std::ranges::all_of(node.second.leads, is_there);
           });
  }
  // Is this the game of that name? "graph" alone is figure 9 of the survey.
  static bool is_game(std::string_view name, const Rules& rules) {
    std::stringstream text(
        "rule: infinite loss\nA or B C\nB and E D\nC and F\nD loss\nE or H G\nF or H\nG win\n"
        "H and E");
    if (name != kName) text.str("");
    if (name != kName) text << std::ifstream(std::string(name.substr(kFile.size()))).rdbuf();
    Rules read;
    for (std::string line; std::getline(text, line);) {
      const RefWords words = ref_split(std::string_view{line}.substr(0, line.find('#')), " \t\r");
      if (!words.empty() && !add_line(&read, words)) return false;
    }
    return is_whole(read) && read == rules;
  }

  static State initial(const Rules& rules) { return {rules.start}; }
  static bool finished(const Rules& rules, const State& s) { return at(rules, s).leads.empty(); }
  static Value value(const Rules& rules, const State& s) {
    return static_cast<Value>(finished(rules, s) ? std::stoi(at(rules, s).kind) : 0);
  }
  static int greatest_value(const Rules& rules) {
    int most = 1;
    for (const auto& [name, node] : rules.nodes)
      most = std::max(most, std::abs(value(rules, {name})));
    return most;
  }
  static Player to_move(const Rules& rules, const State& s) {
    return at(rules, s).kind == "and" ? Player::kSecond : Player::kFirst;
  }
  static std::vector<Move> moves(const Rules& rules, const State& s) {
    std::vector<Move> list(at(rules, s).leads.size());
    std::iota(list.begin(), list.end(), Move{0});
    return list;
  }
  static void play(const Rules& rules, State& s, Move move) {
    s.node = std::string(at(rules, s).leads[move]);
  }

  static Move move_named(const Rules&, std::string_view word) {
    std::uint64_t number = 0;
    return ref_number(word, 256, &number) && number > 0 ? static_cast<Move>(number - 1) : kNoMove;
  }
  static bool read_board(const Rules& rules, std::string_view word, State* s) {
    s->node = word;
    return rules.nodes.contains(s->node);
  }
  static std::string packed(const State& s) { return s.node; }
  static bool read_position(const Rules& rules, const RefWords& words, State* s) {
    return read_board(rules, words.empty() ? rules.start : words[0], s) && words.size() < 2;
  }

 private:
  static const Node& at(const Rules& rules, const State& s) {
    return rules.nodes.find(s.node)->second;
  }
  static bool make_number(std::string* value) {
    const std::string_view kind = *value;
    std::uint64_t size = kind == "draw" ? 0 : 1;
    const bool minus = kind == "loss" || kind.starts_with('-');
    const bool word = kind == "win" || kind == "draw" || kind == "loss";
    if (!word && !ref_number(kind.substr(minus ? 1 : 0), 64, &size)) return false;
    *value = std::to_string(minus ? -static_cast<int>(size) : static_cast<int>(size));
    return true;
  }
};

}  // namespace playproof
