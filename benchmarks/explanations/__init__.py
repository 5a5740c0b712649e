"""Accuracy of the causes and places that explanations name, and the cost of explanations."""
