"""GRUEN (Zhu & Bhat, 2020): the quality of a text, measured by its grammaticality, redundancy, focus and coherence."""
