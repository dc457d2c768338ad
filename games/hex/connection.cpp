#include "games/hex/connection.h"

namespace playproof {

template class HexBridges<1>;
template class HexBridges<2>;
template class HexBridges<6>;
template class HexFill<1>;
template class HexFill<2>;
template class HexFill<6>;
template class HexLinks<1>;
template class HexLinks<2>;
template class HexLinks<6>;
template class LinkProofs<1>;
template class LinkProofs<2>;
template class LinkProofs<6>;
template class LinkSearch<1>;
template class LinkSearch<2>;
template class LinkSearch<6>;

}  // namespace playproof
