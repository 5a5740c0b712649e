"""Access tokens, and tickets for single use."""

from __future__ import annotations

import base64
import hashlib
import hmac
import os
import secrets
import stat
from pathlib import Path

from naturalness.errors import NaturalnessError
from naturalness.files.storage import user_folder

VARIABLE = "NATURALNESS_TOKEN"
"""The environment variable that may hold a token."""
MIN_TOKEN_CHARACTERS = 16
"""Minimum number of characters in a token: a shorter one can be guessed."""


class Access:
    """Access control; if the token is empty, every client has access."""

    def __init__(self, token: str = "") -> None:
        self.token = token
        self._ticket = ""

    @property
    def cookie(self) -> str:
        """The name of the cookie. Each server has its own, since browsers send cookies to all ports of a host."""
        return "naturalness_" + self._derived("name")[:12]

    @property
    def stamp(self) -> str:
        """The value of the cookie; it is derived from the token, so that a leaked cookie does not reveal the token."""
        return self._derived("cookie")

    def ticket(self) -> str:
        """Return a new ticket, which replaces an earlier one.

        It is accepted once in place of the token, so an address with it need not be secret.
        """
        self._ticket = make_token()
        return self._ticket

    def is_token(self, candidate: str) -> bool:
        """Return whether the candidate is the token, compared in constant time."""
        return _same(candidate, self.token)

    def is_pass(self, candidate: str) -> bool:
        """Return whether the candidate is the value of the cookie."""
        return _same(candidate, self.stamp)

    def opens(self, candidate: str) -> bool:
        """Return whether the candidate is the token or a valid ticket; a ticket is invalid afterwards."""
        if _same(candidate, self._ticket):
            self._ticket = ""
            return True
        return self.is_token(candidate)

    def _derived(self, purpose: str) -> str:
        return hmac.new(self.token.encode(), purpose.encode(), hashlib.sha256).hexdigest()


def _same(candidate: str, known: str) -> bool:
    return hmac.compare_digest(candidate.encode("utf-8", "replace"), known.encode()) and bool(known)


def make_token() -> str:
    """Return a new random token."""
    return secrets.token_urlsafe(24)


def read_token(path: str | None) -> str:
    """Return the token from a file or, if no path is given, from the environment variable; empty if neither has one."""
    if path is None:
        return _checked(os.environ.get(VARIABLE, ""), f"environment variable {VARIABLE}")
    try:
        with Path(path).open(encoding="utf-8") as file:
            mode = os.fstat(file.fileno()).st_mode
            token = file.read(4096)
    except (OSError, UnicodeDecodeError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "it is not text"
        raise NaturalnessError(f"cannot read the token from {path!r}: {reason}") from None
    if os.name == "posix" and mode & (stat.S_IRGRP | stat.S_IROTH) and stat.S_ISREG(mode):
        raise NaturalnessError(f"other users can read the token in {path!r}; run: chmod 600 {path}")
    return _checked(token, f"file {path!r}") or _missing(path)


def _missing(path: str) -> str:
    raise NaturalnessError(
        f"file {path!r} holds no token; write one: python -c 'import secrets; print(secrets.token_urlsafe())'"
    )


def _checked(token: str, where: str) -> str:
    """Return the token; raise if it is too short or not valid in a header. Error messages do not show it."""
    token = token.strip()
    if token and not (token.isascii() and token.isprintable() and " " not in token):
        raise NaturalnessError(f"the token of {where} must be one line of plain characters")
    if token and len(token) < MIN_TOKEN_CHARACTERS:
        raise NaturalnessError(
            f"the token of {where} has {len(token)} characters; expected at least {MIN_TOKEN_CHARACTERS}"
        )
    return token


SECRET = Path("naturalness") / "secret"
SECRET_BYTES = 32


def project_token(project: Path) -> str:
    """Return the token of the project at this path, or a new one at each start if no secret can be stored."""
    try:
        secret = _secret(user_folder("XDG_STATE_HOME") / SECRET)
    except (OSError, RuntimeError):  # RuntimeError: the home folder is unknown
        return make_token()
    digest = hmac.new(secret, os.fsencode(project.resolve()), hashlib.sha256).digest()
    return base64.urlsafe_b64encode(digest[:24]).decode()


def _secret(path: Path) -> bytes:
    """Return this user's secret; create it if missing, and reject one that other users can read."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        secret = path.read_bytes()
        others = os.name == "posix" and path.stat().st_mode & 0o077
        if len(secret) == SECRET_BYTES and not others:
            return secret
        raise OSError(f"{path} is no secret") from None
    with os.fdopen(handle, "wb") as file:
        secret = secrets.token_bytes(SECRET_BYTES)
        file.write(secret)
    return secret
