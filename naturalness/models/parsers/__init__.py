"""Constituency parsers that return several trees per sentence, with probabilities."""
