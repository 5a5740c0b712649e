"""An editor for the tests of the language server: a client over standard input and output."""

from __future__ import annotations

import json
import queue
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

Message = dict[str, Any]
REAL = "from naturalness.cli import main; main()"
ROOT = Path(__file__).parents[2]
SECONDS = 120


class Editor:
    """A running language server and the texts open in it; ``code`` is the Python code that starts the server."""

    def __init__(self, folder: Path, *arguments: str, code: str = REAL, **capabilities: Any) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(ROOT)!r}); {code}", *arguments],
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        self.folder = folder
        self.versions: dict[str, int] = {}
        self.messages: list[str] = []
        self.heard: queue.Queue[Message | None] = queue.Queue()
        threading.Thread(target=self._listen, daemon=True).start()
        self.server = self.ask("initialize", processId=None, rootUri=folder.as_uri(), capabilities=capabilities)
        self.tell("initialized")

    def _listen(self) -> None:
        stream = self.process.stdout
        assert stream
        while header := stream.readline():
            assert header.startswith(b"Content-Length: "), header
            length = int(header.split()[1])
            while stream.readline().strip():
                pass
            self.heard.put(json.loads(stream.read(length)))
        self.heard.put(None)

    def send(self, **message: Any) -> None:
        """Send a message."""
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self.process.stdin
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def tell(self, method: str, **params: Any) -> None:
        """Send a notification."""
        self.send(method=method, params=params)

    def ask(self, method: str, **params: Any) -> Any:
        """Send a request, and return the result."""
        self.send(method=method, params=params, id=method)
        answer = self.hear(lambda message: message.get("id") == method and "method" not in message)
        assert "error" not in answer, answer
        return answer["result"]

    def hear(self, is_wanted: Any) -> Message:
        """Return the first matching message; record messages to the user that arrive before it."""
        while message := self.heard.get(timeout=SECONDS):
            if message.get("method") == "window/showMessage":
                self.messages.append(message["params"]["message"])
            if is_wanted(message):
                return message
        raise AssertionError("the server ended")

    def uri(self, name: str) -> str:
        """Return the address of a file."""
        return (self.folder / name).as_uri()

    def open(self, name: str, text: str, language: str = "markdown") -> list[Message]:
        """Open a text, and return what is reported in it."""
        self.versions[name] = 1
        document = {"uri": self.uri(name), "languageId": language, "version": 1, "text": text}
        self.tell("textDocument/didOpen", textDocument=document)
        return self.reported(name)

    def type(self, name: str, text: str) -> list[Message]:
        """Change a text, and return what is reported in it."""
        self.versions[name] += 1
        document = {"uri": self.uri(name), "version": self.versions[name]}
        self.tell("textDocument/didChange", textDocument=document, contentChanges=[{"text": text}])
        return self.reported(name)

    def reported(self, name: str) -> list[Message]:
        """Return the diagnostics of the present version of a text, in which all sentences are judged at once."""

        def is_wanted(message: Message) -> bool:
            params = message.get("params", {})
            ours = message.get("method") == "textDocument/publishDiagnostics" and params["uri"] == self.uri(name)
            return ours and params.get("version") == self.versions[name]

        return list(self.hear(is_wanted)["params"]["diagnostics"])

    def actions(self, name: str, report: Message, **context: Any) -> list[Message]:
        """Return the code actions for a diagnostic."""
        return list(
            self.ask(
                "textDocument/codeAction",
                textDocument={"uri": self.uri(name)},
                range=report["range"],
                context={"diagnostics": [report], **context},
            )
        )

    def close(self) -> int:
        """End the session; return the exit code."""
        self.ask("shutdown")
        self.tell("exit")
        return self.process.wait(SECONDS)


def applied(text: str, action: Message) -> str:
    """Return a text after a code action, whose positions count UTF-16 units."""
    (change,) = action["edit"]["documentChanges"]
    lines = text.splitlines(keepends=True)
    for edit in reversed(change["edits"]):
        start, end = (offset(lines, edit["range"][side]) for side in ("start", "end"))
        data = text.encode("utf-16-le")
        text = (data[: 2 * start] + edit["newText"].encode("utf-16-le") + data[2 * end :]).decode("utf-16-le")
    return text


def offset(lines: list[str], position: Message) -> int:
    """Return the offset of a position, in UTF-16 units."""
    before = sum(len(line.encode("utf-16-le")) // 2 for line in lines[: position["line"]])
    return before + int(position["character"])
