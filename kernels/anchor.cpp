#include "kernels/playout.h"
