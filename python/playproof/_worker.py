"""Loaded by the workers of playproof-cluster's own cluster before they begin: Ctrl-C of the terminal is
for the process that owns the store, which ends them."""

import signal


def dask_setup(_worker):
    signal.signal(signal.SIGINT, signal.SIG_IGN)
