"""Faults in documents: path and reason."""

from typing import NamedTuple

from .model import Path


class Fault(NamedTuple):
    """A fault in a document: its path, and a sentence that names the path."""

    place: Path
    what: str
