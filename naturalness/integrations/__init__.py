"""Plugs for other packages, over the public API; each file imports its package, which an extra installs."""
