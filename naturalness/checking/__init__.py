"""Files of running text, sentence by sentence: which fall below a score, where, and why."""
