"""Open a model's folder and judge texts with it."""
