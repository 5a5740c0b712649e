"""The detector that comes with the package, opened once per process."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from threading import Lock

from naturalness.errors import AssetError
from naturalness.files.resources import assets_folder, load_manifest, locate
from naturalness.models.detector.network import Network, open_network

ASSET = "detector"
KINDS = (
    "sound",
    "agreement",
    "verb",
    "noun",
    "article",
    "preposition",
    "pronoun",
    "order",
    "repeated",
    "missing",
    "extra",
    "wrong",
    "form",
    "join",
    "spelling",
)
"""What a token may be. *missing* stands on the word behind a gap, *join* on the first one behind
the place where another sentence goes on; every other kind on the words that are wrong."""

OPENING = Lock()
"""A thread may have begun: others wait for what it opens."""


@dataclass(frozen=True, slots=True)
class Detector:
    """A network, and the name under which its findings are kept."""

    signature: str
    network: Network


def detector() -> Detector:
    """The shipped detector."""
    with OPENING:
        return _open(str(assets_folder()))


@cache
def _open(folder: str) -> Detector:
    network = open_network(locate(ASSET))
    if network.kinds != KINDS:
        raise AssetError(
            f"the detector knows other kinds of damage ({', '.join(network.kinds)}) than this "
            "release; install assets and package of the same release"
        )
    return Detector(f"{ASSET}:{load_manifest()[ASSET].checksum}", network)
