"""The damage detector: which words of a sentence are out of place, and how sound it is as a whole.

A small encoder (six layers of MiniLM, Wang et al. 2020) that learned to tell corpus sentences from
the same under damage of fourteen kinds; no rating had a part in it. It knows no capitals.
"""

from naturalness.models.detector.reading import DOUBTFUL, NOTHING, Detected, Part, detect
from naturalness.models.detector.shipped import ASSET, KINDS, detector

__all__ = ["ASSET", "DOUBTFUL", "KINDS", "NOTHING", "Detected", "Part", "detect", "detector"]
