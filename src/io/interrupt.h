// SIGINT and SIGTERM as a wish to stop: the first asks, the second ends the program at once.
#pragma once

namespace playproof {

// Makes the first SIGINT or SIGTERM only set the flag from now on.
void catch_interrupts();
bool interrupted();

}  // namespace playproof
