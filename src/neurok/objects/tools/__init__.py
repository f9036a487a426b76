"""Families of hand tools and drawing instruments: scissors, pliers, clamps, calipers, knives and rules.

A family takes a random generator and gives a `Shape` with its joints.
"""
