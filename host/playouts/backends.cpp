#include "host/playouts/backends.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "games/core/error.h"

namespace playproof {
namespace {

const std::vector<BackendInfo>& backend_infos() {
  static const std::vector<BackendInfo> infos = [] {
    std::vector<BackendInfo> all;
    AllBackends::for_each([&]<class B>() { all.push_back(B::info()); });
    std::vector<std::string> engines;
    for (const BackendInfo& info : all) {
      if (info.engine) engines.push_back(info.entry.name);
    }
    for (BackendInfo& info : all) {
      for (OptionInfo& option : info.entry.options) {
        if (option.type == OptionType::kWord && option.words.empty()) option.words = engines;
      }
    }
    return all;
  }();
  return infos;
}

Catalogue make_catalogue(const char* what, bool (*wanted)(const BackendInfo&)) {
  Catalogue catalogue{what, {}};
  for (const BackendInfo& info : backend_infos()) {
    if (wanted(info)) catalogue.entries.push_back(info.entry);
  }
  return catalogue;
}

const BackendInfo* find_info(std::string_view name) {
  for (const BackendInfo& info : backend_infos()) {
    if (info.entry.name == name) return &info;
  }
  return nullptr;
}

// What a wrapper names as `of`, which may be another one:
// "check:of=latency:of=fake,against=cpu,every=50"; "" if it names none.
std::string_view wrapped(std::string_view backend) {
  constexpr std::string_view kInner = "of=";
  for (std::size_t before = backend.find(':'); before != std::string_view::npos;
       before = backend.find(',')) {
    backend.remove_prefix(before + 1);
    if (!backend.starts_with(kInner)) continue;
    backend.remove_prefix(kInner.size());
    return backend.substr(0, backend.find(','));
  }
  return "";
}

std::string text(const Tally& tally) {
  return std::to_string(tally.wins) + " wins, " + std::to_string(tally.draws) + " draws, " +
         std::to_string(tally.losses) + " losses, " + std::to_string(tally.truncated) +
         " truncated";
}

}  // namespace

void check_request(std::uint32_t first, std::uint32_t playouts) {
  constexpr std::uint64_t kEnd = std::uint64_t{1} << 32;
  if (first % kLanes != 0) {
    throw Error(ErrorCode::kInternal,
                "evaluator: first must be a multiple of 32, not " + std::to_string(first));
  }
  if (std::uint64_t{first} + playouts > kEnd) {
    throw Error(ErrorCode::kInternal, "evaluator: a position has 2^32 playouts: first " +
                                          std::to_string(first) + " and " +
                                          std::to_string(playouts) + " more are too many");
  }
}

void check_collect(bool known, std::size_t requests, std::size_t tallies) {
  if (!known) throw Error(ErrorCode::kInternal, "evaluator: this batch is not in flight");
  if (requests != tallies) {
    throw Error(ErrorCode::kInternal, "evaluator: the batch has " + std::to_string(requests) +
                                          " requests, not " + std::to_string(tallies));
  }
}

void throw_difference(const std::string& of, const std::string& against,
                      const TallyDifference& difference) {
  throw Error(ErrorCode::kInternal,
              "check: request " + std::to_string(difference.request) + " of a batch (stream " +
                  std::to_string(difference.stream) + ", " + std::to_string(difference.playouts) +
                  " playouts from " + std::to_string(difference.first) + "): " + of + " says " +
                  text(difference.of) + "; " + against + " says " + text(difference.against));
}

OptionInfo engine_option(const std::string& name, const std::string& otherwise,
                         const std::string& help) {
  return {name, OptionType::kWord, otherwise, 0, 0, {}, help};
}

// The level with this name, the machine's best for "auto".
SimdLevel simd_level(const std::string& name) {
  if (name == "auto") return best_simd_level();
  for (const SimdLevel level : simd_levels()) {
    if (name == to_string(level)) return level;
  }
  throw Error(ErrorCode::kUnavailable,
              "backend cpu:simd=" + name + ": this machine has no such instructions");
}

void throw_device_error(const DeviceError& error) {
  if (!error) return;
  std::string text = error.text;
  if (error.code > 0)
    text += " (" + std::string(error.call) + ", " + std::to_string(error.code) + ")";
  if (error.absent && cuda_built()) text = "no CUDA device on this machine: " + text;
  throw Error(ErrorCode::kUnavailable, "backend cuda: " + text);
}

const Catalogue& backend_catalogue() {
  static const Catalogue catalogue =
      make_catalogue("backend", [](const BackendInfo&) { return true; });
  return catalogue;
}

const Catalogue& engine_catalogue() {
  static const Catalogue catalogue =
      make_catalogue("engine", [](const BackendInfo& info) { return info.engine && info.plays; });
  return catalogue;
}

std::string engine_backend(const std::string& engine) {
  const std::string& name = engine_catalogue().find(engine).name;
  const BackendInfo* info = find_info(name);
  return info->stands_for.empty() ? name : info->stands_for;
}

std::optional<int> named_device(const std::string& backend) {
  const BackendInfo* info = find_info(backend.substr(0, backend.find(':')));
  if (info == nullptr || !info->on_device) return std::nullopt;
  return static_cast<int>(Options(info->entry, parse_spec(backend)).integer("device"));
}

bool wants_many_searches(std::string_view backend) {
  const BackendInfo* info = find_info(backend.substr(0, backend.find(':')));
  if (info == nullptr || info->engine || info->many_searches) {
    return info != nullptr && info->many_searches;
  }
  return wants_many_searches(wrapped(backend));
}

std::string own_tallies(std::string_view backend) {
  const BackendInfo* info = find_info(backend.substr(0, backend.find(':')));
  if (info == nullptr || info->engine) return info == nullptr ? "" : info->own_tallies;
  return own_tallies(wrapped(backend));
}

}  // namespace playproof
