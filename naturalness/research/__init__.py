"""Code that only replications of papers need: text generators, BLLIP, Link Grammar, LSTMs, and the papers' judges."""
