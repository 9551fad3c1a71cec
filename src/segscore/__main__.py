"""`python -m segscore …` is the command `segscore …`."""

from segscore_command import main

if __name__ == "__main__":
    main()
