// playproof devices: what this machine can run playouts on.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "kernels/common/simd.h"
#include "kernels/device/device_info.h"
#include "src/commands/command_options.h"
#include "src/commands/commands.h"
#include "src/commands/listing.h"
#include "src/io/json.h"
#include "src/io/machine.h"
#include "src/io/output.h"

namespace playproof {
namespace {

Json cpu_json() {
  Json levels = Json::array();
  for (const SimdLevel level : simd_levels()) levels.push_back(to_string(level));
  return {{"kind", "cpu"}, {"name", "cpu"}, {"cores", all_cores()}, {"simd", levels}};
}

Json device_json(const DeviceInfo& device) {
  return {{"kind", "cuda"},
          {"ordinal", device.ordinal},
          {"name", device.name},
          {"compute_capability", fmt::format("{}.{}", device.major, device.minor)},
          {"multiprocessors", device.multiprocessors},
          {"clock_mhz", device.clock_khz / 1000},
          {"memory_bytes", device.memory_bytes}};
}

std::string devices_text(const std::vector<DeviceInfo>& devices) {
  std::string text = fmt::format("cpu     {} cores, vector instructions: {}\n", all_cores(),
                                 to_string(simd_levels().back()));
  for (const DeviceInfo& device : devices) {
    text += fmt::format("cuda:{}  {}, compute capability {}.{}, {} multiprocessors, {} MiB\n",
                        device.ordinal, device.name, device.major, device.minor,
                        device.multiprocessors, device.memory_bytes >> 20);
  }
  if (devices.empty()) {
    text += cuda_built() ? "cuda    no device found\n" : "cuda    not in this build\n";
  }
  return text;
}

int devices_main(bool json) {
  const std::vector<DeviceInfo> devices = list_devices();
  if (!json) {
    write_stdout(devices_text(devices));
    return 0;
  }
  Json list = Json::array({cpu_json()});
  for (const DeviceInfo& device : devices) list.push_back(device_json(device));
  print_json(list);
  return 0;
}

}  // namespace

void add_devices_command(CLI::App& app, Action& chosen) {
  auto json = std::make_shared<bool>(false);
  CLI::App& command = add_command(app, "devices", "Processor and accelerators of this machine.");
  add_json_flag(command, json.get());
  when_read(command, [json, &chosen] { chosen = [json] { return devices_main(*json); }; });
}

}  // namespace playproof
