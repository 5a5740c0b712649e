"""One server for a tree of processes, named by an environment variable that children inherit.

`VARIABLE` holds ``http://HOST:PORT`` where the user runs a server: it is used as it is, never
stopped and never started again. A process that starts a server of its own puts it there as
``http://127.0.0.1:PORT#PID``, and workers that are started later use it: only that process ends it
and starts it again. A worker that finds the shared server dead starts one of its own, for itself
and its children, rather than make out with others who is to do it: a server too many costs memory,
a wrong one results. Workers that were started before their parent's server each start their own,
so `address` is to be called first.
"""

from __future__ import annotations

import atexit
import os
import threading

from naturalness.errors import NaturalnessError
from naturalness.models.checkers.languagetool import client, server
from naturalness.models.checkers.languagetool.server import Server

VARIABLE = "NATURALNESS_LANGUAGETOOL"
LANGUAGE = "en-US"
FIRST_SECONDS = 90
"""Limit for the first check, for which a server reads its rules; it took 3 to 17 seconds."""
ALIVE_SECONDS = 5
"""In which a sound server shows that it is alive, however busy."""


class _State:
    """What this process knows; forked children start afresh."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.server: Server | None = None
        self.pid = os.getpid()
        self.versions: dict[str, str] = {}
        """Of the servers that work, by address."""


_state = _State()


def _begin_anew() -> None:
    """Start afresh in a forked child: the server is the parent's, and nobody here holds the lock."""
    global _state
    _state = _State()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_begin_anew)


def address() -> str:
    """Return the address of a server that has answered; start one where there is none."""
    with _state.lock:
        shared, owner = named()
        if shared and not owner:
            if reason := _unsound(shared):
                raise NaturalnessError(
                    f"the LanguageTool server that {VARIABLE} names, {shared}, cannot be used "
                    f"({reason}); start one there, or unset the variable, so that one is started "
                    "here"
                )
            return shared
        if _state.server is not None:
            if _state.server.alive():
                return _state.server.address
            close()
        elif shared and owner != str(os.getpid()) and not _unsound(shared):
            return shared
        return _start()


def renew(dead: str) -> str:
    """Return the address of a live server, for a caller whose server at ``dead`` no longer answers."""
    with _state.lock:
        shared, owner = named()
        ours = _state.server.address if _state.server is not None else ""
        if dead not in (shared, ours) or client.answers(dead, ALIVE_SECONDS):
            return address()  # it was renewed since, or lives after all
        _state.versions.pop(dead, None)
        if shared == dead and not owner:
            raise NaturalnessError(
                f"the LanguageTool server that {VARIABLE} names, {dead}, no longer answers; start "
                "it again, or unset the variable, so that one is started here"
            )
        close()
        return _start()


def close() -> None:
    """End the server of this process, if it has one; leave others alone."""
    with _state.lock:
        server_here, _state.server = _state.server, None
        if server_here is None:
            return
        if os.environ.get(VARIABLE) == _label(server_here):
            del os.environ[VARIABLE]
        _state.versions.pop(server_here.address, None)
        server_here.stop()


atexit.register(close)


def available() -> str:
    """Return why LanguageTool cannot be used here and what to do; empty where it can. Starts nothing."""
    try:
        shared, owner = named()
        if shared and not owner:
            address()
        elif not (shared and client.answers(shared, ALIVE_SECONDS)):
            server.find_java()
            server.find_languagetool()
    except NaturalnessError as error:
        return str(error)
    return ""


def version() -> str:
    """Return the version that the server reports; start one where there is none."""
    here = address()
    return _state.versions[here]


def named() -> tuple[str, str]:
    """Return the address in the environment and the process that started that server; empty where none."""
    shared, _, owner = os.environ.get(VARIABLE, "").strip().partition("#")
    return (client.check_address(shared) if shared else "", owner)


def _label(running: Server) -> str:
    return f"{running.address}#{_state.pid}"


def _start() -> str:
    started = server.start()
    try:
        reason = _unsound(started.address)
    except BaseException:
        started.stop()
        raise
    if reason:
        started.stop()
        raise NaturalnessError(
            f"LanguageTool started but cannot check ({reason}); try again when the machine is "
            "less busy, or run: naturalness doctor"
        )
    _state.server = started
    os.environ[VARIABLE] = _label(started)
    return started.address


def _unsound(server_address: str) -> str:
    """Return why a server cannot check a first sentence; empty where it can, which is tried once."""
    if server_address in _state.versions:
        return ""
    if not client.answers(server_address, ALIVE_SECONDS):
        return "it does not answer"
    try:
        version = client.version_of(server_address, language=LANGUAGE, seconds=FIRST_SECONDS)
    except client.TooSlow:
        return f"no answer within {FIRST_SECONDS} seconds"
    except (client.Unreachable, client.Refused) as error:
        return str(error)
    _state.versions[server_address] = version
    return ""
