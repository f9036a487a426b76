"""The commands: one module each, a frozen dataclass of options with a `run`."""
