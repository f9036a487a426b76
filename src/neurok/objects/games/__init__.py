"""Families of toys and games: table games, puzzles, card decks and spinning wheels.

A family takes a random generator and gives a `Shape` with its joints.
"""
