"""Families on wheels or for riding: carts, suitcases, bicycles and seesaws.

A family takes a random generator and gives a `Shape` with its joints.
"""
