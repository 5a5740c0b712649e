"""The command on a real port: concurrent, disconnecting and foreign clients."""

from __future__ import annotations

import http.client
import json
import signal
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from naturalness.studio.serve.worker import Judge
from tests.support.servers import Server, serving

CLIENTS = 24
NOUN_PHRASES = ("the river", "an old house", "the last train", "my sister", "a red car", "the station")
TEXTS = [
    f"{start} {phrase}{end}"
    for phrase in NOUN_PHRASES
    for start, end in (("We saw", " yesterday."), ("Saw yesterday we", ""), ("They sees", "."))
]


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """Start a server for all tests that leave it running."""
    with serving() as running:
        yield running


@pytest.mark.slow
def test_concurrent_clients_get_the_scores_of_the_model(server: Server, judge: Judge) -> None:
    """Scores are exact while other clients send slow and unusable texts."""
    scores = dict(zip(TEXTS, judge.model.score(TEXTS).naturalness, strict=True))
    slow = "He said that the weather had been fine when they came home. " * 60

    def ask(number: int) -> list[tuple[str, float]]:
        chosen = [TEXTS[(number * 5 + i) % len(TEXTS)] for i in range(1 + number % 4)]
        status, answer = server.ask("/score", {"texts": chosen})
        assert status == 200
        return list(zip(chosen, [one["naturalness"] for one in answer["scores"]], strict=True))

    with ThreadPoolExecutor(CLIENTS) as pool:
        odd = [
            pool.submit(server.ask, "/explain", {"texts": [slow[:4000]], "edits": 3}),
            pool.submit(server.ask, "/score", {"texts": [slow[:4000], "\0", "?!" * 400, "\ud800"]}),
        ]
        for pairs in pool.map(ask, range(4 * CLIENTS)):
            for text, value in pairs:
                assert value == scores[text]
        for one in odd:
            assert one.result()[0] == 200


def test_texts_of_a_disconnected_client_are_dropped(server: Server) -> None:
    """The texts of a disconnected client are dropped."""
    texts = [f"A text number {i} that nobody will wait for, ever." for i in range(50)]
    body = json.dumps({"texts": texts, "edits": 3})
    line = http.client.HTTPConnection("127.0.0.1", server.port)
    line.request("POST", "/explain", body, {"content-type": "application/json"})
    for _ in range(100):
        if server.ask("/health")[1]["waiting"] > 0:
            break
        time.sleep(0.02)
    line.close()
    deadline = time.monotonic() + 20
    while server.ask("/health")[1]["waiting"] and time.monotonic() < deadline:
        time.sleep(0.05)
    assert server.ask("/health")[1]["waiting"] == 0
    assert server.ask("/score", {"texts": ["Here is somebody else."]})[0] == 200


def test_foreign_requests_are_refused(server: Server) -> None:
    """Foreign host names, origins and content types are refused."""
    body = {"texts": ["One."]}
    assert server.ask("/score", body, Host="evil.example")[0] == 421
    assert server.ask("/score", body, Origin="http://evil.example")[0] == 403
    assert server.ask("/score", body, **{"content-type": "text/plain"})[0] == 415
    assert (
        server.ask("/score", body, Origin=f"http://127.0.0.1:{server.port}", Host=f"127.0.0.1:{server.port}")[0] == 200
    )


@pytest.mark.slow
def test_other_hosts_need_a_token(tmp_path: Path) -> None:
    """A generated token is printed; the user's token is not."""
    with serving("--host", "0.0.0.0") as server:
        assert "not encrypted" in server.messages
        token = server.address.partition("?token=")[2]
        assert len(token) >= 32
        assert server.ask("/health")[0] == 401
        assert server.ask("/health", Authorization=f"Bearer {token}")[0] == 200
        server.process.send_signal(signal.SIGTERM)
        _, err = server.process.communicate(timeout=30)
        assert (server.process.returncode, err) == (0, "stopped\n")
    file = tmp_path / "token"
    file.write_text("a-token-that-I-made-up")
    file.chmod(0o600)
    with serving("--token-file", str(file)) as server:
        assert "made-up" not in server.messages and "with your token" in server.messages
        assert server.ask("/health")[0] == 401
        assert server.ask("/health", Authorization="Bearer a-token-that-I-made-up")[0] == 200
