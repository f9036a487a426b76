"""Families on wheels or for riding: carts, suitcases, bicycles and seesaws."""
