"""Naturalness inside other tools, over the public API; each module needs the package of one of them."""
