"""What pictures show, against closed forms: spheres, planes, texels; the same claims for both backends."""

from __future__ import annotations
