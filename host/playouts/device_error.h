// Errors of an accelerator, as the rest of the program has errors.
#pragma once

#include "kernels/device/device_info.h"

namespace playproof {

// Throws Error(kUnavailable) if there is one.
void throw_device_error(const DeviceError& error);

}  // namespace playproof
