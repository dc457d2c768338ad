// What this machine is called and made of, for the record.
#pragma once

#include <cstdint>
#include <string>

namespace playproof {

std::string host_name();         // "unknown" if the system does not say
std::string cpu_model();         // idem
std::uint64_t machine_memory();  // bytes

// One thread a core of this machine.
int all_cores();

// "0.2.0+abcdef012345": version and git revision that this program was configured from.
std::string version_text();

}  // namespace playproof
