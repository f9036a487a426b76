"""Put networks of joints, or of parts, that were trained apart together, so that they are asked together.
Matrices are kept in half precision.

python scripts/join_juries.py FILE [FILE ...] --out FILE
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

from neurok.articulation import weights
from neurok.articulation.parts import affinity
from neurok.nn.weights import about_network

KINDS = {
    weights.FORMAT: (weights.load_articulator, weights.save_articulator),
    affinity.FORMAT: (affinity.load_affinities, affinity.save_affinities),
}


def main(files: list[Path], out: Path) -> None:
    load, save = KINDS[about_network(files[0])["format"]]
    juries = [load(path) for path in files]
    members = [member for jury in juries for member in jury.each()]
    state = {
        f"members.{k}.{name}": tensor.half() if tensor.ndim > 1 else tensor
        for k, member in enumerate(members)
        for name, tensor in member.state_dict().items()
    }
    about = {"joined": [about_network(path) for path in files]}
    print(f"wrote {save(out, state, replace(juries[0].config, members=len(members)), about)}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    main(given.files, given.out)
