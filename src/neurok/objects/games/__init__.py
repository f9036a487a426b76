"""Families of toys and games: table games, puzzles, card decks and spinning wheels."""
