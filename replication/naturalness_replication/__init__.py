"""Replications of four papers: text generators, LSTMs, BLLIP, Link Grammar, and the papers' judges and protocols."""
