"""Enemies as a command saw them (CA-3.2)."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, TypeAlias

from pydantic import Field

from rules.core.hexboard.hexes import Hex
from rules.core.model import IN_ORDER, Model
from rules.core.state import Named
from rules.core.wording import join_with_and

from .columns import Figures, Pace


class Size(StrEnum):
    """How large enemies look from two hexes away or farther (CA-3.2)."""

    PARTY = "party"
    FORCE = "force"
    ARMY = "army"


class Sighting(Model):
    """Enemies seen together in a hex, as well as they were seen (CA-3.2)."""

    day: int = Field(ge=1)
    distance: int = Field(ge=0)
    """Hexes to the nearest viewer."""
    size: Size
    figures: Figures | None = None
    """To the nearest ten from the next hex, exact in the same hex, else unknown."""
    paces: Annotated[frozenset[Pace], IN_ORDER] = frozenset()
    """Known only from the next hex and nearer."""
    columns: tuple[Named, ...] = ()
    """Names of the columns, known only in the same hex."""

    @property
    def in_short(self) -> str:
        """Return what was seen, for a plate on the map: `a force`, `about 40`, `Osman's guard, 36`."""
        if self.figures is None:
            return self.in_words
        return f"{', '.join(self.columns)}, {self.figures}" if self.columns else f"about {self.figures}"

    @property
    def in_words(self) -> str:
        """Return what was seen: `a force`, `foot, about 40`, `Osman's guard: foot, 36`."""
        if self.figures is None:
            return f"{'an' if self.size is Size.ARMY else 'a'} {self.size}"
        paces = join_with_and(pace for pace in Pace if pace in self.paces)
        figures = f"{paces}, {'' if self.columns else 'about '}{self.figures}"
        return f"{', '.join(self.columns)}: {figures}" if self.columns else figures


Sightings: TypeAlias = Mapping[Hex, Sighting]
