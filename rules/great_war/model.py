"""What a game of The Great War remembers: units on hexes, tokens and medals, and what waits for an answer."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, TypeAlias

from pydantic import Field
from typing_extensions import override

from rules.core.agreement import Noun
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
    """Arm of a unit, a column in the charts."""

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
    """Whether a tank is stuck (GW-3.3, GW-3.4)."""

    NO = "no"
    BOGGED = "bogged"
    DITCHED = "ditched"


class Recovery(StrEnum):
    """What came of this turn's recovery (GW-3.4)."""

    NONE = "none"
    FREED = "freed"
    FAILED = "failed"


class ThisTurn(Model):
    """What a unit has done since its side's turn began."""

    is_ordered: bool = False
    by_first_strike: bool = False
    moved: int = Field(default=0, ge=0)
    """Hexes."""
    has_battled: bool = False
    entered: Hex | None = None
    """The hex that it moved onto last, by its move or by gaining ground."""
    recovery: Recovery = Recovery.NONE
    bonus: bool = False
    """Whether the unit gained ground and may battle again."""
    had_bonus: bool = False


class GreatWarUnit(HexUnit):
    """Soldiers by `figures`, a tank by silhouette tokens; with none left it is destroyed."""

    arm: Arm
    figures: int = Field(ge=0, le=MOST_FIGURES)
    bogged: Bogged = Bogged.NO
    this_turn: ThisTurn = ThisTurn()

    @property
    def is_tank(self) -> bool:
        """Whether the unit consists of tanks."""
        return self.arm.is_tank

    @property
    def is_stuck(self) -> bool:
        """Bogged or ditched."""
        return self.bogged is not Bogged.NO

    @property
    @override
    def noun(self) -> Noun:
        """Return the grammatical number: singular for tanks, plural for soldiers."""
        return Noun.THING if self.is_tank else Noun.MANY


class Flags(Model):
    """Flags awaiting the owner's answer, some of them ignorable (GW-1.4)."""

    unit: str
    by: str
    flags: int = Field(ge=1)
    may_ignore: int = Field(ge=0)
    may_gain: bool
    """Whether the attacker gains the ground that it leaves."""


class GreatWarState(HexState[GreatWarUnit]):
    """A game of The Great War. `turn` counts each side's own; `west` is the side that retreats to the west edge."""

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
    """Ways and shots of the last action, for its picture."""
    faces: tuple[DieFace, ...] = ()
    """What its battle dice showed."""

    @property
    @override
    def shown_dice(self) -> tuple[DieFace, ...]:
        """Return the battle dice of the last action."""
        return self.faces

    @property
    @override
    def last_turn(self) -> int:
        """The number of the last turn."""
        return self.turns

    def enemy(self, side: str) -> str:
        """Return the opposing side's id."""
        return next(other.id for other in self.sides if other.id != side)


GreatWarPlay: TypeAlias = Play[GreatWarState]
