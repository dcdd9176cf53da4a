"""What a game of Charge! remembers: units of single figures, what fell on them, and who is in contact."""

from enum import StrEnum
from fractions import Fraction
from typing import TypeAlias

from pydantic import Field
from typing_extensions import override

from rules.core.agreement import Noun
from rules.core.model import Exact, Model
from rules.core.play import Play
from rules.core.tabletop.battle import TableState, TableUnit

from .options import ChargeOptions

MOST_FIGURES = 99
MOST_CREW = 8


class Arm(StrEnum):
    """What a unit fights as."""

    INFANTRY = "infantry"
    CAVALRY = "cavalry"
    GUN = "gun"


class Formation(StrEnum):
    """Formation of figures. A gun's crew always stands around its gun."""

    LINE = "line"
    TWO_RANKS = "two ranks"
    COLUMN = "column"
    SINGLE_FILE = "single file"


class Hits(Model):
    """What one unit's fire costs another, exactly (CH-3.1): in figures, and which of them, by number, it reached."""

    by: str
    casualties: Exact = Field(ge=0)
    reached: tuple[int, ...] = ()


class ThisTurn(Model):
    """What a unit has done since its side's turn began."""

    has_moved: bool = False
    has_fired: bool = False


class ChargeUnit(TableUnit):
    """A body of foot or horse, or a gun with its crew.

    `figures` stand of those `at_start`; `behind_cover` is so whatever the ground shows; `hits` fall when the turn's
    fire is over (CH-2.7).
    """

    arm: Arm
    figures: int = Field(ge=0, le=MOST_FIGURES)
    at_start: int = Field(default_factory=lambda given: given.get("figures", 0), ge=0, le=MOST_FIGURES)
    formation: Formation = Formation.TWO_RANKS
    gun_destroyed: bool = False
    behind_cover: bool = False
    hits: tuple[Hits, ...] = ()
    this_turn: ThisTurn = ThisTurn()

    @property
    @override
    def on_table(self) -> bool:
        """It has figures left."""
        return self.figures > 0

    @property
    @override
    def noun(self) -> Noun:
        """A gun is one thing."""
        return Noun.THING if self.arm is Arm.GUN else Noun.MANY

    @property
    def to_fall(self) -> Fraction:
        """What all fire of the turn has cost it so far, exactly."""
        return sum((hits.casualties for hits in self.hits), Fraction(0))

    @property
    def lost(self) -> int:
        """Figures it has lost."""
        return self.at_start - self.figures


class Fight(Model):
    """Units of both sides in contact, by their ids, since the player's turn of that number (CH-4.1)."""

    units: tuple[str, ...]
    since: int


class ChargeState(TableState[ChargeUnit]):
    """A game of Charge!

    `mover` is the side whose turn it is, `first` the side that moves first in each turn, `began` the number of sides'
    turns that have begun.
    """

    ruleset: str = "charge"
    options: ChargeOptions = ChargeOptions()
    mover: str = ""
    first: str = ""
    began: int = 1
    fights: tuple[Fight, ...] = ()

    def fight_of(self, unit_id: str) -> Fight | None:
        """Return the unit's fight, or None."""
        return next((fight for fight in self.fights if unit_id in fight.units), None)

    def opposed(self, unit: ChargeUnit) -> tuple[ChargeUnit, ...]:
        """Return the enemies in contact with the unit."""
        fight = self.fight_of(unit.id)
        found = (self.units[each] for each in fight.units) if fight else ()
        return tuple(other for other in found if other.side != unit.side and other.on_table)


ChargePlay: TypeAlias = Play[ChargeState]
