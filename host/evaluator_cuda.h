// The backend `cuda` for P-games.
#pragma once

#include <cstdint>
#include <memory>

#include "games/pgame.h"
#include "host/evaluator.h"

namespace playproof {

// On the first device. Throws Error(kUnavailable) if this build or this machine has none.
std::unique_ptr<PlayoutEvaluator<PGame>> make_cuda_pgame(const PGame::Rules& rules,
                                                         std::uint64_t seed);

}  // namespace playproof
