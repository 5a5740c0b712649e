"""Learn how chat models phrase and how people do."""
