"""A server that answers like LanguageTool, and a `java` that runs it.

Run as a script, it takes Java's arguments. The text decides the answer: ``teh`` is a typo, ``they is`` a grammar
mistake; ``refuse`` gives an error, ``kill it`` ends the server each time, and ``trip NAME`` only the first time,
which the file NAME records.
"""

from __future__ import annotations

import json
import os
import re
import sys
import threading
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

RULES = {
    "teh": ("FAKE_SPELLER", "TYPOS", "misspelling", ["the", "ten", "tea", "tech", "Ted", "TeX"]),
    "they is": ("THEY_IS", "GRAMMAR", "grammar", ["they are"]),
    "very very": ("TWICE", "STYLE", "style", [""]),
}


def matches(text: str) -> list[dict[str, Any]]:
    """Return the matches, last first, with offsets in UTF-16 units."""
    entries = []
    for pattern, (rule, category, kind, suggestions) in RULES.items():
        for match in re.finditer(pattern, text):
            entries.append(
                {
                    "offset": units(text[: match.start()]),
                    "length": units(match.group()),
                    "message": f"Not {match.group()}.",
                    "context": {"text": text, "offset": 0, "length": 0},
                    "replacements": [{"value": value} for value in suggestions],
                    "rule": {"id": rule, "issueType": kind, "category": {"id": category}},
                }
            )
    return sorted(entries, key=lambda match: -int(match["offset"]))


def units(text: str) -> int:
    """Return the length in UTF-16 units."""
    return len(text.encode("utf-16-le")) // 2


class Handler(BaseHTTPRequestHandler):
    """Answer like LanguageTool's server."""

    def do_GET(self) -> None:
        """Return the server's health or its languages."""
        languages = [{"code": "en", "longCode": code} for code in ("en-US", "en-GB")]
        self.tell(200, json.dumps(languages).encode() if "languages" in self.path else b"OK")

    def do_POST(self) -> None:
        """Check a text."""
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        text = urllib.parse.parse_qs(body, keep_blank_values=True)["text"][0]
        self.server.texts.append(text)  # type: ignore[attr-defined]
        trip = re.search(r"trip (\S+)", text)
        if "kill it" in text or (trip and not Path(trip.group(1)).exists()):
            if trip:
                Path(trip.group(1)).touch()
            os._exit(3)
        if "refuse" in text:
            self.tell(500, b"Error: no.\nmore")
            return
        software = {"name": "LanguageTool", "version": "6.8"}
        self.tell(200, json.dumps({"software": software, "matches": matches(text)}).encode())

    def tell(self, status: int, body: bytes) -> None:
        """Send an answer."""
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Log nothing."""


class FakeServer(ThreadingHTTPServer):
    """The server; `texts` are those it has received."""

    daemon_threads = True

    def __init__(self, port: int = 0, handler: type[BaseHTTPRequestHandler] = Handler) -> None:
        super().__init__(("127.0.0.1", port), handler)
        self.texts: list[str] = []

    def handle_error(self, request: object, client_address: object) -> None:
        """Ignore clients that do not wait for the answer."""

    @property
    def address(self) -> str:
        """Return the server's address."""
        return f"http://127.0.0.1:{self.server_address[1]}"

    def __enter__(self) -> FakeServer:
        threading.Thread(target=self.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *args: object) -> None:
        self.shutdown()
        self.server_close()


def install(folder: Path, *, early: str = "") -> dict[str, str]:
    """Put a `java` and a LanguageTool into a folder; return the environment that finds them.

    ``early`` is a line of shell that `java` runs instead of the server. The test skips without the package that finds
    LanguageTool.
    """
    import pytest  # not at the top: the script is run without packages

    pytest.importorskip("language_tool_python", reason="needs the extra languagetool")
    (folder / "bin").mkdir(parents=True)
    (folder / "lt" / "LanguageTool-6.8").mkdir(parents=True)
    (folder / "lt" / "LanguageTool-6.8" / "languagetool-server.jar").touch()
    java = folder / "bin" / "java"
    java.write_text(
        "#!/bin/sh\n"
        f"""if [ "$1" = -version ]; then echo 'openjdk version "17.0.2"' >&2; exit 0; fi\n"""
        f"{early}\n"
        f'exec {sys.executable} -I -S {Path(__file__)} "$@"\n'
    )
    java.chmod(0o755)
    return {"PATH": f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}", "LTP_PATH": str(folder / "lt")}


if __name__ == "__main__":
    FakeServer(int(sys.argv[sys.argv.index("-p") + 1])).serve_forever()
