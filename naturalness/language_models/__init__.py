"""Language models of one's own: texts to a model, and several models to a mixture."""
