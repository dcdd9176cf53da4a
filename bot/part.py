"""What the parts of `Games` share."""

from .ledger import Ledger
from .workers import Workers


class Part:
    """A part of what can be done with games: every part works on the same ledger and the same workers."""

    def __init__(self, ledger: Ledger, workers: Workers) -> None:
        self._ledger = ledger
        self._workers = workers
