"""Join ensembles of the articulation, the affinity or the patch network that were trained separately.
Matrices are stored in half precision.

python scripts/join_ensembles.py FILE [FILE ...] --out FILE
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

from neurok.articulation import ensemble
from neurok.articulation.parts import affinity, patch_network, push_network
from neurok.nn.ensemble import joined_state
from neurok.nn.weights import about_network

FORMATS = {
    ensemble.FORMAT: (ensemble.load_articulator, ensemble.save_articulator),
    affinity.FORMAT: (affinity.load_affinities, affinity.save_affinities),
    patch_network.FORMAT: (patch_network.load_patch_ensemble, patch_network.save_patch_ensemble),
    push_network.FORMAT: (push_network.load_push_ensemble, push_network.save_push_ensemble),
}


def main(files: list[Path], out: Path) -> None:
    load, save = FORMATS[about_network(files[0])["format"]]
    ensembles = [load(path) for path in files]
    config = replace(ensembles[0].config, members=sum(len(e.members) for e in ensembles))
    about = {"joined": [about_network(path) for path in files]}
    print(f"wrote {save(out, joined_state(ensembles), config, about)}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    main(given.files, given.out)
