"""Trains the English spaCy pipeline that the package ships: `python -m training.english --help`."""
