"""Part names as bags of words without names of motions."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from neurok.articulation.part_names import VOCABULARY, name_words

MOTIONS = {
    "hinge",
    "slider",
    "slide",
    "fixed",
    "yaw",
    "pitch",
    "revolute",
    "prismatic",
    "pivot",
    "x",
    "y",
    "z",
}


def words_of(name: str) -> set[str]:
    return {VOCABULARY[i] for i in name_words([name])[0].nonzero()[0]}


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("front_left_wheel.003", {"front", "left", "wheel"}),
        ("GlassDoors", {"glass", "door"}),
        ("LID-12", {"lid"}),
        ("part_4", set()),
        ("Mesh.001", set()),
        ("slider_hinge_z", set()),
        ("", set()),
    ],
)
def test_names_are_split_into_known_words(name, words):
    assert words_of(name) == words


def test_no_word_names_a_motion_and_all_are_sorted_once():
    assert not MOTIONS & set(VOCABULARY)
    assert list(VOCABULARY) == sorted(set(VOCABULARY))


@pytest.mark.slow
@given(st.lists(st.text(max_size=30), max_size=5))
def test_any_names_give_a_row_each(names):
    found = name_words(names)
    assert found.shape == (len(names), len(VOCABULARY)) and set(found.flat) <= {0.0, 1.0}
