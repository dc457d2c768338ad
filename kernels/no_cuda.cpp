// Stands in for the .cu files in builds without CUDA.
#include <memory>

#include "games/connect/rules.h"
#include "games/hex/rules.h"
#include "games/nim/rules.h"
#include "games/othello/rules.h"
#include "games/pgame/rules.h"
#include "kernels/device/device_info.h"
#include "kernels/device/playout_device.h"
#include "kernels/pgame/values.h"
#include "kernels/schemes/deep_pn.h"
#include "kernels/schemes/ews.h"
#include "kernels/schemes/mcpn.h"
#include "kernels/schemes/mcts.h"
#include "kernels/schemes/pn.h"
#include "kernels/schemes/ppn.h"
#include "kernels/schemes/wpns.h"
#include "kernels/search/device_searches.h"

namespace playproof {

bool cuda_built() { return false; }

std::vector<DeviceInfo> list_devices() { return {}; }

DeviceError cuda_not_built(const char* call) {
  DeviceError error;
  error.code = DeviceError::kNotBuilt;
  error.call = call;
  error.text = "this build has no CUDA";
  error.absent = true;
  return error;
}

DeviceError pgame_values(int, const PGame::Rules&, std::span<const PGame::State>, Value*,
                         std::size_t) {
  return cuda_not_built("pgame_values");
}

template <Game G, class S>
DeviceError SearchesBy<G, S>::open(int, const typename G::Rules&, const S&, const TreeOptions&,
                                   const FleetLayout&,
                                   std::unique_ptr<DeviceSearches<G>>* searches) {
  searches->reset();
  return cuda_not_built("SearchesBy::open");
}
template struct SearchesBy<PGame, Pn>;
template struct SearchesBy<PGame, DeepestPn>;
template struct SearchesBy<PGame, Wpns>;
template struct SearchesBy<PGame, DeepPn>;
template struct SearchesBy<PGame, PlayoutPn>;
template struct SearchesBy<PGame, Deepest<PlayoutPn>>;
template struct SearchesBy<PGame, Mcpn>;
template struct SearchesBy<PGame, Ppn>;
template struct SearchesBy<PGame, Ews>;
template struct SearchesBy<PGame, MctsRule>;
template struct SearchesBy<Nim, Pn>;
template struct SearchesBy<Nim, DeepestPn>;
template struct SearchesBy<Nim, Wpns>;
template struct SearchesBy<Nim, DeepPn>;
template struct SearchesBy<Nim, PlayoutPn>;
template struct SearchesBy<Nim, Deepest<PlayoutPn>>;
template struct SearchesBy<Nim, Mcpn>;
template struct SearchesBy<Nim, Ppn>;
template struct SearchesBy<Nim, Ews>;
template struct SearchesBy<Nim, MctsRule>;
template struct SearchesBy<Connect<1>, Pn>;
template struct SearchesBy<Connect<1>, DeepestPn>;
template struct SearchesBy<Connect<1>, Wpns>;
template struct SearchesBy<Connect<1>, DeepPn>;
template struct SearchesBy<Connect<1>, PlayoutPn>;
template struct SearchesBy<Connect<1>, Deepest<PlayoutPn>>;
template struct SearchesBy<Connect<1>, Mcpn>;
template struct SearchesBy<Connect<1>, Ppn>;
template struct SearchesBy<Connect<1>, Ews>;
template struct SearchesBy<Connect<1>, MctsRule>;
template struct SearchesBy<Hex<1>, Pn>;
template struct SearchesBy<Hex<1>, DeepestPn>;
template struct SearchesBy<Hex<1>, Wpns>;
template struct SearchesBy<Hex<1>, DeepPn>;
template struct SearchesBy<Hex<1>, PlayoutPn>;
template struct SearchesBy<Hex<1>, Deepest<PlayoutPn>>;
template struct SearchesBy<Hex<1>, Mcpn>;
template struct SearchesBy<Hex<1>, Ppn>;
template struct SearchesBy<Hex<1>, Ews>;
template struct SearchesBy<Hex<1>, MctsRule>;
template struct SearchesBy<Othello, Pn>;
template struct SearchesBy<Othello, DeepestPn>;
template struct SearchesBy<Othello, Wpns>;
template struct SearchesBy<Othello, DeepPn>;
template struct SearchesBy<Othello, PlayoutPn>;
template struct SearchesBy<Othello, Deepest<PlayoutPn>>;
template struct SearchesBy<Othello, Mcpn>;
template struct SearchesBy<Othello, Ppn>;
template struct SearchesBy<Othello, Ews>;
template struct SearchesBy<Othello, MctsRule>;

}  // namespace playproof
