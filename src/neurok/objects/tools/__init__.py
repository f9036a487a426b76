"""Families of hand tools and drawing instruments: scissors, pliers, clamps, calipers, knives and rules."""
