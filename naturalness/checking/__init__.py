"""Check files of running text: report which sentences score below a minimum, where they are, and why."""
