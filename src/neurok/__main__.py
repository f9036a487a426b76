"""`python -m neurok`, as torchrun starts it."""

from neurok.cli import main

if __name__ == "__main__":
    main()
