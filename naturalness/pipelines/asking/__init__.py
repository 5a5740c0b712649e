"""Which sentence to ask a rater about next, and what has been learned of the answers so far."""

from naturalness.pipelines.asking.choosing import choose
from naturalness.pipelines.asking.pool import AnswerScale, Choice, Given, Pool
from naturalness.pipelines.asking.strategies import DEFAULT, STRATEGIES
from naturalness.pipelines.asking.taught import FIGURES, Taught
from naturalness.pipelines.asking.teaching import teach
from naturalness.pipelines.asking.words import REASONS

__all__ = [
    "DEFAULT",
    "FIGURES",
    "REASONS",
    "STRATEGIES",
    "AnswerScale",
    "Choice",
    "Given",
    "Pool",
    "Taught",
    "choose",
    "teach",
]
