"""The model of prose: paragraphs, by the preferences of professional writers."""
