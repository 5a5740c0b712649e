"""Sentence encoders, which map a text to a vector."""
