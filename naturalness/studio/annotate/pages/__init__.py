"""The pages on which people rate, and the code that serves them."""
