"""How acceptable a sentence is as English: layers on top of the damage detector's lower ones.

They learned from corpus sentences under damage, as learners' slips and as generators' are, and from
ratings of texts on which GRUEN is not measured (training/README). The paper has BERT, trained on
the linguists' sentences of CoLA.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.errors import AssetError
from naturalness.files.resources import assets_folder, load_manifest, locate
from naturalness.models.detector import detector
from naturalness.models.metrics.gruen.text import States, Text
from naturalness.models.networks import Session

ASSET, NETWORK = "acceptability", "acceptability.onnx"


@dataclass(frozen=True, slots=True)
class AcceptabilityHead:
    """Tells how acceptable a sentence is."""

    signature: str
    session: Session

    def logit(self, inner: States) -> float:
        """Of the sentence whose pieces are so; higher is better."""
        return float(self.session.run(("acceptable",), {"inner": inner})[0][0, 0])

    def probabilities(self, text: Text) -> FloatArray:
        """0..1 for each sentence, higher is better."""
        logits = np.array([self.logit(inner) for inner in text.inner], np.float64)
        found: FloatArray = np.exp(-np.logaddexp(0.0, -logits))
        return found


def acceptability_head() -> AcceptabilityHead:
    """The shipped one, opened once per process."""
    return _open(str(assets_folder()))


@cache
def _open(folder: str) -> AcceptabilityHead:
    session = Session(locate(ASSET))  # its only file
    if session.inputs != ("inner",) or session.outputs != ("acceptable",):
        raise AssetError(
            "the acceptability head has other inputs and outputs than this release reads; install "
            "assets and package of the same release"
        )
    known = load_manifest()[ASSET].checksum
    return AcceptabilityHead(f"{ASSET}:{known},{detector().signature}", session)
