"""The state of a game of The Great War: units on hexes, tokens and medals, and flags to be answered."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, TypeAlias

from pydantic import Field
from typing_extensions import override

from rules.core.agreement import NounForm
from rules.core.hexboard.hex_scene import Track
from rules.core.hexboard.hexes import Hex
from rules.core.hexboard.stacks import HexState, HexUnit
from rules.core.model import IN_ORDER, Model
from rules.core.play import Play
from rules.core.scene import DieFace
from rules.core.state import Named

from .options import GreatWarOptions

MOST_FIGURES = 12
Count: TypeAlias = Annotated[int, Field(ge=0)]


class Arm(StrEnum):
    """Arms of units, which are columns in the charts."""

    INFANTRY = "infantry"
    MACHINE_GUN = "machine gun"
    MORTAR = "mortar"
    FIELD_ARTILLERY = "field artillery"
    MALE = "Mark IV male"
    FEMALE = "Mark IV female"
    A7V = "A7V"

    @property
    def is_tank(self) -> bool:
        """Whether the arm is a tank rather than soldiers."""
        return self in (Arm.MALE, Arm.FEMALE, Arm.A7V)


class Bogged(StrEnum):
    """Whether a tank is bogged, or ditched for good (GW-3.3, GW-3.4)."""

    NO = "no"
    BOGGED = "bogged"
    DITCHED = "ditched"


class Recovery(StrEnum):
    """Result of a tank's recovery throw this turn (GW-3.4)."""

    NONE = "none"
    FREED = "freed"
    FAILED = "failed"


class UnitTurn(Model):
    """What a unit has done since the present turn began."""

    is_ordered: bool = False
    by_first_strike: bool = False
    moved: int = Field(default=0, ge=0)
    """Hexes moved this turn."""
    has_battled: bool = False
    entered: Hex | None = None
    """The last hex that the unit entered this turn, by its move or by gaining ground; else None."""
    recovery: Recovery = Recovery.NONE
    bonus: bool = False
    """Whether the unit gained ground and may battle again."""
    had_bonus: bool = False


class GreatWarUnit(HexUnit):
    """A unit of soldiers, or a tank. `figures` counts the soldiers or the tank's tokens; a unit with 0 is destroyed."""

    arm: Arm
    figures: int = Field(ge=0, le=MOST_FIGURES)
    bogged: Bogged = Bogged.NO
    this_turn: UnitTurn = UnitTurn()

    @property
    def is_tank(self) -> bool:
        """Whether the unit is a tank."""
        return self.arm.is_tank

    @property
    def is_stuck(self) -> bool:
        """Whether the unit is bogged or ditched."""
        return self.bogged is not Bogged.NO

    @property
    @override
    def noun(self) -> NounForm:
        """Return the grammatical number: singular for tanks, plural for soldiers."""
        return NounForm.THING if self.is_tank else NounForm.MANY


class Flags(Model):
    """Flags that the unit `by` has thrown at `unit`, whose owner has not answered yet (GW-1.4)."""

    unit: str
    by: str
    flags: int = Field(ge=1)
    may_ignore: int = Field(ge=0)
    may_gain: bool
    """Whether the attacker gains the ground that the unit leaves."""


class GreatWarState(HexState[GreatWarUnit]):
    """A game of The Great War. `turn` counts the turns of both sides; the side `west` retreats to the west edge."""

    ruleset: str = "great_war"
    options: GreatWarOptions = GreatWarOptions()
    map: Named = ""
    west: Named = ""
    battles: int = 0
    """Number of battles thrown."""
    wire: Annotated[frozenset[Hex], IN_ORDER] = frozenset()
    turns: int = Field(default=24, ge=1, le=999)
    medals_to_win: int = Field(default=6, ge=1, le=99)
    medals: Mapping[str, Count] = Field(default_factory=dict)
    tokens: Mapping[str, Count] = Field(default_factory=dict)
    flags: Flags | None = None
    tracks: tuple[Track, ...] = ()
    """Moves and shots of the last action, drawn in the picture."""
    faces: tuple[DieFace, ...] = ()
    """Faces of the battle dice of the last action."""

    @property
    @override
    def shown_dice(self) -> tuple[DieFace, ...]:
        """Return the battle dice of the last action."""
        return self.faces

    @property
    @override
    def last_turn(self) -> int:
        """Return the number of the last turn."""
        return self.turns

    def enemy(self, side: str) -> str:
        """Return the opposing side's id."""
        return next(other.id for other in self.sides if other.id != side)


GreatWarPlay: TypeAlias = Play[GreatWarState]
