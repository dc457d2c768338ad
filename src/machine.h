// What this machine is called and made of, for the record.
#pragma once

#include <cstdint>
#include <string>

namespace playproof {

std::string host_name();         // "unknown" if the system does not say
std::string cpu_model();         // idem
std::uint64_t machine_memory();  // bytes

}  // namespace playproof
