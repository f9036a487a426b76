"""Families of furniture: boxes, cabinets, chairs, tables and mirrors that open, slide or fold.

A family takes a random generator and gives a `Shape` with its joints.
"""
