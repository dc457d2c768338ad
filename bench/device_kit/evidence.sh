#!/bin/sh
# Everything that a machine with a GPU can say, in one command: evidence.sh OUT [PART ...]
exec python3 -B "$(dirname "$0")/evidence.py" "$@"
