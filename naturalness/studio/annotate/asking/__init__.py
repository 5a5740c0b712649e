"""Active learning: choose the next question for a rater, and train a model on the answers."""
