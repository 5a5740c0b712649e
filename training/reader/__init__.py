"""Train readers: networks that learn from artificial damage and human ratings at once."""
