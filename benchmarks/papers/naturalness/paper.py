"""The figures and feature names that Groves, Tian & Douratsos (2018) print, and how our setting differs."""

from __future__ import annotations

from collections.abc import Mapping

from naturalness.features import SETS
from training.tables import read_table

Figures = Mapping[str, float]


_PAPER = read_table(__file__, "paper.toml")
OWN_DATA: Mapping[str, Figures] = _PAPER["own_data"]
"""On its own 2,934 translations (512 perfect)."""
SFHOTEL_SFREST: Mapping[str, Figures] = _PAPER["sfhotel_sfrest"]
"""On SFHOTEL and SFREST by single ratings (426 of 1,954 perfect)."""
SINGLE: Mapping[str, Figures] = _PAPER["single"]
"""k nearest neighbours over one feature, on its own data."""
ELEVEN: Figures = _PAPER["eleven"]
"""Random forest over the eleven features that were left, on its own data."""
ELEVEN_FEATURES = SETS["groves-best-11"]
"""Those eleven, by our names."""
INTRODUCTION = """\
Groves, Tian & Douratsos, *Treat the system like a human student: automatic naturalness \
evaluation of generated text without reference texts* (INLG 2018, W18-6512), rebuilt with this \
package.

**What differs.** Data: the paper's translations and their votes were never published; none of \
the sets here is them. Labels: of SFHOTEL and SFREST only medians of the judges are public, so \
that 64 % are natural here and 22 % "perfect" in the paper; the other sets have labels of their \
own (below). Judges: experts and crowd on GUG, crowd on Lau BNC and style transfer, one linguist \
on CoLA. Features: 242 of ours, the paper's among them, by our own parser, tagger and language \
models in place of BLLIP, spaCy's English model and KenLM over news and WikiText; LanguageTool is \
not among them. Which language models and which damage detector ship was decided with ratings of \
some of these very sets in sight, which flatters them a little. Learning: both classes weigh the \
same, and the threshold is the one that is best for weighted F1 within the training part. So \
shapes can be compared, not third digits.

**Splits and intervals.** Two thirds for learning, one third for testing, {repeats} fresh splits \
(seed 0); ± is the standard deviation over splits. A learner's parameters are chosen by five folds \
within the training part of the first split and kept for the others, whose test parts share \
rows with it; calibration and threshold come from five folds in each split. Intervals in brackets \
are 95 %. Spearman: of the probability with the mean rating; given length: what is left when the \
number of words is known; of labels: of the label told (on CoLA, whose ratings are 0 and 1, this \
is Matthews' correlation). P / R: precision and recall.
"""
"""What differs from the paper; `repeats` is to be filled in."""
