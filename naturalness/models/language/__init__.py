"""Language models: n-grams of words, word pieces and tags; mixtures of them; neural models."""
