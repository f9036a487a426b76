"""Writes shapes and motions as USD stages."""
