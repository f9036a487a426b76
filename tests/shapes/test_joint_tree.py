"""Validation of joint trees, and the rest pose of mechanisms with coupled joints."""

from __future__ import annotations

import numpy as np
import pytest

from neurok.errors import InputError
from neurok.shapes import Coupling, Joint, JointTree, Link
from neurok.shapes.robots.couplings import with_coupled_rest

Z = np.array([0.0, 0.0, 1.0])
AFTER_A, AFTER_B = Coupling("a", (0.0, 1.0)), Coupling("b", (0.0, 1.0))


def chain(*joints: Joint) -> JointTree:
    names = dict.fromkeys(end for j in joints for end in (j.parent, j.child))
    return JointTree(tuple(Link(n) for n in names), joints)


def hinge(name: str, parent: str, child: str, **fields) -> Joint:
    return Joint(name, "revolute", parent, child, axis=Z, **fields)


@pytest.mark.parametrize(
    ("joints", "word"),
    [
        ([hinge("a", "x", "y"), hinge("a", "y", "z")], "twice"),
        ([hinge("a", "x", "y"), hinge("b", "z", "y")], "two parents"),
        ([hinge("a", "x", "y"), hinge("b", "y", "x")], "cycle"),
        ([hinge("a", "x", "y", coupling=Coupling("ghost", (0, 1)))], "ghost"),
        ([hinge("a", "x", "y", coupling=AFTER_B), hinge("b", "y", "z", coupling=AFTER_A)], "itself"),
        ([Joint("a", "ball", "x", "y"), hinge("b", "y", "z", coupling=AFTER_A)], "hinges and slides"),
    ],
)  # fmt: skip
def test_an_invalid_mechanism_is_refused(joints, word):
    with pytest.raises(InputError, match=word):
        chain(*joints)


def test_a_cycle_is_named_from_parent_to_child():
    with pytest.raises(InputError, match=r"\((x → y → z → x|y → z → x → y|z → x → y → z)\)"):
        chain(hinge("a", "x", "y"), hinge("b", "y", "z"), hinge("c", "z", "x"), hinge("d", "x", "w"))


def test_a_chain_of_thousands_of_links_is_a_tree():
    """Links come in any order; checking each link's whole path would take minutes."""
    joints = [hinge(f"j{k}", f"l{k}", f"l{k + 1}") for k in range(5000)]
    assert chain(*joints[::-1]).order[-1] == "l5000"


def test_parents_come_before_children_and_poses_compose_along_the_path():
    step = np.eye(4)
    step[:3, 3] = [1, 2, 3]
    tree = chain(hinge("b", "y", "z", origin=step), hinge("a", "x", "y", origin=step))
    assert tree.order == ("x", "y", "z")
    assert np.allclose(tree.rest_poses["z"][:3, 3], [2, 4, 6])


def test_settling_rewrites_polynomials_about_the_new_rests():
    """b = 0.5 + a and c = 1 + b²; at rest a = 0, so b = 0.5 and c = 1.25."""
    a = hinge("a", "w", "x")
    b = hinge("b", "x", "y", coupling=Coupling("a", (0.5, 1.0)))
    c = hinge("c", "y", "z", coupling=Coupling("b", (1.0, 0.0, 1.0)))
    _, b, c = with_coupled_rest([a, b, c])
    assert (b.rest, c.rest) == (0.5, 1.25)
    assert np.allclose(b.coupling.coefficients, (0, 1))
    for departure in (-0.7, 0.3):
        follows = np.polynomial.polynomial.polyval(departure, c.coupling.coefficients)
        assert c.rest + follows == pytest.approx(1 + (b.rest + departure) ** 2)


def test_settling_turns_about_the_pivot():
    pivot = np.array([1.0, 0.0, 0.0])
    _, b = with_coupled_rest(
        [hinge("a", "x", "y"), hinge("b", "y", "z", pivot=pivot, coupling=Coupling("a", (np.pi, 1.0)))]
    )
    assert np.allclose(b.origin @ [1, 0, 0, 1], [1, 0, 0, 1])
    assert np.allclose(b.origin @ [0, 0, 0, 1], [2, 0, 0, 1])
