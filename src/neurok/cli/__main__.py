"""`python -m neurok.cli`."""

from neurok.cli import main

main()
