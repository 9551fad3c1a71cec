"""`python -m segscore …` is the command `segscore …`."""

from segscore.cli import main

if __name__ == "__main__":
    main()
