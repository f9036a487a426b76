"""Families of appliances and electronics: kitchen machines, lamps, fans, taps, screens and control panels.

A family takes a random generator and gives a `Shape` with its joints.
"""
