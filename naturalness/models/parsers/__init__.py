"""Constituency parsers, the measurements of Link Grammar, and the probabilities of dependency arcs."""
