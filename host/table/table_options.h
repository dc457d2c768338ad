// How much a table holds and what it gives up when it is full.
#pragma once

#include <cstdint>

namespace playproof {

// A position may stand in `probe` places.
//   probe = 4     what is replaced is what took the least work (Beal and Smith; survey S2 section
//                 5.1)
//   probe = 100   the same in a wide window (Seo 1998)
//   gc = R        at three quarters full, the share R of the entries goes, those with the least
//                 work: SmallTreeGC with a wide window, Nagai's hybrid (2002) with a narrow one
struct TableOptions {
  std::uint64_t bytes = std::uint64_t{1} << 28;
  std::uint32_t probe = 4;
  double gc = 0;        // R, below 1; 0: none
  bool locks = false;   // of places, and no check words, where threads share it
  bool beside = false;  // room for one more value of each position (host/table/position_table.h)
};

}  // namespace playproof
