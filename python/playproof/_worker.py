"""Loaded by the workers of playproof-cluster's own cluster before they begin: Ctrl-C of the terminal, and its
end, are for the process that owns the store, which ends them; and so is the terminal."""

import logging
import signal


def dask_setup(_worker):
    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # Dask's silence_logs ends before a worker does
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
