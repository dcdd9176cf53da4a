"""Knowledge of commands: sightings of enemies, news, and dispatches of their power (CA-3.2, CA-3.6, CA-7)."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, TypeAlias

from pydantic import Field

from rules.core.hexboard.hexes import Hex
from rules.core.model import IN_ORDER, Model
from rules.core.state import Named
from rules.core.wording import join_with_and

from .columns import Figures, Pace

MOST_LETTERS = 500
"""Maximum number of characters in a dispatch (CA-7.1)."""


class EnemySize(StrEnum):
    """Size of an enemy force as seen from two or more hexes away (CA-3.2)."""

    PARTY = "party"
    FORCE = "force"
    ARMY = "army"


class Sighting(Model):
    """Enemies seen together in a hex. Nearer viewers know more about the enemies (CA-3.2)."""

    day: int = Field(ge=1)
    distance: int = Field(ge=0)
    """Distance in hexes from the nearest viewer."""
    size: EnemySize
    figures: Figures | None = None
    """Number of figures: exact from the same hex, rounded to tens from an adjacent hex, else None."""
    paces: Annotated[frozenset[Pace], IN_ORDER] = frozenset()
    """Paces of the columns; empty if seen from two or more hexes away."""
    columns: tuple[Named, ...] = ()
    """Names of the columns; empty unless seen from the same hex."""

    @property
    def in_short(self) -> str:
        """Return the sighting in few words, for a label on the map: `a force`, `about 40`, `Osman's guard, 36`."""
        if self.figures is None:
            return self.in_words
        return f"{', '.join(self.columns)}, {self.figures}" if self.columns else f"about {self.figures}"

    @property
    def in_words(self) -> str:
        """Return the sighting in words: `a force`, `foot, about 40`, `Osman's guard: foot, 36`."""
        if self.figures is None:
            return f"{'an' if self.size is EnemySize.ARMY else 'a'} {self.size}"
        paces = join_with_and(pace for pace in Pace if pace in self.paces)
        figures = f"{paces}, {'' if self.columns else 'about '}{self.figures}"
        return f"{', '.join(self.columns)}: {figures}" if self.columns else figures


Sightings: TypeAlias = Mapping[Hex, Sighting]


class NewsKind(StrEnum):
    """Kinds of news that everyone hears (CA-3.6, CA-1.10)."""

    TAKEN = "taken"
    BATTLE = "battle"
    OVERRUN = "overrun"
    FIELD = "field"
    MISSED = "missed"


class News(Model):
    """A piece of news: a point taken, a battle begun or ended, a power overrun, or a command that missed the day.

    `who` is the power that takes, defends, is overrun or holds the field, or the missing command; empty for nobody.
    """

    day: int = Field(ge=1)
    kind: NewsKind
    who: str = ""
    at: Hex | None = None
    was: str = ""
    """The power that held a point before."""
    days: int = 1
    """Days in a row that a command missed."""


class Rider(Model):
    """The rider of a dispatch."""

    at: tuple[Hex, ...]
    """The rider's hex; before the first ride, all hexes from which the rider may leave."""
    avoids: tuple[Hex, ...] = ()
    """Hexes with enemies or battles known to the sender at the time of writing."""


class Dispatch(Model):
    """A dispatch from a command to another command of its power (CA-7)."""

    day: int = Field(ge=1)
    sender: Named
    to: Named
    text: Annotated[str, Field(max_length=MOST_LETTERS)]
    sightings: Sightings = Field(default_factory=dict)
    """The sender's sightings, if attached."""
    rider: Rider | None = None
    """The rider; None once the dispatch has arrived or was caught."""
    arrived: int = Field(default=0, ge=0)
    """Day of arrival; 0 before the arrival."""
    rode: int = Field(default=0, ge=0)
    """Number of days' ends at which the rider has ridden."""
    is_confirmed: bool = False
    """Whether the sender knows of the dispatch's arrival."""
    caught_by: str = ""
    """The enemy command that caught the rider; empty if nobody did."""
