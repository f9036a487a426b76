"""Speed and memory: one module per system."""
