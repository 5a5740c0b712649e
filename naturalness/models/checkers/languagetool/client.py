"""Requests to a LanguageTool server, each limited in time.

One connection per request: on a connection that stays open Java's server answers 40 ms late, for it sends an
answer in two packets and waits for the first to be acknowledged.
"""

from __future__ import annotations

import http.client
import json
import time
import urllib.parse
from collections.abc import Mapping
from typing import Any

from naturalness.errors import NaturalnessError

MAX_BYTES = 1 << 26
"""Of an answer; for the longest text, with a finding at every word, it has some 10 MB."""
READ = 1 << 16
PROBE = "This is a test."


class Unreachable(Exception):
    """There is no answer, or the connection broke off."""


class TooSlow(Exception):
    """No answer in time."""


class Refused(Exception):
    """The answer is an error, or does not come from LanguageTool."""


def check_address(address: str) -> str:
    """Return an address without a slash at its end; refuse what is not one."""
    parts = urllib.parse.urlsplit(address)
    try:
        sound = parts.scheme in {"http", "https"} and parts.hostname and parts.port != 0
    except ValueError:  # a port that is no number
        sound = False
    if not sound:
        raise NaturalnessError(f"{address!r} is not the address of a LanguageTool server; expected http://HOST:PORT")
    return address.rstrip("/").removesuffix("/v2")


def check(address: str, text: str, *, language: str, seconds: float) -> list[dict[str, Any]]:
    """Return the matches of a text as the server reports them."""
    return list(_check(address, text, language, seconds)["matches"])


def version_of(address: str, *, language: str, seconds: float) -> str:
    """Return the version of the LanguageTool that answers, after it has checked a first sentence.

    The first check takes seconds, for only then does the server read its rules.
    """
    return str(_check(address, PROBE, language, seconds)["software"]["version"])


def answers(address: str, seconds: float) -> bool:
    """Return whether a server answers at all."""
    try:
        _ask(address, "/v2/healthcheck", None, seconds)
    except Refused:
        return True
    except (Unreachable, TooSlow):
        return False
    return True


def _check(address: str, text: str, language: str, seconds: float) -> dict[str, Any]:
    body = _ask(address, "/v2/check", {"language": language, "text": text}, seconds)
    try:
        answer = json.loads(body)
        sound = (
            answer["software"]["name"] == "LanguageTool"
            and isinstance(answer["software"]["version"], str)
            and all(_is_match(match) for match in answer["matches"])
        )
    except (ValueError, KeyError, TypeError):
        sound = False
    if not sound:
        raise Refused(f"an answer that is not from LanguageTool: {body[:60]!r}")
    return dict(answer)


def _is_match(match: Any) -> bool:
    """Return whether a match has what is read of it."""
    rule = match["rule"]
    return (
        isinstance(match["offset"], int)
        and isinstance(match["length"], int)
        and isinstance(match["message"], str)
        and isinstance(rule["id"], str)
        and isinstance(rule["category"]["id"], str)
        and all(isinstance(new.get("value", ""), str) for new in match["replacements"])
    )


def _ask(address: str, path: str, fields: Mapping[str, str] | None, seconds: float) -> bytes:
    """Return the body of the answer to GET, or to POST where there are fields."""
    parts = urllib.parse.urlsplit(address)
    secure = parts.scheme == "https"
    kind = http.client.HTTPSConnection if secure else http.client.HTTPConnection
    body = None if fields is None else urllib.parse.urlencode(fields, errors="replace").encode()
    headers = {"Connection": "close", "Accept": "application/json"}
    if body is not None:
        headers["Content-Type"] = "application/x-www-form-urlencoded"
    end = time.monotonic() + seconds
    connection = kind(parts.netloc.rpartition("@")[2], timeout=seconds)
    try:
        connection.request("GET" if body is None else "POST", parts.path + path, body, headers)
        response = connection.getresponse()
        answer = _read(response, end)
    except TimeoutError:
        raise TooSlow from None
    except (OSError, http.client.HTTPException) as error:
        raise Unreachable(str(error) or type(error).__name__) from None
    finally:
        connection.close()
    if response.status != http.client.OK:
        lines = answer.decode("utf-8", "replace").strip().splitlines() or [response.reason]
        raise Refused(f"{response.status} {lines[0]:.200}")
    return answer


def _read(response: http.client.HTTPResponse, end: float) -> bytes:
    """Read a whole body; the time limit of a socket alone applies to each packet."""
    body = bytearray()
    while chunk := response.read1(READ):
        body += chunk
        if time.monotonic() > end:
            raise TimeoutError
        if len(body) > MAX_BYTES:
            raise Refused(f"an answer of more than {MAX_BYTES >> 20} MB")
    if response.length:
        raise http.client.IncompleteRead(bytes(body[:0]), response.length)
    return bytes(body)
