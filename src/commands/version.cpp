// playproof version: what this program was built from and what it can use here.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "games/core/error.h"
#include "games/pgame/rules.h"
#include "host/playouts/evaluator.h"
#include "src/commands/command_options.h"
#include "src/commands/commands.h"
#include "src/commands/listing.h"
#include "src/io/build_info.h"
#include "src/io/json.h"
#include "src/io/machine.h"
#include "src/io/output.h"

namespace playproof {
namespace {

struct Backend {
  std::string name;
  std::string summary;
  std::string missing;  // why it cannot be used here; empty: it can
};

// A backend is usable if one can be made: the list cannot differ from what a solve would meet.
Backend probe(const CatalogueEntry& entry) {
  Backend backend{entry.name, entry.summary, ""};
  try {
    make_evaluator<PGame>(PGame::Rules{}, entry.name, 1);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kUnavailable) throw;
    backend.missing = error.what();
  }
  return backend;
}

Json version_json(const std::vector<Backend>& backends) {
  Json list = Json::array();
  for (const Backend& backend : backends) {
    list.push_back({{"name", backend.name},
                    {"summary", backend.summary},
                    {"usable", backend.missing.empty()},
                    {"missing", backend.missing.empty() ? Json() : Json(backend.missing)}});
  }
  return {{"version", version_text()},
          {"release", kVersion},
          {"git_revision", kGitRevision},
          {"compiler", kCompiler},
          {"build_type", kBuildType},
          {"cuda", kCuda},
          {"cuda_architectures", kCudaArchitectures},
          {"backends", list}};
}

std::string version_for_people(const std::vector<Backend>& backends) {
  std::string text = fmt::format("playproof {} (git {})\ncompiler  {}, {}\n", kVersion,
                                 kGitRevision, kCompiler, kBuildType);
  text +=
      fmt::format("CUDA      {}\n", kCuda ? fmt::format("yes, for {}", kCudaArchitectures) : "no");
  for (const Backend& backend : backends) {
    text +=
        fmt::format("backend   {:<10} {}\n", backend.name,
                    backend.missing.empty() ? backend.summary : "not usable: " + backend.missing);
  }
  return text;
}

int version_main(bool json) {
  std::vector<Backend> backends;
  for (const CatalogueEntry& entry : backend_catalogue().entries) backends.push_back(probe(entry));
  if (json) {
    print_json(version_json(backends));
  } else {
    write_stdout(version_for_people(backends));
  }
  return 0;
}

}  // namespace

void add_version_command(CLI::App& app, Action& chosen) {
  auto json = std::make_shared<bool>(false);
  CLI::App& command =
      add_command(app, "version", "Revision, compiler, CUDA, and the backends usable here.");
  add_json_flag(command, json.get());
  when_read(command, [json, &chosen] { chosen = [json] { return version_main(*json); }; });
}

}  // namespace playproof
