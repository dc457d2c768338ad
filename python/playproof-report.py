"""What `playproof report` starts. A script rather than `python -m`: that would let the modules of the
current folder stand in for the standard library's."""

import sys

from playproof_report.cli import main

sys.exit(main())
