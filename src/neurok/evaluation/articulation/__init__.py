"""Evaluation of articulation: takes held-out objects in parts, and gives joint and part errors by method."""
