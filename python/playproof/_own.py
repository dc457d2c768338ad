"""The scheduler and the workers that playproof-cluster starts on this machine, if it is given none."""

import hmac
import logging
import secrets

from distributed import Nanny, Scheduler, SpecCluster, Status, Worker
from tornado import web


class _NoPages:
    """Dask's processes have pages of their own, also without a dashboard: here they have none."""

    def start_http_server(self, *_, **__):
        pass


class PagelessScheduler(_NoPages, Scheduler):
    pass


class PagelessWorker(_NoPages, Worker):
    pass


class _HiddenPages:
    """Pages are for whoever knows the first part of their paths; Dask itself would tell it to everybody, by a
    redirection from / and by /sitemap.json."""

    def __init__(self, *arguments, http_prefix, **options):
        self.hidden = http_prefix.strip("/")
        super().__init__(*arguments, http_prefix=http_prefix, **options)

    def start_http_server(self, *arguments, **options):
        super().start_http_server(*arguments, **options)
        application = self.http_application
        find = application.find_handler

        def find_hidden(request, **more):
            first = request.path.lstrip("/").partition("/")[0]
            if hmac.compare_digest(first.encode(), self.hidden.encode()):
                return find(request, **more)
            return application.get_handler_delegate(request, web.ErrorHandler, {"status_code": 404})

        application.find_handler = find_hidden


class HiddenScheduler(_HiddenPages, Scheduler):
    pass


class HiddenWorker(_HiddenPages, Worker):
    pass


class OwnCluster(SpecCluster):
    """Dask starts a worker again that ends while it works, but not one that ends while it starts."""

    lost = 0  # how many ended so

    @property
    def page(self):
        """The address of the dashboard, which only who is told it can see."""
        scheduler = self.scheduler
        return f"http://127.0.0.1:{scheduler.http_server.port}/{scheduler.hidden}/status"

    def replace_lost(self):
        self.loop.add_callback(self._replace_lost)

    def _replace_lost(self):
        lost = [name for name, nanny in self.workers.items() if nanny.status in (Status.closed, Status.failed)]
        for name in lost:
            del self.workers[name]
        self.lost += len(lost)
        self.scale(len(self.worker_spec))  # those that are not there


def cluster(options, tls, folder):
    """One run at a time each. All speak TLS; what else they listen to is at 127.0.0.1, whatever --host says.
    folder: for their files. Dask looks for modules there before anywhere else, so it must be of this user
    alone (_private.folder())."""
    pages = options.dashboard != "none"
    common = {"host": options.host, "security": tls, "protocol": "tls://", "local_directory": folder}
    if pages:
        common["http_prefix"] = f"/{secrets.token_hex(16)}"
    scheduler = {"port": options.port, "dashboard": pages,
                 "dashboard_address": f"127.0.0.1:{options.dashboard}" if pages else None}
    worker = {"nthreads": 1, "memory_limit": 0, "silence_logs": logging.CRITICAL,
              "dashboard": False, "dashboard_address": "127.0.0.1:0",
              "worker_class": HiddenWorker if pages else PagelessWorker, "preload": [__package__ + "._worker"]}
    started = OwnCluster(
        scheduler={"cls": HiddenScheduler if pages else PagelessScheduler, "options": {**common, **scheduler}},
        worker={"cls": Nanny, "options": {**common, **worker}}, security=tls, silence_logs=logging.CRITICAL)
    started.scale(options.workers)
    return started
