"""What is done with features and models."""
