"""The map of a player's own game as states keep it: packed, since every entry of the journal has its state."""

import re
from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from pydantic import field_serializer, field_validator

from rules.core.hexboard.hexes import Hex
from rules.core.state import Named
from rules.tanga.map_spec import MapSpec

_NUMBER = re.compile("[0-9]{4}")


class OwnMap(MapSpec):
    """Filled in by the file a player uploads."""

    title: Named = ""
    """Of the scenario it came with."""

    @field_validator("hexes", mode="before")
    @classmethod
    def _unpacked(cls, value: Any) -> Any:
        """Terrain by hex, from either form. Raises ValueError on a hex that is told twice."""
        if not isinstance(value, Mapping) or not all(_is_packed(*item) for item in value.items()):
            return value
        found: dict[str, str] = {}
        for terrain, hexes in value.items():
            for hex_ in hexes.split():
                if hex_ in found:
                    raise ValueError(f"{hex_[:20]} comes twice")
                found[hex_] = terrain
        return found

    @field_serializer("hexes")
    def _packed(self, hexes: Mapping[Hex, str]) -> Mapping[str, str]:
        """`{"bush": "2411 2412"}`."""
        found = defaultdict[str, list[str]](list)
        for hex_, terrain in sorted(hexes.items()):
            found[terrain].append(hex_.label)
        return {terrain: " ".join(labels) for terrain, labels in found.items()}


def _is_packed(key: object, value: object) -> bool:
    return isinstance(key, str) and isinstance(value, str) and not _NUMBER.fullmatch(key)
