"""Random mechanisms and assemblies without a category, and objects of families in tabletop scenes.

A function takes a random generator and gives a `Shape` with its joints.
"""
