"""What models learn from: recordings of moving objects, made, gathered, stored and read."""

from neurok.datasets.record import Family, Origin, Recording

__all__ = ["Family", "Origin", "Recording"]
