"""Stored data of Tanga 1914: units, formations and game state (TA-0 to TA-H)."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Self

from pydantic import Field, NaiveDatetime
from typing_extensions import override

from rules.core.agreement import NounForm
from rules.core.hexboard.hexes import Hex
from rules.core.hexboard.stacks import HexState, HexUnit
from rules.core.model import Model
from rules.core.state import Named

from .maps import OwnMap
from .options import TangaOptions
from .progress import BritishTurn, Decision

BRITISH, GERMAN = "british", "german"


class Arm(StrEnum):
    """Arm of a unit. Leaders and command officers are no combat units (TA-H.9); stevedores carry ammunition (TA-8)."""

    INFANTRY = "infantry"
    MACHINE_GUN = "machine gun"
    ARTILLERY = "artillery"
    LEADER = "leader"
    COMMANDER = "command officer"
    STEVEDORES = "stevedores"


LEADERS = frozenset({Arm.LEADER, Arm.COMMANDER})
NO_COMBAT_UNITS = LEADERS | {Arm.STEVEDORES}


class Condition(StrEnum):
    """Condition of a unit (TA-H.5)."""

    GOOD = "in good order"
    DISRUPTED = "disrupted"
    ELIMINATED = "eliminated"


ELIMINATED_FIELDS: Mapping[str, Any] = {"condition": Condition.ELIMINATED, "at": None, "ro": None, "retreating": False}
"""Values of an eliminated unit's fields."""


class FireOrder(StrEnum):
    """A German unit's standing order for opportunity fire (TA-H.6). `WITHIN` fires within `fires_within` hexes."""

    HOLD = "hold"
    WITHIN = "within"
    ASK = "ask"


class Kind(StrEnum):
    """Kind of formation: British battalion or staff (TA-2), German company (TA-H.9)."""

    BATTALION = "battalion"
    STAFF = "staff"
    COMPANY = "company"


class Phase(StrEnum):
    """Phase of a turn (TA-H.0). `/turn next` advances through the German phases."""

    BRITISH = "British"
    MOVE = "movement"
    FIRE = "fire"
    MELEE = "melee"
    RALLY = "rally"


class Counter(Model):
    """Printed values and condition of a counter, as in a player's scenario file."""

    arm: Arm = Field(description="What it is.")
    letter: str = Field(default="", max_length=2, description="Of a battalion's company: its letter, A to H.")
    cf: int = Field(default=0, ge=0, le=20, description="Combat factor.")
    mf: int = Field(default=0, ge=0, le=12, description="Movement factor.")
    eb: int = Field(default=0, ge=0, le=6, description="A leader's bonus.")
    black_powder: bool = Field(default=False, description="Whether its rifles fire black powder.")
    headquarters: bool = Field(default=False, description="Whether it is a staff's HQ company, which is never a loss.")
    rounds: int | None = Field(default=None, ge=0, le=99, description="Artillery's rounds, if they are counted.")
    rounds_full: int | None = Field(default=None, ge=0, le=99, description="Rounds when full; left out: as it starts.")
    condition: Condition = Field(default=Condition.GOOD, description="Its condition at the start.")


class TangaUnit(HexUnit, Counter):
    """A counter in a game. If `at` is None, the counter is lost, aboard ship, hidden or due to arrive."""

    formation: Named
    moved: int = Field(default=0, ge=0, le=99)
    """Movement factors (MF) spent this turn."""
    acted: bool = False
    """Whether the unit moved, fired, fought or built this turn, and so cannot build (TA-H.8)."""
    fired: bool = False
    fought: bool = False
    tried_to_rally: bool = False
    retreating: bool = False
    """Whether the unit carries a retreat marker (TA-9)."""
    ro: Hex | None = None
    """RO hex, kept from the start of a retreat or rout until the unit rallies (TA-9.C)."""
    inland: bool = False
    """Whether the unit has left its beach and beachhead hexes. Only staff units may return there (TA-3)."""
    turned_up: bool = False
    """Whether the unit is an MG that has not moved since it was revealed. It may exceed the stacking limit (TA-1)."""
    standing: FireOrder = FireOrder.WITHIN
    fires_within: int = Field(default=2, ge=1, le=10)

    @property
    @override
    def noun(self) -> NounForm:
        """Return the grammatical form for pronouns: `he` for leaders, `it` for all other units."""
        return NounForm.MAN if self.is_leader else NounForm.THING

    @property
    def is_leader(self) -> bool:
        """Whether the unit is a leader or command officer."""
        return self.arm in LEADERS

    @property
    def is_combat(self) -> bool:
        """Whether the unit is a combat unit, which counts for stacking, support and losses."""
        return self.arm not in NO_COMBAT_UNITS

    @property
    @override
    def bars_enemies(self) -> bool:
        """Whether the unit bars enemies from its hex: combat units do, lone leaders do not (TA-9.5, TA-H.3)."""
        return self.is_combat

    @property
    def is_in_good_order(self) -> bool:
        """Whether the unit is on the map in good order."""
        return self.on_map and self.condition is Condition.GOOD

    @property
    def is_disrupted(self) -> bool:
        """Whether the unit is disrupted and stands on the map."""
        return self.on_map and self.condition is Condition.DISRUPTED


class Formation(Model):
    """A formation, with its break number (FBN). Its losses are computed from its units (TA-H.9)."""

    id: Named
    name: Named
    short: str = Field(max_length=12)
    """Abbreviated name for counters."""
    side: Named
    kind: Kind
    fbn: int = Field(ge=1, le=20)
    order: int = 0
    """Rank in the sequence of play (TA-2), for Germans in the order of battle; 1 is first."""
    arrives: int = 1
    """First turn in which the formation may land or arrive."""
    by_train: bool = False
    """Whether a German formation arrives at the station instead of the west edge (TA-H.11)."""
    beach: str = ""
    """Letter of the drawn landing beach, empty before the draw (TA-3)."""
    entry: Hex | None = None
    """Hex of the formation's entry marker (TA-9.A)."""
    entered: bool = False
    """Whether the British were the last side to enter the entry hex (TA-9.A)."""
    collapsed: bool = False
    """Whether the formation has collapsed: its units rout until it recovers (TA-7)."""


class GunMarker(Model):
    """A face-down MG marker with a company (TA-1)."""

    id: Named
    formation: Named
    company: Named
    """Id of the company that carries the marker."""
    real: bool | None = None
    """Whether the marker hides the MG; None if the viewer does not know."""


class Trail(Model):
    """A move or shot of the last action, drawn on the picture: its hexes from first to last."""

    hexes: tuple[Hex, ...]
    kind: str
    """Kind: `move`, `retreat`, `fire` or `melee`."""
    side: str
    text: str = ""


class Hours(Model):
    """The calendar of a battle: at which time of day each turn begins (TA-H.0)."""

    first: NaiveDatetime
    """Start of turn 1."""
    minutes: int = Field(default=60, ge=1, le=1440)
    """Minutes per turn."""
    turns_a_day: int | None = Field(default=None, ge=1, le=99)
    """Turns per day; the next day begins at the hour of turn 1. None if turns run day and night."""


class TangaState(HexState[TangaUnit]):
    """State of a game of Tanga 1914."""

    options: TangaOptions = Field(default_factory=TangaOptions)
    formations: Mapping[str, Formation] = Field(default_factory=dict)
    markers: Mapping[str, GunMarker] = Field(default_factory=dict)
    improved: tuple[Hex, ...] = ()
    """Hexes with an improved position, sorted (TA-H.8)."""
    turns: int = Field(default=10, ge=1, le=99)
    """Number of turns in the scenario."""
    hours: Hours | None = None
    """Time of day of the turns, if the scenario gives it."""
    british: BritishTurn = Field(default_factory=BritishTurn)
    """Progress of the British turn."""
    decisions: tuple[Decision, ...] = ()
    """Decisions of the last activation, or of a smaller step, in order, for `/british why`."""
    retreats: tuple[Decision, ...] = ()
    """British decisions about retreats since the last activation, which nobody can overrule."""
    before_last: "TangaState | None" = None
    """State before the newest decision, for overruling. The `before_last` of this inner state is None."""
    trails: tuple[Trail, ...] = ()
    own: OwnMap | None = None
    """Map of the player's own game; None for the house map (TA-H.1)."""

    @property
    @override
    def last_turn(self) -> int:
        """Return the number of the last turn."""
        return self.turns

    @property
    @override
    def turn_name(self) -> str:
        """Return the turn's name with the number of turns: `Turn 3 of 10`."""
        return f"Turn {self.turn} of {self.turns}"

    @override
    def title_of(self, turn: str) -> str:
        """Return a title such as `Turn 3 of 10, Germans, movement`; the British phase is not named."""
        part = "" if self.phase == Phase.BRITISH.value else f", {self.phase}"
        return f"{turn}, {self.side(self.active).name}{part}"

    def formation(self, formation_id: str) -> Formation:
        """Return the formation with this id. Raises KeyError for an unknown id."""
        return self.formations[formation_id]

    def with_formation(self, *changed: Formation) -> Self:
        """Return the state with the formations replaced, each by the given formation with the same id."""
        formations = {**self.formations, **{formation.id: formation for formation in changed}}
        return self.model_copy(update={"formations": formations})
