// playproof.Position: rules, text and picture of any game.
#include <nanobind/operators.h>

#include <memory>
#include <string>
#include <utility>

#include "games/core/error.h"
#include "host/solve/position.h"
#include "src/python/position.h"

namespace playproof::python {
namespace {

constexpr const char* kPosition =
    "A position of a game, with the moves that led to it. Equal positions have equal hashes: "
    "where\n"
    "one is a key of a dict, play on its copy().\n"
    "\n"
    "Games and positions are written as on the command line: Position('hex:size=5', 'b2 c3'),\n"
    "Position('othello'). Raises UsageError (a ValueError) for a game that there is not,\n"
    "DataError (a ValueError) for a text that is no position, with the place.";

constexpr std::uint64_t kMostWidth = 10'000;

const char* player_name(Player player) { return player == Player::kFirst ? "first" : "second"; }

using PositionClass = nb::class_<Position>;

void define_copies(PositionClass& of) {
  of.def(
        "copy", [](const Position& self) { return Position(self.get().copy()); },
        "The same position, which goes its own way.")
      .def("__copy__", [](const Position& self) { return Position(self.get().copy()); })
      .def(
          "__deepcopy__",
          [](const Position& self, const nb::handle&) { return Position(self.get().copy()); },
          nb::arg("memo"))
      .def("__reduce__", [](nb::handle self) {
        const auto& position = nb::cast<const Position&>(self).get();
        return nb::make_tuple(self.type(), nb::make_tuple(position.game(), position.text()));
      });
}

void define_rules(PositionClass& of) {
  of.def_prop_ro(
        "game", [](const Position& self) { return self.get().game(); },
        "The game with every option that matters, e.g. 'hex:size=5'.")
      .def_prop_ro(
          "text", [](const Position& self) { return self.get().text(); },
          "The position as the command line reads it; of a P-game the branch numbers\n"
          "from the root. Games that forget the order of moves write them in order.")
      .def_prop_ro(
          "to_move", [](const Position& self) { return player_name(self.get().to_move()); },
          "'first' (Black, X, MAX) or 'second'; of a finished position whose turn it\n"
          "would be.")
      .def_prop_ro(
          "moves", [](const Position& self) { return self.get().moves(); },
          "The legal moves as texts; none if the game is over.")
      .def_prop_ro(
          "played", [](const Position& self) { return self.get().played(); },
          "The moves played since the position was made of its text.")
      .def_prop_ro(
          "finished", [](const Position& self) { return self.get().finished(); },
          "Is the game over?")
      .def_prop_ro(
          "value",
          [](const Position& self) -> std::optional<int> {
            if (!self.get().finished()) return std::nullopt;
            return self.get().value();
          },
          "The result for the first player: 1, 0 or -1, in Othello the difference of discs,\n"
          "empty squares going to the winner; None while the game is not over.")
      .def_prop_ro(
          "max_plies_left", [](const Position& self) { return self.get().max_plies_left(); },
          "No game from here lasts longer than this many plies; None where positions can come "
          "again.")
      .def_prop_ro(
          "key", [](const Position& self) { return self.get().key(); },
          "64 bits that name the stream of its playouts; equal positions have equal keys.");
}

}  // namespace

void define_position(nb::module_& module) {
  PositionClass of(module, "Position", kPosition);
  define_copies(of);
  define_rules(of);
  of.def(
        "__init__",
        [](Position* self, const std::string& game, const std::string& text) {
          new (self) Position(make_position(game, text));
        },
        nb::arg("game"), nb::arg("text") = "")
      .def(
          "play", [](Position& self, const std::string& move) { self.get().play(move); },
          nb::arg("move"), "Plays a move. Raises DataError (a ValueError) if it is not legal.")
      .def(
          "undo", [](Position& self) { self.get().undo(); },
          "Takes the last move back. Raises UsageError (a ValueError) if there is none.")
      .def(
          "svg",
          [](const Position& self, const std::optional<std::string>& best, std::uint64_t width) {
            check_range("width", width, 1, kMostWidth);
            return self.get().svg(best.value_or(""), static_cast<int>(width));
          },
          nb::arg("best") = nb::none(), nb::arg("width") = 360,
          "The board as SVG, `width` pixels wide: a ring marks the last move, a blue disc `best`.")
      .def("_repr_svg_", [](const Position& self) { return self.get().svg("", 360); })
      .def("__eq__",
           [](const Position& self, const nb::object& other) {
             return nb::isinstance<Position>(other) &&
                    self.get().same(nb::cast<const Position&>(other).get());
           })
      .def("__hash__",
           [](const Position& self) { return static_cast<Py_hash_t>(self.get().key() >> 1); })
      .def("__str__", [](const Position& self) { return self.get().text(); })
      .def("__repr__", [](const Position& self) {
        return "Position('" + self.get().game() + "', '" + self.get().text() + "')";
      });
}

}  // namespace playproof::python
