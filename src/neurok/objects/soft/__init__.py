"""Soft bodies, cloth and objects of both kinds, moved by a solver (MuJoCo's flexible bodies).

Each family makes one random object and one to three clips of it, 30 to 60 frames in all, in metres, Z up,
starting from rest; or raises `Rejected` when a clip fails its checks. The same generator state gives the
same bytes.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np

from neurok.objects.soft.bars import bar
from neurok.objects.soft.blobs import blob
from neurok.objects.soft.drapes import clothes_on_body, tablecloth, towel
from neurok.objects.soft.flags import curtain, flag
from neurok.objects.soft.mixed import cushion_on_swing, soft_handle_tool
from neurok.objects.soft.plants import plant
from neurok.objects.soft.plush_toys import plush_toy
from neurok.objects.soft.springs import spring
from neurok.sequences import Sequence

Make = Callable[[np.random.Generator], list[Sequence]]

ELASTIC: Mapping[str, Make] = MappingProxyType(
    {"bar": bar, "blob": blob, "plant": plant, "plush_toy": plush_toy, "spring": spring}
)
CLOTH: Mapping[str, Make] = MappingProxyType(
    {
        "flag": flag,
        "curtain": curtain,
        "towel": towel,
        "tablecloth": tablecloth,
        "clothes_on_body": clothes_on_body,
    }
)
MIXED: Mapping[str, Make] = MappingProxyType(
    {"cushion_on_swing": cushion_on_swing, "soft_handle_tool": soft_handle_tool}
)
FAMILIES: Mapping[str, Make] = MappingProxyType({**ELASTIC, **CLOTH, **MIXED})

__all__ = ["CLOTH", "ELASTIC", "FAMILIES", "MIXED"]
