"""Runs the command line as `python -m neurok`, the form that torchrun needs."""

from neurok.cli import main

if __name__ == "__main__":
    main()
