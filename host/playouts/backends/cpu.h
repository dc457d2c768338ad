// `cpu`, or `sliced`: hundreds of playouts at a time. `auto` is `cpu`.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <utility>

#include "host/playouts/backend.h"
#include "host/playouts/function.h"
#include "kernels/common/simd.h"
#include "kernels/list.h"

namespace playproof {

// The level with this name, the machine's best for "auto". Throws Error(kUnavailable).
SimdLevel simd_level(const std::string& name);

struct CpuBackend {
  static BackendInfo info() {
    OptionInfo simd{"simd",
                    OptionType::kWord,
                    "auto",
                    0,
                    0,
                    {"auto", "baseline", "avx2", "avx512"},
                    "vector instructions; they change no count"};
    return {
        {"cpu", "hundreds of playouts at a time, on the threads it is given", {simd}, {"sliced"}}};
  }
  template <Game G>
  static std::unique_ptr<PlayoutEvaluator<G>> make(const BackendParts<G>& parts) {
    const std::string& simd = parts.options.word("simd");
    const SimdLevel level = simd_level(simd);
    const auto engine = [level](const typename G::Rules& rules,
                                std::span<const LeafRequest<G>> requests, Tally* tallies) {
      play_on_cpu<G>(level, rules, requests, tallies);
    };
    PlayoutFunction<G> function{simd == "auto" ? "cpu" : "cpu:simd=" + simd, engine,
                                kPlyCost<G>.cpu};
    function.simd = to_string(level);
    return make_function_evaluator(parts, std::move(function));
  }
};

struct AutoBackend {
  static BackendInfo info() {
    BackendInfo info{{"auto", "the best backend that is the same everywhere: cpu", {}}};
    info.stands_for = "cpu";
    return info;
  }
  template <Game G>
  static std::unique_ptr<PlayoutEvaluator<G>> make(const BackendParts<G>& parts) {
    return parts.make("cpu");
  }
};

}  // namespace playproof
