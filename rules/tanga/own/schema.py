"""The map of a player's own game, as a scenario file gives it (TA, "own game")."""

from rules.core.model import Model


class OwnMap(Model):
    """Filled in by the file a player uploads."""
