"""Codes c(q) with first and second derivatives, in closed form for each map and by autodiff for any other."""
