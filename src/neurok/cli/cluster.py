"""Defines the option --ray, which takes an optional address."""

from __future__ import annotations

from typing import Annotated

from tyro.constructors import PrimitiveConstructorSpec

AUTO = "auto"

RayAddress = Annotated[
    str | None,
    PrimitiveConstructorSpec(
        nargs=(0, 1),
        metavar="[ADDRESS]",
        instance_from_str=lambda values: values[0] if values else AUTO,
        is_instance=lambda value: value is None or isinstance(value, str),
        str_from_instance=lambda value: [str(value)],
    ),
]
