"""Language models of the SLOR paper: LSTMs, and mixtures of n-gram models."""
