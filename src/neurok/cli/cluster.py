"""The option --ray, alone or with an address."""

from __future__ import annotations

from typing import Annotated

from tyro.constructors import PrimitiveConstructorSpec

AUTO = "auto"

RayAddress = Annotated[
    str | None,
    PrimitiveConstructorSpec(
        nargs=(0, 1),
        metavar="[ADDRESS]",
        instance_from_str=lambda given: given[0] if given else AUTO,
        is_instance=lambda value: value is None or isinstance(value, str),
        str_from_instance=lambda value: [str(value)],
    ),
]
