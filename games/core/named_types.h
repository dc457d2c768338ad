// A list of types that are found by name: all games, all algorithms, all backends.
#pragma once

#include <cstddef>
#include <utility>

namespace playproof {

// Row i of the catalogue that is made of such a list belongs to type i: a name is looked up there,
// once, and what it found says the type.
template <class First, class... Rest>
struct NamedTypes {
  // Calls f.template operator()<T>() with type number `index`; every call must return the same
  // type.
  template <class F>
  static decltype(auto) visit(std::size_t index, F&& f) {
    if constexpr (sizeof...(Rest) > 0) {
      if (index > 0) return NamedTypes<Rest...>::visit(index - 1, std::forward<F>(f));
    }
    return std::forward<F>(f).template operator()<First>();
  }
  // The same with every type, in order.
  template <class F>
  static void for_each(F&& f) {
    f.template operator()<First>();
    (f.template operator()<Rest>(), ...);
  }
};

}  // namespace playproof
