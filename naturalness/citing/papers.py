"""The package as something to cite, and the four papers whose methods it rests on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

TITLE = "naturalness"
SUBTITLE = "How natural an English sentence sounds, and why"
AUTHORS = "The naturalness developers"
RELEASED = "2026-11-23"
"""Day of this version's release, as in CHANGELOG.md and CITATION.cff."""
CODE_LICENCE = "Apache-2.0"
ANTHOLOGY = "https://aclanthology.org"


@dataclass(frozen=True, slots=True)
class Paper:
    """A paper and what of it is here."""

    key: str
    authors: tuple[tuple[str, str], ...]
    """Given and family name of each."""
    title: str
    venue: str
    year: int
    anthology: str
    """Its number in the ACL Anthology."""
    gives: str
    """What of it is here."""
    groups: tuple[str, ...] = ()
    """Feature groups that rest on it; none where every model does."""

    @property
    def url(self) -> str:
        """Where it can be read."""
        return f"{ANTHOLOGY}/{self.anthology}/"

    def taken_by(self, groups: Sequence[str]) -> bool:
        """Whether a model that reads these feature groups rests on it."""
        return not self.groups or any(group.startswith(self.groups) for group in groups)


PAPERS = (
    Paper(
        "groves2018",
        (("Isabel", "Groves"), ("Ye", "Tian"), ("Ioannis", "Douratsos")),
        "Treat the system like a human student: Automatic naturalness evaluation of generated "
        "text without reference texts",
        "Proceedings of the 11th International Conference on Natural Language Generation",
        2018,
        "W18-6512",
        "learning naturalness from features, the rules that make labels of ratings, the protocol",
    ),
    Paper(
        "mutton2007",
        (("Andrew", "Mutton"), ("Mark", "Dras"), ("Stephen", "Wan"), ("Robert", "Dale")),
        "GLEU: Automatic Evaluation of Sentence-Level Fluency",
        "Proceedings of the 45th Annual Meeting of the Association of Computational Linguistics",
        2007,
        "P07-1044",
        "the metric gleu-link, of the paper's four parts by other parsers; changed, with a part of "
        "our own, the metrics gleu-structure and gleu-structure-link and the groups gleu and "
        "gleu_link; texts that are unnatural by degrees",
        ("gleu",),
    ),
    Paper(
        "kann2018",
        (("Katharina", "Kann"), ("Sascha", "Rothe"), ("Katja", "Filippova")),
        "Sentence-Level Fluency Evaluation: References Help, But Can Be Spared!",
        "Proceedings of the 22nd Conference on Computational Natural Language Learning",
        2018,
        "K18-1031",
        "SLOR, WPSLOR and ROUGE-LM",
        ("word_lm", "piece_lm", "neural_lm", "pll", "lm:"),
    ),
    Paper(
        "zhu2020",
        (("Wanzheng", "Zhu"), ("Suma", "Bhat")),
        "GRUEN for Evaluating Linguistic Quality of Generated Text",
        "Findings of the Association for Computational Linguistics: EMNLP 2020",
        2020,
        "2020.findings-emnlp.9",
        "the metric gruen-sum, the paper's sum over other networks; changed, the metrics gruen, "
        "gruen-fast, gruen-g … and the group gruen",
        ("gruen",),
    ),
)
