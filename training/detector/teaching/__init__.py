"""A teacher and two detectors taught by it, on a GPU: `python -m training.detector.teaching`."""
