"""Figures of quality, each against truth from outside: one module per system."""
