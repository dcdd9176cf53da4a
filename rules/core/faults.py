"""A fault in a document: where, and what."""

from typing import NamedTuple

from .model import Path


class Fault(NamedTuple):
    """What is wrong at a place of a document, in a sentence without its end that names the place."""

    place: Path
    what: str
