"""Train the head that tells in which order two halves of a text stood."""
