"""`naturalness serve` in a separate process."""

from __future__ import annotations

import http.client
import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

COMMAND = [sys.executable, "-c", "from naturalness.cli import main; main()", "serve"]


class Server:
    """A running server."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self.messages = ""
        assert process.stderr is not None
        while " is at " not in self.messages:
            line = process.stderr.readline()
            assert line, f"it ended with {process.wait()}: {self.messages}"
            self.messages += line
        self.address = self.messages.partition(" is at ")[2].split(";")[0].split(" ")[0]
        self.port = urlsplit(self.address).port or 0

    def ask(self, path: str, body: Any = None, **headers: str) -> tuple[int, Any]:
        """Send a request over a new connection; return the status and the JSON of the answer."""
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        try:
            if body is None:
                line.request("GET", path, headers=headers)
            else:
                post_headers = {"content-type": "application/json", **headers}
                line.request("POST", path, json.dumps(body), post_headers)
            answer = line.getresponse()
            return answer.status, json.loads(answer.read())
        finally:
            line.close()


@contextmanager
def serving(*arguments: str, model: str = "fast") -> Iterator[Server]:
    """Run a server on a free port."""
    process = subprocess.Popen(
        [*COMMAND, "--model", model, "--port", "0", *arguments],
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    try:
        yield Server(process)
    finally:
        process.kill()
        process.communicate()
