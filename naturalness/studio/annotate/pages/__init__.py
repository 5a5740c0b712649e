"""The pages on which people rate, and what runs behind them."""
