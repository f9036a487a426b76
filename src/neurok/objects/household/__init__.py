"""Families of household objects: kitchen and bathroom fixtures, cupboards, vessels and small devices.

A family takes a random generator and gives a `Shape` with its joints.
"""
