"""Forces on soft bodies: short pushes, gusty wind, and driven holders."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from jaxtyping import Float, Int

from neurok.objects.soft.solver import Force
from neurok.objects.soft.solver_scene import Drive

Array = np.ndarray
Wind = Callable[[float, Array], Array]  # time and positions ↦ air velocity

AIR_DENSITY = 1.2  # kg/m³
DRAG_COEFFICIENT = 1.3  # of a flat plate normal to the flow


def pulse(t: float, start: float, length: float) -> float:
    """A sin² pulse from `start` over `length` seconds, smooth at both ends."""
    phase = (t - start) / length
    return float(np.sin(np.pi * phase) ** 2) if 0 < phase < 1 else 0.0


def push(acceleration: Float[Array, "k 3"], mass: Float[Array, " k"], start: float, length: float) -> Force:
    """Force m a on each node during the pulse."""
    peak = mass[:, None] * acceleration
    return lambda t, places, velocities: peak * pulse(t, start, length)


def near(nodes: Float[Array, "k 3"], point: Float[Array, "3"], reach: float) -> Float[Array, " k"]:
    """Gaussian weights with maximum 1 at the point."""
    return np.exp(-0.5 * ((nodes - point) ** 2).sum(1) / reach**2)


def random_direction(rng: np.random.Generator, *, level: float = 1.0) -> Float[Array, "3"]:
    """A random unit vector; `level` scales its vertical component (0: horizontal)."""
    vector = rng.normal(size=3) * [1, 1, level]
    return vector / np.linalg.norm(vector)


def total(*forces: Force) -> Force:
    def force(t: float, places: Array, velocities: Array) -> Array:
        return sum((f(t, places, velocities) for f in forces), np.zeros_like(places))

    return force


def gusts(rng: np.random.Generator, direction: Float[Array, "3"], speed: float, end: float = np.inf) -> Wind:
    """A mean wind with travelling waves; it fades out within half a second after `end`.

    u = s(t) (d + Σ a_i sin(k_i · x − ω_i t + φ_i)): the waves travel at about the speed of the wind.
    """
    waves = 4
    amplitude = rng.normal(size=(waves, 3)) * 0.25
    wavelength = rng.uniform(0.4, 1.5, waves)
    heading = direction + rng.normal(size=(waves, 3)) * 0.3
    k = 2 * np.pi / wavelength[:, None] * heading / np.linalg.norm(heading, axis=1, keepdims=True)
    omega = np.linalg.norm(k, axis=1) * speed * rng.uniform(0.5, 0.9, waves)
    phase = rng.uniform(0, 2 * np.pi, waves)

    def wind(t: float, places: Array) -> Array:
        ramp = min(t / 0.2, 1.0) * float(np.clip((end - t) / 0.3, 0, 1))
        ripple = np.sin(places @ k.T - omega * t + phase) @ amplitude
        return speed * ramp * (direction + ripple)

    return wind


def wind_force(faces: Int[Array, "m 3"], wind: Wind) -> Force:
    """½ ρ C A |u · n| (u · n) n on each triangle, u the relative air velocity. Still air damps."""
    corner = faces.ravel()

    def force(t: float, places: Array, velocities: Array) -> Array:
        a, b, c = (places[faces[:, k]] for k in range(3))
        area = np.cross(b - a, c - a)  # 2 A n
        size = np.maximum(np.linalg.norm(area, axis=1, keepdims=True), 1e-12)
        flow = wind(t, (a + b + c) / 3) - velocities[faces].mean(1)
        across = np.einsum("mi,mi->m", flow, area)[:, None] / size
        pressure = AIR_DENSITY * DRAG_COEFFICIENT / 4 * np.abs(across) * across * area
        third = np.repeat(pressure / 3, 3, axis=0)
        return np.stack([np.bincount(corner, third[:, k], len(places)) for k in range(3)], axis=1)

    return force


def calm(t: float, places: Array) -> Array:
    """Air at rest."""
    return np.zeros_like(places)


def go_and_stay(distance: float, start: float, length: float) -> Drive:
    """A drive from 0 to `distance` along the smooth step 10 s³ − 15 s⁴ + 6 s⁵."""

    def drive(t: float) -> tuple[float, float]:
        s = float(np.clip((t - start) / length, 0, 1))
        return distance * s**3 * (10 - 15 * s + 6 * s**2), distance / length * 30 * s**2 * (1 - s) ** 2

    return drive


def whole_periods(period: float, end: float) -> float:
    """End of `sway`: the multiple of the period nearest to `end`."""
    return max(1, round(end / period)) * period


def sway(amplitude: float, period: float, end: float) -> Drive:
    """A drive a sin²(π t / T) over whole periods until about `end`, then still."""
    stop = whole_periods(period, end)

    def drive(t: float) -> tuple[float, float]:
        if t >= stop:
            return 0.0, 0.0
        angle = np.pi * t / period
        return amplitude * float(np.sin(angle) ** 2), amplitude * np.pi / period * float(np.sin(2 * angle))

    return drive
