"""Commands of the CLI: one module each, a frozen dataclass of options with a method `run`.

A command takes options and gives an exit code; the work itself is in `pipelines`.
"""
