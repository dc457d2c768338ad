#include "host/solver.h"
