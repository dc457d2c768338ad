"""view --serve: what is served, to whom, and how little others can do about it."""

import contextlib
import json
import os
import re
import resource
import signal
import socket
import subprocess
import time
import unittest

from program import PROGRAM, TIMEOUT, UNAVAILABLE, run
from test_view import SEARCHES, SLOWER, Pages
from view_data import data_of


class Served(Pages):
    def setUp(self):
        super().setUp()
        self.solve(SEARCHES["cards"])
        self.page = self.view()[0]
        self.process = subprocess.Popen(  # pylint: disable=consider-using-with
            [PROGRAM, "view", self.path("proof.cert"), "--serve"], stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True)
        self.addCleanup(self.end)
        address = self.process.stdout.readline()
        if not address and self.process.wait(TIMEOUT) == UNAVAILABLE:
            self.skipTest("built without libevent")
        self.find(address)

    def find(self, address):
        port, self.root = re.fullmatch(r"http://127\.0\.0\.1:(\d+)(/[0-9a-f]{32}/)\n", address).groups()
        self.port = int(port)

    def end(self):
        self.process.kill()
        self.process.communicate()

    def ask(self, request, host="127.0.0.1"):
        """(status, head, body) of the bytes of a request; None if the connection is refused."""
        try:
            with socket.create_connection((host, self.port), timeout=TIMEOUT) as connection:
                connection.sendall(request.replace("PORT", str(self.port)).encode("latin-1"))
                connection.shutdown(socket.SHUT_WR)
                answer = b""
                while part := connection.recv(65536):
                    answer += part
        except (ConnectionRefusedError, OSError):
            return None
        head, _, body = answer.partition(b"\r\n\r\n")
        return int(head.split()[1]) if head else 0, head.decode(), body.decode()

    def get(self, path, method="GET", host="localhost:PORT", more=""):
        """Of what is below the address."""
        return self.get_raw(self.root + path[1:], method, host, more)

    def get_raw(self, path, method="GET", host="localhost:PORT", more=""):
        return self.ask(f"{method} {path} HTTP/1.1\r\nHost: {host}\r\n{more}"
                        "Connection: close\r\n\r\n")

    def test_page_and_nodes(self):
        status, head, page = self.get("/")
        self.assertEqual(status, 200)
        served = data_of(page)
        self.assertTrue(served["head"].pop("served"))
        self.assertFalse(self.page["head"].pop("served"))
        self.assertEqual(served, self.page)
        policy = re.search(r"Content-Security-Policy: (.*)\r", head).group(1)
        self.assertIn("connect-src 'self'", policy)
        self.assertIn("frame-ancestors 'none'", policy)
        for line in ("X-Content-Type-Options: nosniff", "Cache-Control: no-store"):
            self.assertIn(line, head)
        for node in self.page["nodes"]:
            status, head, body = self.get(f"/node/{node[0]}")
            self.assertEqual((status, json.loads(body)), (200, node))
            self.assertIn("Content-Type: application/json", head)

    def test_only_get_and_head(self):
        status, _, body = self.get("/", "HEAD")
        self.assertEqual((status, body), (200, ""))
        for method in ("POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "BREW", "get",
                       "PROPFIND"):
            with self.subTest(method):
                status, head, body = self.get("/", method)
                self.assertEqual((status, body), (405, "GET and HEAD alone\n"))
                self.assertIn("Allow: GET, HEAD", head)
                self.assertIn("frame-ancestors 'none'", head)
        self.assertNotEqual(self.get("/", "G E T")[0], 200)

    def test_no_request_with_a_body(self):
        for method in ("POST", "PUT", "PATCH", "GET", "DELETE", "OPTIONS"):
            for size in (1, 9_999_999):
                status, _, body = self.get("/", method, more=f"Content-Length: {size}\r\n")
                self.assertEqual(status, 413, method)
                self.assertNotIn("sha256", body)
            chunked = f"{method} {self.root} HTTP/1.1\r\nHost: localhost:PORT\r\nTransfer-Encoding: chunked\r\n\r\n"
            self.assertIn(self.ask(chunked + "5\r\nabcde\r\n0\r\n\r\n")[0], (400, 413))
        # Theirs are not read; no second request is made of them.
        second = f"GET {self.root} HTTP/1.1\r\nHost: localhost:PORT\r\n\r\n"
        for method, right in (("HEAD", 200), ("TRACE", 405)):
            answer = self.ask(f"{method} {self.root} HTTP/1.1\r\nHost: localhost:PORT\r\n"
                              f"Content-Length: {len(second)}\r\n\r\n{second}")
            self.assertEqual(answer[0], right)
            self.assertNotIn("sha256", answer[2])

    def test_only_by_its_own_names(self):
        for host in ("localhost:PORT", "127.0.0.1:PORT", "[::1]:PORT"):
            self.assertEqual(self.get("/", host=host)[0], 200)
        for host in ("evil.example", "evil.example:PORT", "localhost", "127.0.0.1", "localhost:1",
                     "localhost:PORT.evil.example", "localhost:PORT@evil.example", "",
                     "0.0.0.0:PORT", "localhost:PORT\r\nHost: evil.example", "LOCALHOST.evil:PORT"):
            with self.subTest(host):
                status, _, body = self.get("/", host=host)
                self.assertIn(status, (400, 403))
                self.assertNotIn("sha256", body)
                self.assertIn(self.get("/node/8", host=host)[0], (400, 403))
        self.assertIn(self.ask(f"GET {self.root} HTTP/1.0\r\n\r\n")[0], (400, 403))

    def test_clients_leave_port_80_out(self):
        with socket.socket() as trial:
            trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                trial.bind(("127.0.0.1", 80))
            except OSError as error:
                self.skipTest(f"port 80: {error}")
        self.serve_instead("proof.cert", "80")
        for name in ("localhost", "127.0.0.1", "[::1]"):
            for host in (name, f"{name}:80"):
                with self.subTest(host):
                    self.assertEqual(self.get("/", host=host)[0], 200)
        for host in ("evil.example", "localhost:", "localhost:8080", "localhost.evil.example", "::1",
                     ""):
            with self.subTest(host):
                self.assertIn(self.get("/", host=host)[0], (400, 403))

    def seconds(self):
        """Of the CPU, that the server has taken."""
        with open(f"/proc/{self.process.pid}/stat", encoding="ascii") as file:
            return sum(map(int, file.read().rpartition(")")[2].split()[11:13])) / os.sysconf("SC_CLK_TCK")

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def open_many(self, stack, many):
        return [stack.enter_context(socket.create_connection(("127.0.0.1", self.port), TIMEOUT)) for _ in range(many)]

    def answers_at_once(self):
        begin = time.monotonic()
        self.assertEqual(self.get("/")[0], 200)
        self.assertLess(time.monotonic() - begin, 2 * SLOWER)

    def test_too_many_connections(self):
        """Who asks for nothing gives way to who asks."""
        self.serve_instead("proof.cert", limits={resource.RLIMIT_NOFILE: (40, 40)})
        with contextlib.ExitStack() as open_ones:
            self.open_many(open_ones, 60)
            time.sleep(0.2)
            self.assertLess(self.descriptors(), 40)
            before = self.seconds()
            time.sleep(0.5)
            self.assertLess(self.seconds() - before, 0.1)
            self.answers_at_once()
        self.answers_at_once()

    def test_bytes_that_drip(self):
        """A request has a time for the whole of it; 70 that take longer keep nobody out."""
        self.serve_instead("proof.cert", limits={resource.RLIMIT_NOFILE: (64, 64)})
        idle = self.descriptors()
        with contextlib.ExitStack() as open_ones:
            dripping = self.open_many(open_ones, 70)
            head = f"GET {self.root} HTTP/1.1\r\nHost: localhost:{self.port}\r\nA: {'b' * 1000}".encode()
            begin = time.monotonic()
            for at in range(len(head)):
                for one in dripping:
                    with contextlib.suppress(OSError):
                        one.send(head[at:at + 1])
                if at % 10 == 0:
                    self.answers_at_once()
                if self.descriptors() == idle or time.monotonic() - begin > 30 * SLOWER:
                    break
                time.sleep(0.1)
            self.assertEqual(self.descriptors(), idle)
            self.assertGreater(time.monotonic() - begin, 8)  # as long as anybody may take

    def test_clients_that_never_read(self):
        """They are not many at a time, and what they would read is there once."""
        self.solve(["hex:size=5", "--position", "c3", "--algorithm", "dfpn:zones=off"])
        self.serve_instead("proof.cert")

        def kilobytes():
            with open(f"/proc/{self.process.pid}/status", encoding="ascii") as file:
                return int(re.search(r"VmRSS:\s*(\d+)", file.read()).group(1))

        before = kilobytes()
        request = f"GET {self.root} HTTP/1.1\r\nHost: localhost:{self.port}\r\n\r\n".encode()
        with contextlib.ExitStack() as open_ones:
            for one in self.open_many(open_ones, 300):
                with contextlib.suppress(OSError):
                    one.sendall(request)
            time.sleep(0.3)
            self.answers_at_once()
            self.assertLess(self.descriptors(), 100)
            self.assertLess(kilobytes() - before, 100_000 * SLOWER)

    def test_nobody_finds_it_by_the_port(self):
        """Who is not told the address is told nothing but that there is something else."""
        secrets = {self.root}
        for path in ("/", "/node/8", self.root[:-1], self.root[:-2] + "/", self.root.upper(), "/" + "0" * 32 + "/",
                     "/" + self.root, self.root[:17] + "/" + self.root[17:]):
            status, head, body = self.get_raw(path)
            self.assertEqual((status, body), (404, "the page is at the address that `view` has printed\n"), path)
            self.assertNotIn(self.root.strip("/"), head)
        for _ in range(3):
            self.serve_instead("proof.cert")
            secrets.add(self.root)
        self.assertEqual(len(secrets), 4)

    def test_no_other_path(self):
        for path in ("/proof.cert", "/node/", "/node/0", "/node/-1", "/node/1x", "/node/8/",
                     "/node/8?", "//", "/node/../../../etc/passwd", "/etc/passwd", "/node/%38",
                     "/?", "/index.html", "/node/99999999999999999999", "/node/18446744073709551615", "/../etc/passwd",
                     "http://localhost:PORT/", "/node/%2e%2e/proof.cert", "/node/ 8", "*"):
            for get in (self.get, self.get_raw) if path[0] == "/" else (self.get_raw,):
                with self.subTest(path, get=get):
                    status, _, body = get(path)
                    self.assertIn(status, (400, 404))
                    self.assertNotIn("root:", body)

    def test_nonsense(self):
        for request in ("", "\r\n\r\n", "\0" * 100, "GET\r\n\r\n", f"GET {self.root} HTTP/9.9\r\n\r\n",
                        f"GET {self.root}" + "a" * 100_000 + " HTTP/1.1\r\n\r\n",
                        f"GET {self.root} HTTP/1.1\r\n" + "A: b\r\n" * 10_000 + "\r\n",
                        f"GET {self.root} HTTP/1.1\r\nHo"):
            answer = self.ask(request)
            self.assertTrue(answer is None or answer[0] != 200, request[:40])
        self.assertEqual(self.get("/")[0], 200)  # it goes on

    def test_this_machine_alone(self):
        listening = []
        for name in ("tcp", "tcp6"):
            with open(f"/proc/{self.process.pid}/net/{name}", encoding="ascii") as table:
                for line in table.read().splitlines()[1:]:
                    address, port = line.split()[1].split(":")
                    if int(port, 16) == self.port and line.split()[3] == "0A":
                        listening.append(address)
        self.assertLessEqual(set(listening), {"0100007F", "00000000000000000000000001000000"})
        self.assertIn("0100007F", listening)
        if len(listening) > 1:
            answer = self.ask(f"GET {self.root} HTTP/1.1\r\nHost: [::1]:PORT\r\nConnection: close\r\n\r\n",
                              "::1")
            self.assertEqual(answer[0], 200)

    def test_what_was_checked_is_what_is_served(self):
        self.write("proof.cert", b"another file")
        status, _, page = self.get("/")
        self.assertEqual((status, data_of(page)["head"]["sha256"]), (200, self.page["head"]["sha256"]))

    def test_signals_end_it(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            process = subprocess.Popen([PROGRAM, "view", self.path("proof.cert"), "--serve", "0"],
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            process.stdout.readline()
            process.send_signal(number)
            self.assertEqual((process.wait(TIMEOUT), process.communicate()[1]), (0, ""))

    def test_a_port_that_is_taken(self):
        self.assert_fails(["view", self.path("proof.cert"), "--serve", str(self.port)], UNAVAILABLE,
                          f"port {self.port}", "in use")

    def test_a_large_checkpoint(self):
        self.assertEqual(run("solve", "hex:size=5", "--algorithm", "pn:zones=off", "--max-nodes",
                             "250000", "--checkpoint", self.path("run.ckpt")).returncode, 2)
        data, _ = self.view("run.ckpt")
        self.assertFalse(data["head"]["all"])
        self.serve_instead("run.ckpt")
        self.assertEqual([self.get(f"/node/{n}")[0] for n in (0, 199_999, 200_000)], [200, 200, 404])
        head = data["head"]
        self.assertEqual(head["read"], 200_000)
        first = head["unread_from"]
        near = [json.loads(self.get(f"/node/{n}")[2]) for n in range(first - 200, first + 200)]
        for node in near:
            if node[0] < first:  # all is there
                self.assertEqual(bool(node[7]), node[6])
            elif node[0] > first:
                self.assertEqual(node[7], [])
        self.assertTrue(any(node[6] for node in near if node[0] < first))
        self.assertTrue(any(node[6] for node in near if node[0] > first))
        rows = {row[0] for node in data["nodes"] for _, row in node[7]}
        here = {node[0] for node in data["nodes"]}
        level, depth = {0}, 0
        while level <= here:  # every node of the levels before is on the page
            level = {row[0] for n in data["nodes"] if n[0] in level for _, row in n[7]}
            depth += 1
        self.assertEqual(data["head"]["whole_depth"], depth - 1)
        self.assertTrue(rows - here)

    def serve_instead(self, name, *port, limits=None):
        def limit():
            for what, values in (limits or {}).items():
                resource.setrlimit(what, values)

        self.end()
        self.process = subprocess.Popen(  # pylint: disable=consider-using-with
            [PROGRAM, "view", self.path(name), "--serve", *port], stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, preexec_fn=limit)
        self.find(self.process.stdout.readline())

    def test_a_checkpoint(self):
        self.assert_status(run("solve", "hex:size=2", "--algorithm", "pn", "--checkpoint",
                               self.path("run.ckpt")), 0)
        data, _ = self.view("run.ckpt")
        self.serve_instead("run.ckpt")
        for node in data["nodes"]:
            self.assertEqual(json.loads(self.get(f"/node/{node[0]}")[2]), node)


if __name__ == "__main__":
    unittest.main()
