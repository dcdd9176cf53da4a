"""The map of a player's own game, as a scenario file gives it (TA, "own game")."""

from rules.tanga.map_spec import MapSpec


class OwnMap(MapSpec):
    """Filled in by the file a player uploads."""
