"""Which sentence to ask a rater about next, and what has been learned of the answers so far."""
