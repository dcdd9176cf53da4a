"""Base classes of services. Each service reads or changes one subject of games, such as seats or clocks."""

from bot.journal.ledger import Ledger
from bot.workers import Workers
from bot.workers.inspections import Inspections


class Service:
    """A service that reads and changes games through the ledger."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger


class WorkerService(Service):
    """A service whose long jobs run in workers."""

    def __init__(self, ledger: Ledger, workers: Workers) -> None:
        super().__init__(ledger)
        self._workers = workers


class InspectionService(Service):
    """A service that reads members' files."""

    def __init__(self, ledger: Ledger, inspections: Inspections) -> None:
        super().__init__(ledger)
        self._inspections = inspections
