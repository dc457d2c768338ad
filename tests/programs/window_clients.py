"""The programs behind windows, as scripted clients speak with them."""

import queue
import subprocess
import threading
import time

from program import PROGRAM, TIMEOUT


class Client:
    """The program, and its lines as they come."""

    def __init__(self, *arguments):
        self.process = subprocess.Popen([PROGRAM, *arguments], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.lines = queue.Queue()
        threading.Thread(target=self.read, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            try:
                stream.close()
            except BrokenPipeError:
                pass

    def read(self):
        for line in self.process.stdout:
            self.lines.put(line.decode("ascii").rstrip("\n"))
        self.lines.put(None)

    def send(self, text):
        self.process.stdin.write(text if isinstance(text, bytes) else text.encode() + b"\n")
        self.process.stdin.flush()

    def line(self):
        """The next line; None at the end."""
        return self.lines.get(timeout=TIMEOUT)

    def end(self):
        """The exit status, once it has ended by itself."""
        return self.process.wait(timeout=TIMEOUT)


class Gtp(Client):

    def reply(self):
        lines = []
        while True:
            line = self.line()
            if line is None:
                raise AssertionError(f"the program has ended: {self.process.stderr.read()}")
            if not line:
                return "\n".join(lines)
            lines.append(line)

    def __call__(self, command):
        """The text of a reply that is no failure."""
        self.send(command)
        reply = self.reply()
        if not reply.startswith("="):
            raise AssertionError(f"{command}: {reply}")
        return reply[1:].strip()

    def failure(self, command):
        self.send(command)
        reply = self.reply()
        if not reply.startswith("?"):
            raise AssertionError(f"{command}: {reply}")
        return reply[1:].strip()

    def start(self, columns, rows):
        """What HexGui sends first."""
        self.replies = [self(command) for command in ("name", "version", "hexgui-analyze_commands")]
        self(f"boardsize {columns} {rows}")
        self("clear_board")

    def set_up(self, stones):
        """As HexGui does after a swap: stones by rows, whatever the order of play was."""
        self("clear_board")
        for colour, cell in stones:
            self(f"play {colour} {cell}")

    def status(self):
        """Of a solve, once it is decided."""
        end = time.monotonic() + TIMEOUT
        while time.monotonic() < end:
            text = self("playproof-status")
            if text.startswith("proven"):
                return text
            time.sleep(0.02)
        raise AssertionError(text)


def cells(columns, rows):
    return [f"{chr(97 + column)}{row + 1}" for row in range(rows) for column in range(columns)]
