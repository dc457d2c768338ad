// SIGINT and SIGTERM as a wish to stop: the first asks, the second ends the program at once.
#pragma once

namespace playproof {

// From now on the first SIGINT or SIGTERM only sets the flag.
void catch_interrupts();
bool interrupted();

}  // namespace playproof
