"""The modelling language of the families: solids, placement, finishes, joints and reusable components.

A family takes a random generator, adds solids and joints to a `Mechanism`, and finishes it to a `Shape`.
"""
