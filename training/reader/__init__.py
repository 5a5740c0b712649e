"""Train readers: networks that learn from made damage and from people's ratings at once."""
