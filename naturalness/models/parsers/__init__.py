"""Parsers that give several constituency trees per sentence, with probabilities."""
