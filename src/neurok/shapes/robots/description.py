"""Reads XML descriptions safely: entities are refused, numbers are checked, errors are InputError."""

from __future__ import annotations

from collections.abc import Sequence as Many
from pathlib import Path
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

import numpy as np
from jaxtyping import Float

from neurok.errors import InputError

Array = np.ndarray
MAX_DEPTH = 400  # of nested elements, which are traversed recursively


def read_xml(path: Path, what: str) -> Element:
    """The root element of a file. `what` is the name of the format for errors: "URDF", "MJCF"."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError(
            path, f"cannot be read ({error.strerror})", f"Give the path of a {what} file"
        ) from error
    return parse_xml(data, path, what)


def parse_xml(data: bytes, source: str | Path, what: str) -> Element:
    """The root element of an XML text. Refuses a document type declaration, so that no entity can expand."""
    builder, depth = TreeBuilder(), 0

    def start(tag: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        if depth > MAX_DEPTH:
            raise _Refused(f"nests its elements more than {MAX_DEPTH} deep", "Flatten it")
        builder.start(tag, attributes)

    def end(tag: str) -> None:
        nonlocal depth
        depth -= 1
        builder.end(tag)

    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = builder.data
    parser.StartDoctypeDeclHandler = _refuse_doctype
    try:
        parser.Parse(data, True)
    except _Refused as refused:
        raise InputError(source, *refused.args) from None
    except (expat.ExpatError, LookupError, ValueError) as error:
        raise InputError(source, f"is not well-formed XML ({error})", f"Give a valid {what} file") from error
    return builder.close()


class _Refused(Exception):
    """Cause and fix of an InputError, raised inside the parser."""


def _refuse_doctype(*_) -> None:
    cause = "contains a document type declaration, which can hide an entity bomb"
    raise _Refused(cause, "Remove the <!DOCTYPE …> part")


def numbers(
    element: Element | None, attribute: str, count: int, default: Many[float], source: str | Path
) -> Float[Array, " count"]:
    """`count` finite numbers of an attribute such as xyz="0 0 1"; the default if it is missing."""
    text = None if element is None else element.get(attribute)
    if element is None or text is None:
        return np.array(default, dtype=np.float64)
    place = f"<{element.tag}> has {attribute}={text[:60]!r}"
    try:
        values = [float(word) for word in text.split()]
    except ValueError:
        raise InputError(
            source, f"{place}, which is not a list of numbers", f"Give {count} numbers"
        ) from None
    if len(values) != count:
        raise InputError(
            source, f"{place}: {len(values)} numbers instead of {count}", f"Give {count} numbers"
        )
    if not np.isfinite(values).all():
        raise InputError(source, f"{place}, which is not finite", "Give finite numbers")
    return np.array(values)


def number(element: Element | None, attribute: str, default: float, source: str | Path) -> float:
    """One finite number of an attribute; the default if it is missing."""
    return float(numbers(element, attribute, 1, (default,), source)[0])
