"""Sentence encoders: a text in, one vector out."""
