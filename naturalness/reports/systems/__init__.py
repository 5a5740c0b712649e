"""What is told of texts without ratings: systems beside each other, and one run after another."""
