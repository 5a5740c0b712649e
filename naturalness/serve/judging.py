"""What the model says of texts, one bad text or not: the only code that touches the model."""

from __future__ import annotations

import hashlib
import logging
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from naturalness.errors import NaturalnessError
from naturalness.explaining.explanation import Explanation
from naturalness.files.folder import MANIFEST
from naturalness.pipelines.scorer import load_model
from naturalness.serve.limits import EDITED

if TYPE_CHECKING:
    from naturalness.pipelines.scorer import NaturalnessModel

BROKEN = "no score: something in this text broke the model"
LOG = logging.getLogger("naturalness")
FIRST = "A sentence to begin with."


class Judged(NamedTuple):
    """The score of a text."""

    naturalness: float
    """0..1; NaN where there is none."""
    label: str | None
    reason: str
    """Why there is no score, or which features it was made without; else empty."""


class Judge:
    """A model that answers for every text; it belongs to one thread at a time."""

    def __init__(self, name: str, *, changed_assets: bool = False) -> None:
        self.model: NaturalnessModel = load_model(name, changed_assets=changed_assets)
        folder = self.model.folder
        assert folder is not None
        self.name = self.model.name
        self.checksum = hashlib.sha256((folder / MANIFEST).read_bytes()).hexdigest()[:16]

    def warm(self, *, edits: bool = False) -> None:
        """Open what a score needs, or what explanations need besides, before anybody waits."""
        if edits:
            self.model.explain([FIRST], edits=1)
        else:
            self.model.score([FIRST])

    def score(self, texts: Sequence[str]) -> list[Judged]:
        """One for each text; what breaks one of them costs no other its score."""
        try:
            found = self.model.score(texts, batch_size=max(len(texts), 1))
            return list(map(Judged, found.naturalness, found.labels, found.reasons))
        except NaturalnessError:
            raise  # of the installation, not of a text
        except Exception:
            if len(texts) == 1:
                LOG.warning("a text could not be scored", exc_info=True)
                return [Judged(math.nan, None, BROKEN)]
            return [one for text in texts for one in self.score([text])]

    def explain(self, text: str, edits: int) -> Explanation:
        """Why a text has its score; one that breaks something has none, a long one no edits."""
        try:
            return self.model.explain([text], edits=edits if len(text) <= EDITED else 0)[0]
        except NaturalnessError:
            raise
        except Exception:
            LOG.warning("a text could not be explained", exc_info=True)
            return without(text, BROKEN, self.model.unit)


def without(text: str, reason: str, unit: str) -> Explanation:
    """The explanation of a text without a score."""
    nan = math.nan
    return Explanation(text, nan, nan, nan, None, reason, unit, nan, nan, (), ())
