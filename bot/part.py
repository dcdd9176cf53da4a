"""What the parts of `Games` share."""

from .inspections import Inspections
from .ledger import Ledger
from .workers import Workers


class Part:
    """A part of what can be done with games: every part has the same ledger, workers and inspections."""

    def __init__(self, ledger: Ledger, workers: Workers, inspections: Inspections) -> None:
        self._ledger = ledger
        self._workers = workers
        self._inspections = inspections
