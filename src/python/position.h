// playproof.Position as the other parts of the module take it.
#pragma once

#include <memory>
#include <utility>

#include "host/solve/position.h"
#include "src/python/bindings.h"

namespace playproof::python {

class Position {
 public:
  explicit Position(std::unique_ptr<AnyPosition> position) : position_(std::move(position)) {}
  AnyPosition& get() { return *position_; }
  const AnyPosition& get() const { return *position_; }

 private:
  std::unique_ptr<AnyPosition> position_;
};

}  // namespace playproof::python
