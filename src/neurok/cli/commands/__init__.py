"""Commands of the CLI: one module each, a frozen dataclass of options with a method `run`."""
