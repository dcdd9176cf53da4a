"""Faults in documents: path and reason."""

from typing import NamedTuple

from .model import Path


class Fault(NamedTuple):
    """A path in a document, and a sentence about the fault naming that path."""

    place: Path
    what: str
