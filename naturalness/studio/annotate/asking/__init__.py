"""Active learning: choose the next question for a rater, and train a model on the answers."""

from naturalness.studio.annotate.asking.choosing import DEFAULT_STRATEGY, REASONS, STRATEGIES, choose
from naturalness.studio.annotate.asking.pool import Judgement, Pool
from naturalness.studio.annotate.asking.taught import FIGURES, Taught
from naturalness.studio.annotate.asking.teaching import teach

__all__ = ["DEFAULT_STRATEGY", "FIGURES", "REASONS", "STRATEGIES", "Judgement", "Pool", "Taught", "choose", "teach"]
