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
evaluation of generated text without reference texts* (INLG 2018, W18-6512), reproduced with this \
package.

**Differences.** Data: the paper's translations and their votes were never published, so all sets \
are others. Labels: for SFHOTEL and SFREST only medians of the judges are public, so that 64 % are \
natural here, against 22 % "perfect" in the paper; the labels of the other sets are described below. \
Judges: experts and crowd for GUG, crowd for Lau BNC and style transfer, one linguist for CoLA. \
Features: 242 of ours, including the paper's, computed with our own parser, tagger and language \
models instead of BLLIP, spaCy's English model, and KenLM on news and WikiText; LanguageTool is not \
included. The shipped language models and damage detector were chosen by looking at ratings of some \
of these sets, so the figures are slightly optimistic. Training: both classes have the same weight, \
and the threshold maximises weighted F1 on the training part. So compare the order of the results, \
not the third digits.

**Splits and intervals.** Two thirds for training, one third for testing, {repeats} random splits \
(seed 0); ± is the standard deviation over splits. A learner's parameters are chosen by five-fold \
cross-validation on the training part of the first split and reused for the others, whose test parts \
overlap with it; calibration and threshold come from five folds in each split. Intervals in brackets \
are 95 %. Spearman: probability against the mean rating; given length: partial correlation, \
controlling for the number of words; of labels: of the predicted label (on CoLA, whose ratings are 0 \
and 1, this is Matthews' correlation). P / R: precision and recall.
"""
"""What differs from the paper; `repeats` is to be filled in."""
