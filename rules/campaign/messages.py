"""News that everyone hears, and dispatches between the commands of a power (CA-3.6, CA-7)."""

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from rules.core.hexboard.hexes import Hex
from rules.core.model import Model
from rules.core.state import Named

from .sightings import Sightings

MOST_LETTERS = 500
"""Characters of a dispatch (CA-7.1)."""


class NewsKind(StrEnum):
    """Kinds of news that everyone hears (CA-3.6, CA-1.10)."""

    TAKEN = "taken"
    BATTLE = "battle"
    OVERRUN = "overrun"
    FIELD = "field"
    MISSED = "missed"


class News(Model):
    """A piece of news: a point taken, a battle's beginning or end, a power overrun, or a command that missed the day.

    `who` is the power that takes, defends, is overrun or holds the field, or the command; empty for nobody.
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
    """The rider of a dispatch. Before the first ride `at` holds the hexes from which the rider may leave."""

    at: tuple[Hex, ...]
    avoids: tuple[Hex, ...] = ()
    """Enemies and battles that the sender knew when it wrote."""


class Dispatch(Model):
    """A dispatch from a command to another command of its power (CA-7)."""

    day: int = Field(ge=1)
    sender: Named
    to: Named
    text: Annotated[str, Field(max_length=MOST_LETTERS)]
    sightings: Sightings = Field(default_factory=dict)
    """The sender's sightings, if attached."""
    rider: Rider | None = None
    """None once the dispatch has arrived or was caught."""
    arrived: int = Field(default=0, ge=0)
    """Day of arrival; 0 before the arrival."""
    rode: int = Field(default=0, ge=0)
    """Days' ends at which the rider rode."""
    is_confirmed: bool = False
    """Whether the sender has heard that it arrived."""
    caught_by: str = ""
    """The enemy command that caught the rider."""
