"""The detector that comes with the package, opened once per process."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from naturalness.models.detector.network import Network, open_network
from naturalness.resources import assets_folder, load_manifest, locate

ASSET = "detector"


@dataclass(frozen=True, slots=True)
class Detector:
    """A network, and the name under which its findings are kept."""

    signature: str
    network: Network


def detector() -> Detector:
    """The shipped detector."""
    return _open(str(assets_folder()))


@cache
def _open(folder: str) -> Detector:
    return Detector(f"{ASSET}:{load_manifest()[ASSET].checksum}", open_network(locate(ASSET)))
