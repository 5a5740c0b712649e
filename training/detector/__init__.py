"""The damage detector: an encoder trained to distinguish original from damaged text."""
