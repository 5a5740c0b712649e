"""Run the command `naturalness` as `python -m naturalness`."""

from naturalness.cli import main

if __name__ == "__main__":
    main()
