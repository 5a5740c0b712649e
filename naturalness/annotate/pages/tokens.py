"""The token of a project: the same each time, so that open pages go on after a restart.

It is made of the project's place and of a secret that only its user can read, so that it stands
neither in the project, which may be given to others, nor anywhere else.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import os
import secrets
from pathlib import Path

from naturalness.files.storage import user_folder
from naturalness.web.tokens import make_token

SECRET = Path("naturalness") / "secret"
BYTES = 32


def project_token(project: Path) -> str:
    """The token of the project at this place; a new one each time where no secret can be kept."""
    try:
        secret = _secret(user_folder("XDG_STATE_HOME") / SECRET)
    except (OSError, RuntimeError):  # RuntimeError: nobody's home
        return make_token()
    told = hmac.new(secret, os.fsencode(project.resolve()), hashlib.sha256).digest()
    return base64.urlsafe_b64encode(told[:24]).decode()


def _secret(path: Path) -> bytes:
    """The secret of this user; made where there is none, and never one that others may know."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        found = path.read_bytes()
        others = os.name == "posix" and path.stat().st_mode & 0o077
        if len(found) == BYTES and not others:
            return found
        raise OSError(f"{path} is no secret") from None
    with os.fdopen(handle, "wb") as file:
        made = secrets.token_bytes(BYTES)
        file.write(made)
    return made
