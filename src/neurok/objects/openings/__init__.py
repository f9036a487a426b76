"""Families that close an opening: doors, gates, windows, hatches, shower panes, and their locks.

A family takes a random generator and gives a `Shape` with its joints.
"""
