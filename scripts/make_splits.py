"""Writes the lists of train, validation and test objects of the collections of the shipped weights.

    python scripts/make_splits.py FOLDER

In articulated_synthetic, 15 % of the categories are test and 8 % validation; one object in twenty-five of the
other categories is also validation. articulated_more follows the same split of categories. Objects of
articulated_household are validation or test by their source, because a source repeats its designs. In
animated_free, classes and single objects are held out. All objects of articulated_real (test only) and
animated_sharealike (licence) are held out.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from neurok.datasets.sources import folder_jobs

SPLITS = Path(__file__).parents[1] / "src" / "neurok" / "datasets" / "splits"
TEST_CLASSES = {"dinosaur", "dog/fox/wolf"}  # of animated_free
GENERATED = {
    "test": ("scissors", "folding_chair", "fan", "window", "plush_toy", "curtain"),
    "validation": (
        *("laptop", "pliers", "stapler", "sawhorse", "prize_wheel", "hatch_box", "toaster"),
        *("cold_chest", "spring", "towel"),
    ),
}
HOUSEHOLD = {"test": ("aloha", "iai", "jsk", "libero", "nv"), "validation": ("gz", "pr")}  # sources
PARTIAL = {"validation": ["generated/assembly/0000*"]}  # the first hundred; assemblies have no category


def main(data: Path) -> None:
    rng = np.random.default_rng(2026)
    jobs = folder_jobs(data, seed=0, frames=32)
    lists: dict[str, list[str]] = {"train": [], "validation": [], "test": ["articulated_real/*"]}
    synthetic = [j.origin for j in jobs if j.origin.name.startswith("articulated_synthetic/")]
    categories = rng.permutation(sorted({o.category for o in synthetic})).tolist()
    held = dict.fromkeys(categories[: round(0.15 * len(categories))], "test")
    held |= dict.fromkeys(categories[len(held) : len(held) + round(0.08 * len(categories))], "validation")
    for origin in synthetic:
        split = held.get(origin.category) or ("validation" if rng.random() < 0.04 else "train")
        lists[split].append(origin.name)
    for category, split in held.items():
        lists[split].append(f"articulated_more/{category}_[0-9]*")
    for split, sources in HOUSEHOLD.items():
        lists[split] += [f"articulated_household/{source}_*" for source in sources]
    for origin in (j.origin for j in jobs if j.origin.name.startswith("animated_free/")):
        draw = rng.random()
        split = (
            "test"
            if origin.category in TEST_CLASSES or draw < 0.08
            else "validation"
            if draw < 0.16
            else "train"
        )
        lists[split].append(origin.name)
    for origin in (j.origin for j in jobs if j.origin.name.startswith("animated_sharealike/")):
        lists["validation" if rng.random() < 0.3 else "test"].append(origin.name)
    for split, names in GENERATED.items():
        lists[split] += [f"generated/{name}/*" for name in names] + PARTIAL.get(split, [])
    lists["train"] += ["articulated_more/*", "generated/*"]
    for split, names in lists.items():
        (SPLITS / f"{split}.txt").write_text("\n".join(sorted(names)) + "\n")
        print(f"{split}: {len(names)} lines")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
