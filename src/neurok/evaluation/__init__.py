"""Accuracy: takes objects with known truth, compares every system with references, and gives figures."""
