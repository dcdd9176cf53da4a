"""State of a game of Charge!: units of single figures, their pending hits, and the fights between them."""

from enum import StrEnum
from fractions import Fraction
from typing import TypeAlias

from pydantic import Field
from typing_extensions import override

from rules.core.agreement import NounForm
from rules.core.model import Exact, Model
from rules.core.play import Play
from rules.core.tabletop.battle import TableState, TableUnit

from .options import ChargeOptions

MOST_FIGURES = 99
MOST_CREW = 8


class Arm(StrEnum):
    """Arm of a unit."""

    INFANTRY = "infantry"
    CAVALRY = "cavalry"
    GUN = "gun"


class Formation(StrEnum):
    """Formation of a unit's figures. A gun's crew always stands around its gun."""

    LINE = "line"
    TWO_RANKS = "two ranks"
    COLUMN = "column"
    SINGLE_FILE = "single file"


class Hits(Model):
    """Hits that one fire inflicts on a unit (CH-3.1).

    `by` is the firing unit's id, `casualties` the exact number of figures, and `reached` the numbers of the figures in
    range.
    """

    by: str
    casualties: Exact = Field(ge=0)
    reached: tuple[int, ...] = ()


class UnitTurn(Model):
    """Actions of a unit since the start of its side's turn."""

    has_moved: bool = False
    has_fired: bool = False


class ChargeUnit(TableUnit):
    """A body of infantry or cavalry, or a gun with its crew.

    `figures` is the number of figures left, `at_start` the original number. `behind_cover` grants cover without any
    terrain. `hits` are pending: figures fall when the turn's fire is over (CH-2.7).
    """

    arm: Arm
    figures: int = Field(ge=0, le=MOST_FIGURES)
    at_start: int = Field(default_factory=lambda data: data.get("figures", 0), ge=0, le=MOST_FIGURES)
    formation: Formation = Formation.TWO_RANKS
    gun_destroyed: bool = False
    behind_cover: bool = False
    hits: tuple[Hits, ...] = ()
    this_turn: UnitTurn = UnitTurn()

    @property
    @override
    def on_table(self) -> bool:
        """Whether the unit has figures left."""
        return self.figures > 0

    @property
    @override
    def noun(self) -> NounForm:
        """Grammatical form of the unit's name: singular for a gun, else plural."""
        return NounForm.THING if self.arm is Arm.GUN else NounForm.MANY

    @property
    def pending_casualties(self) -> Fraction:
        """Exact sum of the casualties by this turn's fire, in figures; they have not fallen yet."""
        return sum((hits.casualties for hits in self.hits), Fraction(0))

    @property
    def figures_lost(self) -> int:
        """Number of figures lost since the start of the game."""
        return self.at_start - self.figures


class Fight(Model):
    """Units of both sides in contact, by id (CH-4.1).

    `since` is the number of the player's turn in which the contact began (see `ChargeState.began`).
    """

    units: tuple[str, ...]
    since: int


class ChargeState(TableState[ChargeUnit]):
    """State of a game of Charge!

    `mover` is the side whose turn it is, and `first` the side that moves first in each game turn. `began` counts the
    player turns begun so far, of both sides together.
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

    def enemies_in_contact(self, unit: ChargeUnit) -> tuple[ChargeUnit, ...]:
        """Return the enemies in contact with the unit."""
        fight = self.fight_of(unit.id)
        units = (self.units[unit_id] for unit_id in fight.units) if fight else ()
        return tuple(other for other in units if other.side != unit.side and other.on_table)


ChargePlay: TypeAlias = Play[ChargeState]
