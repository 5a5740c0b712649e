"""Whether explanations name what is wrong and where, and what they cost."""
