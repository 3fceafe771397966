"""Run the command line: ``python -m halfmoon``."""

from halfmoon.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
