"""Writes USD stages (.usd, .usda, .usdc, .usdz) with usd-core.

Takes a `Shape` or a `Sequence`; gives a stage with one mesh per part, materials and time samples.
"""
