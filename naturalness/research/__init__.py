"""Parts that only replication needs: generators, BLLIP, Link Grammar, LSTMs, judges from the papers."""
