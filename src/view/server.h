// A document served to browsers of this machine alone.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "src/view/document.h"

namespace playproof {

// Serves the page as /SECRET/ and nodes as /SECRET/node/NUMBER on 127.0.0.1 and, where there is
// one,
// ::1, until `stopped` says so. To GET and HEAD alone, and only to who asks for localhost,
// 127.0.0.1 or [::1]. `port` 0: one that is free. `ready` is told the address, with the secret, 128
// random bits. Throws Error(kUnavailable) if the port cannot be had, or if the program was built
// without libevent.
void serve(const Document& document, std::uint16_t port,
           const std::function<void(const std::string& address)>& ready,
           const std::function<bool()>& stopped);

}  // namespace playproof
