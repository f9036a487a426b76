"""From a mesh and a few words to its motion in files: what is assumed, what is drawn at random, what is written."""

from neurok.simulation.prepare import Options, Setup, prepare, simulate

__all__ = ["Options", "Setup", "prepare", "simulate"]
