"""Families that close an opening: doors, gates, windows, hatches, shower panes, and their locks."""
