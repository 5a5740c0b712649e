"""Constituency parsers, which return several trees for a sentence, with their probabilities."""
