"""The units, formations and state of Tanga 1914: all that the board remembers (TA-0 to TA-H)."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Self

from pydantic import Field, NaiveDatetime
from typing_extensions import override

from rules.core.agreement import Noun
from rules.core.hexboard.hexes import Hex
from rules.core.hexboard.stacks import HexState, HexUnit
from rules.core.model import Model
from rules.core.state import Named

from .maps import OwnMap
from .options import TangaOptions
from .progress import BritishTurn, Decision

BRITISH, GERMAN = "british", "german"


class Arm(StrEnum):
    """What a unit is. Leaders and command officers are no combat units (TA-H.9); stevedores carry (TA-8)."""

    INFANTRY = "infantry"
    MACHINE_GUN = "machine gun"
    ARTILLERY = "artillery"
    LEADER = "leader"
    COMMANDER = "command officer"
    STEVEDORES = "stevedores"


LEADERS = frozenset({Arm.LEADER, Arm.COMMANDER})
NO_COMBAT_UNITS = LEADERS | {Arm.STEVEDORES}


class Condition(StrEnum):
    """State of a unit (TA-H.5)."""

    GOOD = "in good order"
    DISRUPTED = "disrupted"
    ELIMINATED = "eliminated"


GONE: Mapping[str, Any] = {"condition": Condition.ELIMINATED, "at": None, "ro": None, "retreating": False}
"""What elimination makes of a unit."""


class Standing(StrEnum):
    """A German unit's standing order for opportunity fire (TA-H.6); `WITHIN` is up to `fires_within` hexes."""

    HOLD = "hold"
    WITHIN = "within"
    ASK = "ask"


class Kind(StrEnum):
    """Kinds of formation: British battalions and staffs (TA-2), German companies (TA-H.9)."""

    BATTALION = "battalion"
    STAFF = "staff"
    COMPANY = "company"


class Phase(StrEnum):
    """Parts of a turn (TA-H.0). The Germans' own are walked through by `/turn next`."""

    BRITISH = "British"
    MOVE = "movement"
    FIRE = "fire"
    MELEE = "melee"
    RALLY = "rally"


class Counter(Model):
    """What stands on a counter, and its state: what a player's scenario says of one too."""

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
    """A counter in a game. On the map while `at` is a hex; without one it is lost, aboard ship or still on its way."""

    formation: Named
    moved: int = Field(default=0, ge=0, le=99)
    """MF spent this turn."""
    acted: bool = False
    """It has moved, fired or fought this turn, or built: it builds no improved position (TA-H.8)."""
    fired: bool = False
    fought: bool = False
    tried_to_rally: bool = False
    retreating: bool = False
    """It carries a retreat marker (TA-9)."""
    ro: Hex | None = None
    """Its RO hex, kept from the beginning of a retreat or rout until it rallies (TA-9.C)."""
    inland: bool = False
    """It has left its beach and beachhead: they are prohibited to it now, unless it is staff (TA-3)."""
    turned_up: bool = False
    """An MG that was turned up and has not moved since, but back with its company: the limit spares it (TA-1)."""
    standing: Standing = Standing.WITHIN
    fires_within: int = Field(default=2, ge=1, le=10)

    @property
    @override
    def noun(self) -> Noun:
        """A leader is a man, any other counter a thing."""
        return Noun.MAN if self.is_leader else Noun.THING

    @property
    def is_leader(self) -> bool:
        """A leader or command officer."""
        return self.arm in LEADERS

    @property
    def is_combat(self) -> bool:
        """A combat unit: it counts for stacking, support and losses; an HQ company counts for the first two only."""
        return self.arm not in NO_COMBAT_UNITS

    @property
    def is_good(self) -> bool:
        """On the map in good order."""
        return self.on_map and self.condition is Condition.GOOD

    @property
    def is_disrupted(self) -> bool:
        """On the map and disrupted."""
        return self.on_map and self.condition is Condition.DISRUPTED


class Formation(Model):
    """A formation: its break number, where it is in its fight, and when it comes. Its losses are reckoned (TA-H.9)."""

    id: Named
    name: Named
    short: str = Field(max_length=12)
    """Its name as a counter has room for."""
    side: Named
    kind: Kind
    fbn: int = Field(ge=1, le=20)
    order: int = 0
    """Place in the sequence of play (TA-2); of Germans in the order of battle."""
    arrives: int = 1
    """Turn from which it may land or arrive."""
    by_train: bool = False
    """Of Germans: at the station, else on the map's west edge (TA-H.11)."""
    beach: str = ""
    """Letter of its landing beach once drawn (TA-3)."""
    entry: Hex | None = None
    """Where its entry marker lies (TA-9.A)."""
    entered: bool = False
    """The British entered that hex last (TA-9.A)."""
    collapsed: bool = False
    """It routs until it recovers (TA-7)."""


class GunMarker(Model):
    """A face-down MG marker with a company (TA-1). `real` is hidden: None in every player's view, or not drawn yet."""

    id: Named
    formation: Named
    company: Named
    """Id of the company it moves with."""
    real: bool | None = None


class Trail(Model):
    """A way or a shot of the last action, for the picture: hexes from first to last."""

    hexes: tuple[Hex, ...]
    kind: str
    """`move`, `retreat`, `fire`, `melee`."""
    side: str
    text: str = ""


class Hours(Model):
    """When the turns begin by the clock (TA-H.0)."""

    first: NaiveDatetime
    """When the first one does."""
    minutes: int = Field(default=60, ge=1, le=1440)
    """Minutes of a turn."""
    turns_a_day: int | None = Field(default=None, ge=1, le=99)
    """After so many, the next turn begins at the first one's hour of the next day; None: day and night."""


class TangaState(HexState[TangaUnit]):
    """A game of Tanga. Before the British phase of a turn nothing of that turn has been done."""

    options: TangaOptions = Field(default_factory=TangaOptions)
    formations: Mapping[str, Formation] = Field(default_factory=dict)
    markers: Mapping[str, GunMarker] = Field(default_factory=dict)
    improved: tuple[Hex, ...] = ()
    """Hexes with an improved position, in order (TA-H.8)."""
    turns: int = Field(default=10, ge=1, le=99)
    """Turns of the scenario."""
    hours: Hours | None = None
    """The time of day, where the scenario tells it."""
    british: BritishTurn = Field(default_factory=BritishTurn)
    """How far the British turn has come."""
    decisions: tuple[Decision, ...] = ()
    """Of the last activation (or step), in order, for `/british why`."""
    retreats: tuple[Decision, ...] = ()
    """Where the British went who have lost a melee since that activation began, in order; nobody overrules those."""
    before_last: "TangaState | None" = None
    """The state before the newest of `decisions`, for overruling it; its own is None."""
    trails: tuple[Trail, ...] = ()
    own: OwnMap | None = None
    """The map of the player's own game; None: the house map (TA-H.1)."""

    @override
    def bars(self, unit: TangaUnit) -> bool:
        """Combat units do; leaders alone keep nobody out, and are caught there (TA-9.5, TA-H.3)."""
        return unit.is_combat

    @property
    @override
    def last_turn(self) -> int:
        """The number of its turns."""
        return self.turns

    @property
    @override
    def turn_title(self) -> str:
        """`Turn 3 of 10, British`, `Turn 3 of 10, Germans, movement`."""
        part = "" if self.phase == Phase.BRITISH.value else f", {self.phase}"
        return f"Turn {self.turn} of {self.turns}, {self.side(self.active).name}{part}"

    def formation(self, formation_id: str) -> Formation:
        """The formation of that id. Raises KeyError."""
        return self.formations[formation_id]

    def with_formation(self, *changed: Formation) -> Self:
        """The state with these formations in place of those of the same ids."""
        return self.model_copy(update={"formations": {**self.formations, **{one.id: one for one in changed}}})
