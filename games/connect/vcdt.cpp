#include "games/connect/vcdt.h"

#include "games/connect/vcdt_search.h"

namespace playproof {

template class Vcdt<1>;
template class Vcdt<6>;

}  // namespace playproof
