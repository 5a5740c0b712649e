"""Language models: n-gram models of words, word pieces and tags; mixtures of n-gram models; neural models."""
