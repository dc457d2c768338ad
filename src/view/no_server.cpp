// This stands for server.cpp where libevent was not found.
#include "games/core/error.h"
#include "src/view/server.h"

namespace playproof {

void serve(const Document& /*document*/, std::uint16_t /*port*/,
           const std::function<void(const std::string& address)>& /*ready*/,
           const std::function<bool()>& /*stopped*/) {
  throw Error(
      ErrorCode::kUnavailable,
      "view: --serve needs libevent, and this program was built without it; --output writes "
      "a page");
}

}  // namespace playproof
