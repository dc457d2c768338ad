"""What `playproof report` starts. A script rather than `python -m`: that would let the modules of the
current folder stand in for the standard library's."""

import os
import signal
import sys


def interrupt_again(ignored):
    """What is raised in a callback (the imports have some) is ignored: an interrupt comes once more, soon after."""
    if issubclass(ignored.exc_type, KeyboardInterrupt):
        signal.setitimer(signal.ITIMER_REAL, 0.01)
    else:
        sys.__unraisablehook__(ignored)


def is_interrupt(error):
    """Also one that came within what the imports call for a class: that is raised as the cause of another error."""
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__cause__
    return error is not None


try:
    sys.unraisablehook = interrupt_again
    signal.signal(signal.SIGALRM, signal.default_int_handler)
    # `playproof` holds SIGINT back until here.
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])
    from playproof_report.cli import main

    sys.exit(main())
except (KeyboardInterrupt, RuntimeError) as raised:
    if not is_interrupt(raised):
        raise
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    os.kill(os.getpid(), signal.SIGINT)
