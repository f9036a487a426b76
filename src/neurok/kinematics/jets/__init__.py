"""Derivatives of codes: takes q and v, gives c(q), J and J̇, in closed form or by autodiff."""
