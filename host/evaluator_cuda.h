// The backend `cuda`.
#pragma once

#include <cstdint>
#include <memory>

#include "host/evaluator.h"

namespace playproof {

// On the first device. Throws Error(kUnavailable) if this build or this machine has none. Defined
// for PGame, Hex, Othello and Connect, of 1 and 6 words.
template <class G>
std::unique_ptr<PlayoutEvaluator<G>> make_cuda_evaluator(const typename G::Rules& rules,
                                                         std::uint64_t seed);

}  // namespace playproof
