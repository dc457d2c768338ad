"""The scheduler and the workers that playproof-cluster starts on this machine, if it is given none."""

import logging

from distributed import Nanny, Scheduler, SpecCluster, Status, Worker


class _NoPages:
    """Dask's processes have pages of their own, also without a dashboard: here they have none."""

    def start_http_server(self, *_, **__):
        pass


class PagelessScheduler(_NoPages, Scheduler):
    pass


class PagelessWorker(_NoPages, Worker):
    pass


class OwnCluster(SpecCluster):
    """Dask starts a worker again that ends while it works, but not one that ends while it starts."""

    lost = 0  # how many ended so

    def replace_lost(self):
        self.loop.add_callback(self._replace_lost)

    def _replace_lost(self):
        lost = [name for name, nanny in self.workers.items() if nanny.status in (Status.closed, Status.failed)]
        for name in lost:
            del self.workers[name]
        self.lost += len(lost)
        self.scale(len(self.worker_spec))  # those that are not there


def cluster(options, tls):
    """One run at a time each; what else they listen to is at 127.0.0.1, whatever --host says."""
    pages = options.dashboard != "none"
    common = {"host": options.host, "security": tls, "protocol": "tls://" if tls else "tcp://"}
    scheduler = {"port": options.port, "dashboard": pages,
                 "dashboard_address": f"127.0.0.1:{options.dashboard}" if pages else None}
    worker = {"nthreads": 1, "memory_limit": 0, "silence_logs": logging.CRITICAL,
              "dashboard": False, "dashboard_address": "127.0.0.1:0",
              "worker_class": Worker if pages else PagelessWorker, "preload": [__package__ + "._worker"]}
    started = OwnCluster(
        scheduler={"cls": Scheduler if pages else PagelessScheduler, "options": {**common, **scheduler}},
        worker={"cls": Nanny, "options": {**common, **worker}}, security=tls, silence_logs=logging.CRITICAL)
    started.scale(options.workers)
    return started
