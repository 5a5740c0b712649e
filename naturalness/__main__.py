"""`python -m naturalness` is the command `naturalness`."""

from naturalness.cli import main

if __name__ == "__main__":
    main()
