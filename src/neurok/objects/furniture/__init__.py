"""Families of furniture: boxes, cabinets, chairs, tables and mirrors that open, slide or fold."""
