"""LSTM language models, trained as in the paper on SLOR."""
