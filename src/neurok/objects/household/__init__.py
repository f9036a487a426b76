"""Families of things in a home: kitchen and bathroom fixtures, cupboards, vessels and small devices."""
