"""What the parts of `Games` share."""

from bot.journal.ledger import Ledger
from bot.workers import Workers
from bot.workers.inspections import Inspections


class Part:
    """A part of the operations on games. Every part shares one ledger, workers and inspections."""

    def __init__(self, ledger: Ledger, workers: Workers, inspections: Inspections) -> None:
        self._ledger = ledger
        self._workers = workers
        self._inspections = inspections
