"""The one exception of the package; its code is the exit status of `playproof report`."""

USAGE = 64
DATA = 65
UNAVAILABLE = 69
INTERNAL = 70
OUTPUT = 74


class ReportError(Exception):
    def __init__(self, status, text):
        super().__init__(text)
        self.status = status
