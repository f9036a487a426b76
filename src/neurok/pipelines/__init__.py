"""From a mesh and a few words to its motion in files: what is assumed, drawn at random, written."""

from neurok.pipelines.simulate import Options, Setup, prepare, simulate

__all__ = ["Options", "Setup", "prepare", "simulate"]
