// The games that have engines of their own. For any other the engines of kernels/generic/ are made.
#pragma once

#include "kernels/connect/engines.h"
#include "kernels/generic/playouts.h"
#include "kernels/hex/engines.h"
#include "kernels/othello/engines.h"
#include "kernels/pgame/engines.h"
