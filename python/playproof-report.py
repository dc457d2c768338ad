"""What `playproof report` starts. A script rather than `python -m`: that would let the modules of the
current folder stand in for the standard library's."""

import os
import signal
import sys

try:
    # `playproof` holds SIGINT back until here.
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])
    from playproof_report.cli import main

    sys.exit(main())
except KeyboardInterrupt:
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    os.kill(os.getpid(), signal.SIGINT)
