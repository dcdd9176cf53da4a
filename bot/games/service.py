"""Base class of services: each offers what can be done with a game in one subject."""

from bot.journal.ledger import Ledger


class Service:
    """A service that reads and changes games through the ledger."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
