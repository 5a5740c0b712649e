"""Learn the differences between the phrasing of chat models and of people."""
