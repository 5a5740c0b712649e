"""Java and LanguageTool on this machine: where they are, what is missing, how to get it."""

from __future__ import annotations

import re
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from naturalness.errors import NaturalnessError

if TYPE_CHECKING:
    from language_tool_python.download_lt import LocalLanguageTool

OLDEST_JAVA = 17
JAVA_SECONDS = 20
"""What ``java -version`` may take; it is a tenth of a second on a free machine."""
HEAP = 1024
"""Megabytes that the server may use for its objects; with two threads it takes 400."""
CHECK_SECONDS = 90
"""After which the server itself gives a text up: more than `asking.limit` gives any text."""
THREADS = 64
"""More than will ask at once: a request that waited for a thread would look like a dead server."""
JAVA_OPTIONS = (
    f"-Xmx{HEAP}m",
    "-XX:+ExitOnOutOfMemoryError",  # a server that ends is started again; a crippled one is not
    "-XX:+UseSerialGC",  # takes the least memory, and as little time as any with so small a heap
    # The quick compiler alone: half the time until the first answer, a quarter less for the next
    # 500 sentences; from about 5,000 on it would pay to have let the thorough one work too.
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
"""Of the server. Pipelines are its rules, set up: kept, a sentence takes a third of the time."""
MAIN_CLASS = "org.languagetool.server.HTTPServer"
HOW_TO_DOWNLOAD = (
    "run: python -m naturalness.models.checkers.languagetool (250 MB, once), or let LTP_PATH name "
    "a folder that holds LanguageTool-VERSION"
)


def command(port: int, configuration: Path) -> list[str]:
    """The command that starts a server on a port of the loopback address."""
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
    """Path of a Java that is new enough."""
    java = shutil.which("java")
    if java is None:
        raise NaturalnessError(
            f"LanguageTool needs Java {OLDEST_JAVA} or newer and there is no `java` on the PATH; "
            "install it (Debian, Ubuntu: apt-get install default-jre-headless; else adoptium.net)"
        )
    found = _java_version(java)
    if found < OLDEST_JAVA:
        raise NaturalnessError(
            f"LanguageTool needs Java {OLDEST_JAVA} or newer, found Java {found} at {java}; "
            "install a newer one and put it first on the PATH"
        )
    return java


@cache
def _java_version(java: str) -> int:
    """17 of ``17.0.15``; 8 of ``1.8.0``."""
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
    told = re.search(r'version "(?:1\.)?(\d+)', done.stderr + done.stdout)
    if told is None:
        lines = (done.stderr + done.stdout).strip().splitlines() or ["nothing"]
        raise NaturalnessError(f"`{java} -version` told no version but {lines[0]!r:.100}; install Java again")
    return int(told.group(1))


def find_languagetool() -> LocalLanguageTool:
    """LanguageTool in the folder of downloads: the version that is downloaded, else the newest."""
    from language_tool_python.download_lt import LocalLanguageTool

    wanted = LocalLanguageTool.from_version_name()
    try:
        found = LocalLanguageTool.get_installed_versions()
        # An unfinished download, or a folder of another kind, has no program in it.
        usable = [tool for tool in found if _has_program(tool)]
    except OSError as error:
        raise NaturalnessError(f"LanguageTool cannot be looked for ({error}); {HOW_TO_DOWNLOAD}") from None
    if not usable:
        raise NaturalnessError(f"no LanguageTool in {folder()}; {HOW_TO_DOWNLOAD}")
    return wanted if wanted in usable else max(usable)


def _has_program(tool: LocalLanguageTool) -> bool:
    try:
        return tool.get_jar_path().is_file()
    except FileNotFoundError:
        return False


def folder() -> Path:
    """Where language-tool-python keeps what it downloads: LTP_PATH, or its folder in ~/.cache."""
    from language_tool_python.utils import get_language_tool_download_path

    return get_language_tool_download_path()


def download() -> Path:
    """Download LanguageTool unless it is here, and return its program; needs Java and a network."""
    from language_tool_python.download_lt import LocalLanguageTool
    from language_tool_python.exceptions import LanguageToolError

    find_java()
    wanted = LocalLanguageTool.from_version_name()
    try:
        wanted.download()
        return wanted.get_jar_path()
    except (LanguageToolError, OSError) as error:  # what `requests` raises is an OSError too
        raise NaturalnessError(
            f"LanguageTool cannot be downloaded ({_short(error)}); check network and space, or "
            "unpack it by hand and let LTP_PATH name the folder that holds LanguageTool-VERSION"
        ) from None


def _short(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0][:200]
