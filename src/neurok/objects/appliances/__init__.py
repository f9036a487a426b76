"""Families of appliances and electronics: kitchen machines, lamps, fans, taps, screens and control panels."""
