"""Language models by counting: n-grams of words, word pieces and part-of-speech tags."""
