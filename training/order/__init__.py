"""Train the head that predicts the order of two halves of a text."""
