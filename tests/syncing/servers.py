"""Git servers on the loopback: `git daemon`, and `git http-backend` behind a small HTTP server."""

from __future__ import annotations

import os
import socket
import subprocess
import time
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

PATIENCE_S = 20.0
CHUNK_BYTES = 1 << 16


def program(name: str) -> str:
    """One of git's own programs; the test is skipped where this git lacks it."""
    found = subprocess.run(["git", "--exec-path"], capture_output=True, text=True, check=True)
    path = Path(found.stdout.strip(), name)
    if not path.exists():
        pytest.skip(f"this git has no {name}")
    return str(path)


@contextmanager
def daemon(folder: Path) -> Iterator[str]:
    """`git daemon` for the repositories in a folder; the URL of that folder."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port = found.getsockname()[1]
    options = ["--listen=127.0.0.1", f"--port={port}", "--export-all", "--enable=receive-pack", "--reuseaddr"]
    served = subprocess.Popen(
        [program("git-daemon"), *options, f"--base-path={folder}", str(folder)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        _wait(port)
        yield f"git://127.0.0.1:{port}"
    finally:
        served.terminate()
        served.wait()


def _wait(port: int) -> None:
    until = time.monotonic() + PATIENCE_S
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            assert time.monotonic() < until, "git daemon doesn't listen"
            time.sleep(0.05)
        else:
            return


@contextmanager
def http(folder: Path) -> Iterator[str]:
    """`git http-backend` for the repositories in a folder; the URL of that folder."""
    backend = program("git-http-backend")
    program("git-remote-http")
    variables = {"GIT_PROJECT_ROOT": str(folder), "GIT_HTTP_EXPORT_ALL": "1", "REMOTE_USER": "ada"}

    class Handler(BaseHTTPRequestHandler):
        """Each request is a run of the backend."""

        def log_message(self, *_: object) -> None:
            """Say nothing."""

        def do_GET(self) -> None:
            path, _, query = self.path.partition("?")
            about = {
                "REQUEST_METHOD": self.command,
                "PATH_INFO": path,
                "QUERY_STRING": query,
                "CONTENT_TYPE": self.headers.get("Content-Type", ""),
                "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding", ""),
                "GIT_PROTOCOL": self.headers.get("Git-Protocol", ""),
                "REMOTE_ADDR": "127.0.0.1",
            }
            done = subprocess.run(
                [backend],
                input=self._body(),
                env={**os.environ, **variables, **about},
                capture_output=True,
                check=False,
            )
            head, _, body = done.stdout.partition(b"\r\n\r\n")
            fields = [line.decode().split(": ", 1) for line in head.split(b"\r\n") if line]
            status = next((value for name, value in fields if name == "Status"), "200 OK")
            self.send_response(int(status.split()[0]))
            for name, value in fields:
                if name != "Status":
                    self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        do_POST = do_GET  # noqa: N815  # as the library has it

        def _body(self) -> bytes:
            if self.headers.get("Transfer-Encoding") != "chunked":
                return self.rfile.read(int(self.headers.get("Content-Length", 0)))
            said = b""
            while size := int(self.rfile.readline(), 16):
                said += self.rfile.read(size)
                self.rfile.readline()
            self.rfile.readline()
            return said

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
