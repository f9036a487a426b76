"""Families of machines: arms, cranks, gears, pumps, presses, conveyors and valves."""
