"""Families of machines: arms, cranks, gears, pumps, presses, conveyors and valves.

A family takes a random generator and gives a `Shape` with its joints.
"""
