"""Couplings are polynomials close to the closed form of the linkage."""

from __future__ import annotations

import numpy as np

from neurok.objects.kit.mechanism import coupling_polynomial


def test_slider_crank_follows_the_closed_form_of_its_rod():
    r, ratio = 0.1, 3.0
    coefficients = coupling_polynomial(
        lambda a: r * np.cos(a) + np.sqrt((ratio * r) ** 2 - (r * np.sin(a)) ** 2), -1.4, 1.4
    )
    angle = np.linspace(-1.4, 1.4, 50)
    exact = r * np.cos(angle) + np.sqrt((ratio * r) ** 2 - (r * np.sin(angle)) ** 2) - r - ratio * r
    assert np.abs(np.polynomial.polynomial.polyval(angle, [0, *coefficients]) - exact).max() < 0.01 * r
