// Searches of any engine that keeps a tree, driven without a solver and seen as the solver sees
// them.
#pragma once

#include <cstdint>

#include "host/tree/any_engine.h"
#include "trees.h"

namespace playproof {

// A search of any engine: checks of what is seen of it are compiled once a game.
template <Game G>
class Driven {
 public:
  Driven() = default;
  virtual ~Driven() = default;
  Driven(const Driven&) = delete;
  Driven& operator=(const Driven&) = delete;
  virtual void drive(std::uint64_t strokes, std::uint32_t batch, std::uint64_t seed = 1) = 0;
};
template <Game G, class Engine>
class DrivenEngine final : public Driven<G> {
 public:
  explicit DrivenEngine(const auto&... arguments) : engine_(arguments...) {}
  void drive(std::uint64_t strokes, std::uint32_t batch, std::uint64_t seed) override {
    playproof::drive<G>(engine_, strokes, batch, seed);
  }
  const Engine& engine() const { return engine_; }
  const AnyEngine<G>& seen() const { return sight_; }

 private:
  Engine engine_;
  SeenEngine<G, Engine> sight_{engine_};
};
// Calls f(driven, seen) with an engine made of these.
template <class G, class Engine>
void with_engine(auto&& f, const auto&... arguments) {
  DrivenEngine<G, Engine> driven(arguments...);
  f(static_cast<Driven<G>&>(driven), driven.seen());
}

}  // namespace playproof
