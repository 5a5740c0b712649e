"""Check texts with a LanguageTool server, through the package language-tool-python; each text is one request.

If the environment variable named by `VARIABLE` holds the address of a running server, ``http://HOST:PORT``, that server
is used. Otherwise the first process that needs a server starts one and stores ``http://127.0.0.1:PORT#PID`` in the
variable, so that workers started later share the server. Nothing is sent to LanguageTool's public server, and nothing
is downloaded.
"""

from __future__ import annotations

import os
import re
import subprocess
import threading
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from naturalness.errors import NaturalnessError, first_line
from naturalness.files.resources import importing
from naturalness.text.matches import Match, Matches, Severity
from naturalness.text.parsing import original_span, source_of
from naturalness.text.view import Doc

with importing("language_tool_python", user="LanguageTool", extra="languagetool"):
    import requests
    from language_tool_python import LanguageTool
    from language_tool_python.download_lt import LocalLanguageTool, confirm_java_compatibility
    from language_tool_python.exceptions import LanguageToolError, ServerError
    from language_tool_python.utils import get_language_tool_download_path


VARIABLE = "NATURALNESS_LANGUAGETOOL"
LANGUAGE = "en-US"
LOOPBACK = "127.0.0.1"
CHECK_SECONDS = 90
"""Seconds after which the server gives up on a text."""
CONFIGURATION = {
    # A pipeline holds the loaded rules: a server that caches pipelines takes a third of the time per sentence.
    "pipelineCaching": True,
    "maxPipelinePoolSize": 64,
    "pipelineExpireTimeInSeconds": 86_400,
    "maxCheckTimeMillis": 1000 * CHECK_SECONDS,
}
JAVA_OPTIONS = "-Xmx1024m -XX:+ExitOnOutOfMemoryError -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Duser.language=en"
"""Options of the Java process: a memory limit, an exit when memory runs out (the server is then restarted), a simple
garbage collector, only the quick JIT compiler (which cuts the time for up to about 5,000 sentences by two thirds), and
messages in English."""
CRASHED = "LanguageTool crashed, or did not answer, each time it checked this text"
HOW_TO_DOWNLOAD = (
    'run: python -c "from language_tool_python import download_lt as d; d.LocalLanguageTool.from_version_name()'
    '.download()" (250 MB, once), or set LTP_PATH to a folder that holds LanguageTool-VERSION'
)
MAX_SUGGESTIONS = 5
ISSUE_TYPES: Mapping[str, Severity] = {
    "grammar": "error",
    "misspelling": "error",
    "duplication": "error",
    "style": "hint",
    "register": "hint",
    "locale-violation": "hint",
    "locale-specific-content": "hint",
    "terminology": "hint",
}
"""Severity of a match, keyed by the issue type of its rule (ITS 2.0, section 8.10); types not listed are warnings."""
PARAGRAPHS = "\n\n"


class _OnePort(LanguageTool):  # type: ignore[misc, unused-ignore]
    """A server that tries a single port, and therefore fails at once if Java cannot start.

    Release 3.4.0 of the package would try 900 ports, but send all requests to the first.
    """

    def _start_server_on_free_port(self) -> None:
        self._available_ports.clear()
        super()._start_server_on_free_port()


_lock = threading.RLock()
_connections: dict[tuple[int, str], LanguageTool] = {}
"""Open connections, keyed by process ID and value of `VARIABLE`. A forked child thus opens its own connection, and
cannot restart its parent's server."""


def _key() -> tuple[int, str]:
    return os.getpid(), os.environ.get(VARIABLE, "").strip()


def _connection() -> LanguageTool:
    """Return this process's connection to a server; start a server if there is none."""
    if _key() not in _connections:
        tool = _named() or _started()
        _connections[_key()] = tool
    return _connections[_key()]


def _named() -> LanguageTool | None:
    """Connect to the server that the environment variable names.

    Return None if the variable is empty, or if it names a server that was started here but has died.
    """
    address, _, owner = _key()[1].partition("#")
    if not address:
        return None
    if not re.match(r"https?://[^/]", address):
        raise NaturalnessError(f"{address!r} is not the address of a LanguageTool server; expected http://HOST:PORT")
    try:
        # Texts go to the server itself, not to a proxy.
        return LanguageTool(LANGUAGE, remote_server=address.removesuffix("/v2"), proxies={"no_proxy": "*"})
    except (LanguageToolError, OSError, ValueError, TypeError, AttributeError) as error:
        if owner:
            return None
        raise NaturalnessError(
            f"the LanguageTool server that {VARIABLE} names, {address}, cannot be used "
            f"({first_line(error)}); start one there, or unset the variable, so that one is started here"
        ) from None


def _started() -> LanguageTool:
    version = installed()
    # `requests` would use a proxy even for requests to this machine.
    exempt = os.environ.get("no_proxy") or os.environ.get("NO_PROXY")
    os.environ["no_proxy"] = f"{LOOPBACK},{exempt}" if exempt else LOOPBACK
    os.environ.setdefault("JDK_JAVA_OPTIONS", JAVA_OPTIONS)  # the package itself sets no Java options
    try:
        tool = _OnePort(LANGUAGE, host=LOOPBACK, config=CONFIGURATION, language_tool_download_version=version)
    except (LanguageToolError, OSError) as error:
        raise NaturalnessError(
            f"LanguageTool crashed at its start: {first_line(error)}; check that Java and LanguageTool "
            "are fully installed; run: naturalness doctor"
        ) from None
    os.environ[VARIABLE] = f"http://{LOOPBACK}:{tool.port}#{os.getpid()}"
    return tool


def installed() -> str:
    """Return the newest LanguageTool version in the download folder; raise `NaturalnessError` if there is none."""
    try:
        confirm_java_compatibility()
    except (ImportError, SystemError, SystemExit, OSError, subprocess.SubprocessError) as error:
        raise NaturalnessError(
            f"LanguageTool needs Java 17 or newer ({error}); install it (Debian, Ubuntu: apt-get install "
            "default-jre-headless; else adoptium.net)"
        ) from None
    try:
        usable = [tool for tool in LocalLanguageTool.get_installed_versions() if _has_program(tool)]
    except OSError as error:
        raise NaturalnessError(f"LanguageTool cannot be searched for ({error}); {HOW_TO_DOWNLOAD}") from None
    if not usable:
        raise NaturalnessError(f"no LanguageTool in {get_language_tool_download_path()}; {HOW_TO_DOWNLOAD}")
    return str(max(usable).version_name)


def _has_program(tool: LocalLanguageTool) -> bool:
    try:
        return bool(tool.get_jar_path().is_file())
    except FileNotFoundError:  # an incomplete download
        return False


def available() -> str:
    """Return why LanguageTool cannot be used here and what to do; empty if it can be used. Does not start a server."""
    try:
        with _lock:
            if _named() is None:
                installed()
    except NaturalnessError as error:
        return str(error)
    return ""


def version() -> str:
    """Return the version that the server reports; start a server if there is none."""
    with _lock:
        url = f"{_connection().url}check"
        try:
            fields = {"language": LANGUAGE, "text": "This is a test."}
            with requests.post(url, fields, timeout=CHECK_SECONDS, proxies={"no_proxy": "*"}) as answer:
                return str(answer.json()["software"]["version"])
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise NaturalnessError(
                f"LanguageTool at {url} failed ({first_line(error)}); try again when the machine is less busy, "
                "or run: naturalness doctor"
            ) from None


def close() -> None:
    """Stop the server that this process started, if any; leave other servers running."""
    with _lock:
        tool = _connections.pop(_key(), None)
        if tool is not None:
            tool.close()
        if _key()[1].endswith(f"#{os.getpid()}"):
            del os.environ[VARIABLE]


@dataclass(frozen=True)
class LanguageToolChecker:
    """A checker that sends each Doc to LanguageTool as a separate request."""

    name: str = "languagetool"

    @property
    def signature(self) -> str:
        """Version of LanguageTool and variety of English; reading this property starts the server."""
        return f"{self.name}:{version()}|{LANGUAGE}"

    def check(self, docs: Sequence[Doc]) -> list[Matches]:
        """Return the findings of each Doc."""
        return list(map(_check, docs))


def _check(doc: Doc) -> Matches:
    """Return the findings of a Doc; an empty text is not sent."""
    text = _sent(doc)
    if not text.strip():
        return Matches(())
    matches, problem = _ask(text)
    return Matches(tuple(sorted(_match(doc, text, match) for match in matches)), problem)


def _ask(text: str) -> tuple[Sequence[Any], str]:
    """Return the matches of a text, or the reason why it could not be checked.

    If this process started the server, the package restarts it after a crash and repeats the request. If the server
    belongs to another process or to the user, its address is looked up again, and the request is repeated once.
    """
    with _lock:
        for _ in range(2):
            tool = _connection()
            try:
                return tool.check(text), ""
            except ServerError as error:
                raise NaturalnessError(
                    f"LanguageTool crashed and cannot be started again ({first_line(error)}); run: naturalness doctor"
                ) from None
            except LanguageToolError as error:
                if isinstance(error.__cause__, ValueError):  # the server answered with a message, not JSON
                    return (), f"LanguageTool returned {first_line(error)}"
                if not tool.is_remote:
                    break
                del _connections[_key()]
            except (KeyError, TypeError, ValueError):
                return (), "LanguageTool returned an answer of another form"
        return (), CRASHED


def _sent(doc: Doc) -> str:
    """Return the text with an empty line between paragraphs.

    Without it, LanguageTool would read a headline and the following text as one sentence.
    """
    starts = source_of(doc).breaks
    pieces = [doc.text[a:b] for a, b in zip((0, *starts), (*starts, len(doc.text) + 1), strict=True)]
    return PARAGRAPHS.join([*(piece[:-1] for piece in pieces[:-1]), pieces[-1]])


def _match(doc: Doc, text: str, match: Any) -> Match:
    """Return a match in the text that was sent, with its offsets in the original text."""
    start = min(max(match.offset, 0), len(text))
    # The package converts offsets to characters, but leaves lengths in UTF-16 units (two for an emoji).
    units = text[start:].encode("utf-16-le", "surrogatepass")[: 2 * match.error_length]
    end = start + len(units.decode("utf-16-le", "ignore"))
    # A paragraph break is one character in the Doc (a space), but two in the text that was sent.
    breaks = [offset + i + 1 for i, offset in enumerate(source_of(doc).breaks)]
    span = original_span(doc, *(offset - bisect_right(breaks, offset) for offset in (start, end)))
    return Match(
        *span,
        rule=match.rule_id,
        category=match.category,
        message=match.message,
        suggestions=tuple(match.replacements[:MAX_SUGGESTIONS]),
        severity=ISSUE_TYPES.get(match.rule_issue_type, "warning"),
    )
