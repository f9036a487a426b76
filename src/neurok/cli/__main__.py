"""Runs the command line as `python -m neurok.cli`."""

from neurok.cli import main

main()
