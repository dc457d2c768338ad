"""Names that are no plain files: symbolic links, and pipes that somebody reads. And checkpoints that
somebody made up: with a byte of their state changed, and the checksums of that."""

import os
import select
import threading

FORGED = 300_000  # bytes: larger checkpoints are not made up, since that would take long


class Files(dict):
    """What is known of files by their names; a link is known as what it leads to."""

    def __init__(self):
        super().__init__()
        self.links, self.pipes = {}, set()

    def end(self, name):
        """Where links lead; None: in a circle."""
        for _ in range(40):
            if name not in self.links:
                return name
            name = self.links[name]
        return None

    def is_pipe(self, name):
        return self.end(name) in self.pipes

    def get(self, name, default=None):
        return super().get(self.end(name), default)

    def __getitem__(self, name):
        return super().__getitem__(self.end(name))

    def __setitem__(self, name, state):
        super().__setitem__(self.end(name), state)


class Readers:
    """Reads pipes while a child runs; then `read` has what came through each."""

    def __init__(self, paths):
        self.read = {name: b"" for name in paths}
        self.over = threading.Event()
        self.open = {name: os.open(path, os.O_RDONLY | os.O_NONBLOCK)
                     for name, path in paths.items()}
        self.threads = [threading.Thread(target=self.take, args=(name,)) for name in paths]

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self.over.set()
        for thread in self.threads:
            thread.join()
        for descriptor in self.open.values():
            os.close(descriptor)

    def take(self, name):
        parts, last = [], False
        while not last:
            last = self.over.is_set()  # what is in the pipe by then is taken
            part = None
            while part != b"" and select.select([self.open[name]], [], [], 0)[0]:
                part = os.read(self.open[name], 1 << 16)
                parts.append(part)
            self.over.wait(0.002)
        self.read[name] = b"".join(parts)


def table_of_crc():
    table = []
    for byte in range(256):
        crc = byte
        for _ in range(8):
            crc = crc >> 1 ^ (0xc96c5795d7870f42 if crc & 1 else 0)
        table.append(crc)
    return table


CRC = table_of_crc()


def crc64(data):
    """CRC-64/XZ."""
    crc = 0xffffffffffffffff
    for byte in data:
        crc = CRC[(crc ^ byte) & 0xff] ^ crc >> 8
    return crc ^ 0xffffffffffffffff


def forged(content, at, bit):
    """The checkpoint with a bit of its first chunk of state flipped (at = 0..1, from its end: the
    most of it is the tree); None if it has none, or a large one."""
    begin, number = content.find(b"\n") + 1, 0
    while 0 < begin < len(content) - 16:
        length = int.from_bytes(content[begin + 4:begin + 8], "little")
        end = begin + 8 + length
        if content[begin:begin + 4] == b"STAT":
            if not 0 < length <= FORGED or end + 8 > len(content):
                return None
            chunk = bytearray(content[begin:end])
            chunk[-1 - int(at ** 3 * (length - 1))] ^= 1 << bit
            crc = crc64(number.to_bytes(8, "little") + chunk)
            return content[:begin] + bytes(chunk) + crc.to_bytes(8, "little") + content[end + 8:]
        begin, number = end + 8, number + 1
    return None
