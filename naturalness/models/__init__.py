"""Trained models (language models, parsers, detectors, encoders and learners) and external checkers."""
