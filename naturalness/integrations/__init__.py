"""Naturalness inside other tools; each module needs the package of one of them."""
