"""LSTM language models, trained as in Kann, Rothe & Filippova (CoNLL 2018)."""
