"""LanguageTool on this machine: Java and the program, how to get them, and the life of a server that we start."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from naturalness.errors import NaturalnessError, first_line
from naturalness.files.resources import require_package
from naturalness.models.checkers.languagetool import client

if TYPE_CHECKING:
    from language_tool_python.download_lt import LocalLanguageTool


OLDEST_JAVA = 17
JAVA_SECONDS = 20
"""Limit for ``java -version``, which takes a tenth of a second on an idle machine."""
HEAP = 1024
"""Megabytes that the server may use for its objects; with two threads it takes 400."""
CHECK_SECONDS = 90
"""After which the server itself gives up on a text: more than `asking.limit` allows any."""
THREADS = 64
"""More than will ask at once: a request that waited for a thread would look like a dead server."""
JAVA_OPTIONS = (
    f"-Xmx{HEAP}m",
    "-XX:+ExitOnOutOfMemoryError",  # a server that ends is started again; a crippled one is not
    "-XX:+UseSerialGC",  # takes the least memory, and as little time as any with so small a heap
    # The quick compiler alone: half the time until the first answer, a quarter less for the next
    # 500 sentences; from about 5,000 on the thorough one would pay too.
    "-XX:TieredStopAtLevel=1",
    "-Dfile.encoding=UTF-8",
    "-Duser.language=en",  # of messages
    "-Duser.country=US",
)
CONFIGURATION = f"""pipelineCaching=true
maxPipelinePoolSize={THREADS}
pipelineExpireTimeInSeconds=86400
maxCheckThreads={THREADS}
maxCheckTimeMillis={CHECK_SECONDS * 1000}
"""
"""Of the server. Pipelines are its rules, set up: where they are cached, a sentence takes a third of the time."""
MAIN_CLASS = "org.languagetool.server.HTTPServer"
HOW_TO_DOWNLOAD = (
    "run: python -m naturalness.models.checkers.languagetool (250 MB, once), or set LTP_PATH to "
    "a folder that holds LanguageTool-VERSION"
)


def command(port: int, configuration: Path) -> list[str]:
    """Return the command that starts a server on a port of the loopback address."""
    tool, java = find_languagetool(), find_java()
    return [
        java,
        *JAVA_OPTIONS,
        "-cp",
        str(tool.get_jar_path()),
        MAIN_CLASS,
        "--port",
        str(port),
        "--config",
        str(configuration),
    ]


def find_java() -> str:
    """Return the path of a Java that is new enough."""
    java = shutil.which("java")
    if java is None:
        raise NaturalnessError(
            f"LanguageTool needs Java {OLDEST_JAVA} or newer and there is no `java` on the PATH; "
            "install it (Debian, Ubuntu: apt-get install default-jre-headless; else adoptium.net)"
        )
    version = _java_version(java)
    if version < OLDEST_JAVA:
        raise NaturalnessError(
            f"LanguageTool needs Java {OLDEST_JAVA} or newer, found Java {version} at {java}; "
            "install a newer one and put it first on the PATH"
        )
    return java


@cache
def _java_version(java: str) -> int:
    """Return 17 of ``17.0.15``, 8 of ``1.8.0``."""
    try:
        done = subprocess.run(
            [java, "-version"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=JAVA_SECONDS,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise NaturalnessError(f"{java} does not work ({error}); install Java again") from None
    match = re.search(r'version "(?:1\.)?(\d+)', done.stderr + done.stdout)
    if match is None:
        lines = (done.stderr + done.stdout).strip().splitlines() or ["nothing"]
        raise NaturalnessError(f"`{java} -version` printed no version but {lines[0]!r:.100}; install Java again")
    return int(match.group(1))


def _require_package() -> None:
    require_package("language_tool_python", user="LanguageTool", extra="languagetool")


def find_languagetool() -> LocalLanguageTool:
    """Return LanguageTool in the download folder: the version that would be downloaded, else the newest."""
    _require_package()
    from language_tool_python.download_lt import LocalLanguageTool

    expected = LocalLanguageTool.from_version_name()
    try:
        installed = LocalLanguageTool.get_installed_versions()
        # An unfinished download, or a folder of another kind, has no program in it.
        usable = [tool for tool in installed if _has_program(tool)]
    except OSError as error:
        raise NaturalnessError(f"LanguageTool cannot be searched for ({error}); {HOW_TO_DOWNLOAD}") from None
    if not usable:
        raise NaturalnessError(f"no LanguageTool in {folder()}; {HOW_TO_DOWNLOAD}")
    return expected if expected in usable else max(usable)


def _has_program(tool: LocalLanguageTool) -> bool:
    try:
        return tool.get_jar_path().is_file()
    except FileNotFoundError:
        return False


def folder() -> Path:
    """Return where language-tool-python stores its downloads: LTP_PATH, or its folder in ~/.cache."""
    _require_package()
    from language_tool_python.utils import get_language_tool_download_path

    return get_language_tool_download_path()


def download() -> Path:
    """Download LanguageTool unless it is here, and return its program; needs Java and a network."""
    find_java()
    _require_package()
    from language_tool_python.download_lt import LocalLanguageTool
    from language_tool_python.exceptions import LanguageToolError

    expected = LocalLanguageTool.from_version_name()
    try:
        expected.download()
        return expected.get_jar_path()
    except (LanguageToolError, OSError) as error:  # what `requests` raises is an OSError too
        raise NaturalnessError(
            f"LanguageTool cannot be downloaded ({first_line(error)}); check network and space, or "
            "unpack it by hand and set LTP_PATH to the folder that holds LanguageTool-VERSION"
        ) from None


WATCHER = Path(__file__).with_name("watcher.py")
START_SECONDS = 30
"""Until a server answers; one to three seconds on an idle machine."""
TRIES = 3
"""Ports that are tried: between finding a free one and opening it another program may take it."""
BETWEEN_LOOKS = 0.1
STOP_SECONDS = 5


class Server:
    """A running server and the watcher that will end it."""

    def __init__(self, watcher: subprocess.Popen[bytes], port: int) -> None:
        self.watcher = watcher
        self.address = f"http://127.0.0.1:{port}"
        self.output = ""
        """What it said at its end, where that was not ours."""

    def alive(self) -> bool:
        """Return whether the process runs; it may hang all the same."""
        return self.watcher.poll() is None

    def stop(self) -> None:
        """End Java and watcher, and wait until they have ended."""
        if self.watcher.stdin is not None:
            with contextlib.suppress(OSError):
                self.watcher.stdin.close()  # on which the watcher ends Java, and then itself
        try:
            self.watcher.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self.watcher.kill()
            self.watcher.wait()
        if sys.platform != "win32":
            # If the watcher was killed, Java is still running in its group.
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.watcher.pid, signal.SIGKILL)
        if self.watcher.stderr is not None and not self.watcher.stderr.closed:
            self.output = self.watcher.stderr.read().decode("utf-8", "replace")
            self.watcher.stderr.close()

    def last_words(self) -> str:
        """Return why it ended, in its own words."""
        lines = [line.strip() for line in self.output.splitlines()]
        # A stack of calls says least in its last line, and the last cause most.
        causes = [line for line in lines if line.startswith("Caused by:")]
        errors = [line for line in lines if "Exception" in line or "Error" in line]
        return (causes[-1:] or errors[:1] or lines[-1:] or ["without a word"])[0][:300]


def start() -> Server:
    """Start a server on a free port of the loopback address, within `START_SECONDS`."""
    end = time.monotonic() + START_SECONDS
    reason = ""
    with tempfile.TemporaryDirectory(prefix="naturalness-") as folder:
        configuration = Path(folder) / "server.properties"
        configuration.write_text(CONFIGURATION, encoding="utf-8")
        for _ in range(TRIES):
            port = _free_port()
            server = Server(_launch(command(port, configuration)), port)
            try:
                if _comes_up(server, end):
                    return server
                still_runs = server.alive()
            except BaseException:
                server.stop()
                raise
            server.stop()
            if still_runs:
                raise NaturalnessError(
                    f"LanguageTool did not answer within {START_SECONDS} seconds of its start; try "
                    "again when the machine is less busy"
                )
            reason = server.last_words()
    raise NaturalnessError(
        f"LanguageTool crashed at its start: {reason}; check that Java and LanguageTool "
        "are fully installed; run: naturalness doctor"
    )


def _comes_up(server: Server, end: float) -> bool:
    """Wait until a server answers; False where it ended or time is up."""
    while server.alive() and (left := end - time.monotonic()) > 0:
        if client.answers(server.address, min(left, 2.0)):
            # If another server of ours took the port meanwhile, no answer is wrong:
            # this one ends for want of a port, and `sharing.address` starts another.
            return True
        time.sleep(BETWEEN_LOOKS)
    return False


def _launch(command: list[str]) -> subprocess.Popen[bytes]:
    """Start the watcher, which starts the command.

    It has a session of its own, so that Ctrl-C at the terminal does not end it before we are done.
    """
    return subprocess.Popen(
        [sys.executable, "-I", "-S", str(WATCHER), str(os.getpid()), *command],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
