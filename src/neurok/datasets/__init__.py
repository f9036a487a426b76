"""Training data: records mechanisms, sequences and generated objects in a store, and reads frame pairs."""

from neurok.datasets.record import Family, Origin, Recording

__all__ = ["Family", "Origin", "Recording"]
