"""The state of a campaign: powers with their commands, points, battles and sealed orders."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, ClassVar, TypeAlias

from pydantic import Field
from typing_extensions import override

from rules.core.hexboard.hexes import Hex
from rules.core.hexboard.stacks import HexState
from rules.core.model import IN_ORDER, Model
from rules.core.play import Play
from rules.core.report import Step
from rules.core.scene import Ground
from rules.core.state import Named

from .columns import Column, Figures
from .intelligence import Dispatch, News, Sightings
from .maps import CampaignMap
from .options import CampaignOptions, Knowledge


class PointKind(StrEnum):
    """Kinds of points; one point may have several kinds."""

    BASE = "base"
    DEPOT = "depot"
    FORT = "fort"
    TOWN = "town"
    WELL = "well"
    PORT = "port"


class Point(Model):
    """A named hex that counts for victory or supply."""

    name: Named
    at: Hex
    kinds: Annotated[frozenset[PointKind], IN_ORDER]
    value: int = Field(default=0, ge=0, le=99)
    holder: str = ""
    """The power that holds the point; empty for nobody."""
    held_days: int = Field(default=0, ge=0)
    """Number of consecutive days' ends at which the holder held the point."""


class Power(Model):
    """A power with one to four commands, of which one is the chief. Each command is a side of the state."""

    id: Named
    name: Named
    commands: tuple[Named, ...] = Field(min_length=1, max_length=4)
    chief: Named
    began_with: Figures = 0
    """Figures at the start, plus arrived reinforcements."""
    values: Mapping[str, int] = Field(default_factory=dict)
    """The power's own values of options, by the option's name."""
    worth: float = Field(default=1.0, gt=0, le=10)
    """Fighting worth of one figure, in enemy figures, as the bot estimates it."""
    worths: Mapping[str, Annotated[float, Field(gt=0, le=10)]] = Field(default_factory=dict)
    """Fighting worth of a figure, by troop; `worth` holds for all other troops."""


class Battle(Model):
    """An open battle: its hex, columns, defending power, and late arrivals."""

    id: Named
    at: Hex
    day: int = Field(ge=1)
    columns: tuple[Named, ...]
    """Ids of the columns, in the order of their contact."""
    defender: str = ""
    """The power that defends; empty for nobody (CA-5.5)."""
    edges: Mapping[str, Hex | None] = Field(default_factory=dict)
    """Each column's last hex before the battle's hex, by column id; None for columns already there."""
    late: Mapping[str, int] = Field(default_factory=dict)
    """For each column that marched to the guns: the battle turn at whose start it arrives, by column id (CA-5.6)."""


class SealedOrders(Model):
    """A command's sealed orders of one day. Other commands know only the seal until the campaign ends."""

    day: int = Field(ge=1)
    command: Named
    seal: str
    orders: str = ""
    salt: str = ""


class CampaignState(HexState[Column]):
    """A campaign. A turn is a day; its sides are the commands."""

    turn_word: ClassVar[str] = "Day"
    ruleset: str = "campaign"
    title: Named = ""
    """Title of an uploaded campaign; empty for a shipped one."""
    options: CampaignOptions = CampaignOptions()
    map: Named = ""
    own_map: CampaignMap | None = None
    """The campaign's own map, uploaded or painted; None if `map` names a shipped map."""
    battle_system: Named = ""
    """Id of the system by which battles are fought."""
    country: Ground = Ground.DESERT
    """The colour of open ground on the tables of battles."""
    powers: tuple[Power, ...] = ()
    done: tuple[str, ...] = ()
    """Commands that are ready for the day's end."""
    days: int = Field(default=14, ge=1, le=99)
    margin: int = Field(default=3, ge=0, le=99)
    """Minimum difference of held values for a victory after the last day; a smaller difference is a draw."""
    points: Mapping[str, Point] = Field(default_factory=dict)
    battles: Mapping[str, Battle] = Field(default_factory=dict)
    sightings: Mapping[str, Sightings] = Field(default_factory=dict)
    """Sightings of enemies that each command knows, by command."""
    sudden: Mapping[str, tuple[Named, ...]] = Field(default_factory=dict)
    """Ids of points, by power. A power that holds all its listed points wins at once (CA-8.3)."""
    seals: tuple[SealedOrders, ...] = ()
    wrote: tuple[str, ...] = ()
    """Commands that wrote orders or declared themselves ready today."""
    deputised: tuple[str, ...] = ()
    """Commands for which a deputy wrote orders or declared readiness today: the chief, the umpire, or the bot."""
    news: tuple[News, ...] = ()
    """The public news of all days, oldest first."""
    is_withheld: bool = False
    """Whether a finished day waits for the umpire's release."""
    withheld: "WithheldDay | None" = None
    """The withheld day, known only to the umpire."""
    missed: Mapping[str, int] = Field(default_factory=dict)
    """Number of consecutive days missed, by command (CA-1.10)."""
    dispatches: tuple[Dispatch, ...] = ()
    """All dispatches, by sender; a sender's dispatches in the order of writing."""
    looked: Mapping[str, Mapping[Hex, int]] = Field(default_factory=dict)
    """By command and hex: the day on which the command's columns last saw the hex; empty if sightings are shared."""

    @property
    @override
    def acting_sides(self) -> tuple[str, ...]:
        """Return the commands with columns on the map that are not ready for the day's end."""
        return tuple(side.id for side in self.sides if side.id not in self.done and self.units_of(side.id))

    @property
    @override
    def absent_sides(self) -> frozenset[str]:
        """Return the commands that have missed too many consecutive days (CA-1.10)."""
        return frozenset(side.id for side in self.sides if self.is_absent(side.id) and self.over is None)

    @property
    def why_withheld(self) -> str:
        """Return a text that refuses orders because the day is withheld."""
        return f"Day {self.turn} is over, and the umpire looks at it. Orders open again when the umpire releases it."

    def why_no_orders(self, side: str) -> str:
        """Return why a command cannot write orders: a withheld day, or its readiness; empty if it can."""
        if self.is_withheld:
            return self.why_withheld
        is_ready = side in self.done and self.over is None
        return f"{self.side(side):The} are ready for the day's end. Take that back first." if is_ready else ""

    @property
    @override
    def coalitions(self) -> Mapping[str, tuple[str, ...]]:
        """Return the commands of each power, by the power's name."""
        return {power.name: tuple(power.commands) for power in self.powers}

    @override
    def sides_represented_by(self, side: str) -> frozenset[str]:
        """Return the commands that `side` may order: its own, and for a chief also absent commands (CA-1.10)."""
        absent = (command for power in self.powers if power.chief == side for command in power.commands)
        return frozenset((side, *filter(self.is_absent, absent)))

    @override
    def allies_of(self, side: str) -> frozenset[str]:
        """Return the commands of a command's power."""
        return next((frozenset(power.commands) for power in self.powers if side in power.commands), frozenset((side,)))

    @override
    def sides_sharing_view(self, side: str) -> frozenset[str]:
        """Return the commands that share sightings with `side`: its whole power, or itself alone (CA-3.5)."""
        is_shared = self.options.knowledge is Knowledge.SHARED
        return self.allies_of(side) if is_shared else frozenset((side,))

    def is_absent(self, command: str) -> bool:
        """Whether a command has missed too many consecutive days, and has not acted today (CA-1.10)."""
        most = self.option_value(self.power_of(command).id, "missed_days")
        return command not in self.wrote and self.missed.get(command, 0) >= most

    @property
    def waits_for_battles(self) -> bool:
        """Whether the last day's march is over, and the campaign ends with its last battle (CA-6.5)."""
        is_last = self.over is None and self.turn >= self.days and not self.is_withheld
        return is_last and {side.id for side in self.sides} <= {*self.done}

    @property
    @override
    def can_have_hidden_units(self) -> bool:
        """Whether the state may hold secrets from a command, which is always true."""
        return True

    @override
    def title_of(self, turn: str) -> str:
        """Return the day's name. It names no side, because all commands write orders at the same time."""
        return turn

    @property
    @override
    def last_turn(self) -> int | None:
        """Return the campaign's last day."""
        return self.days

    def power_of(self, command: str) -> Power:
        """Return the power of a command. Raises StopIteration for an unknown command."""
        return next(power for power in self.powers if command in power.commands)

    def power(self, power_id: str) -> Power:
        """Return the power with that id. Raises StopIteration for an unknown power."""
        return next(power for power in self.powers if power.id == power_id)

    def enemy_of(self, power: str) -> Power:
        """Return the enemy of a power."""
        return next(other for other in self.powers if other.id != power)

    def option_value(self, power: str, option: str) -> int:
        """Return an option's number for a power: the power's own value, or the campaign's."""
        own = self.power(power).values
        number: int = own[option] if option in own else getattr(self.options, option)
        return number

    def columns_of(self, power: str) -> tuple[Column, ...]:
        """Return a power's columns on the map, in the file's order; split-off columns follow, by command and name."""
        columns = [column for command in self.power(power).commands for column in self.units_of(command)]
        place = self.power(power).commands.index
        return tuple(sorted(columns, key=lambda column: (column.listed, place(column.side), column.name)))

    @property
    def columns(self) -> tuple[Column, ...]:
        """Return every column on the map, those of the first power first."""
        return tuple(column for power in self.powers for column in self.columns_of(power.id))

    def columns_in(self, hex_: Hex) -> tuple[Column, ...]:
        """Return the columns in a hex, those of the first power first."""
        return tuple(column for column in self.columns if column.at == hex_)

    def enemies_in(self, hex_: Hex, power: str) -> tuple[Column, ...]:
        """Return the columns in a hex that are enemies of a power."""
        return tuple(column for column in self.stacks.by_hex.get(hex_, ()) if self.power_of(column.side).id != power)

    def enemy_hexes_seen_today(self, command: str) -> frozenset[Hex]:
        """Return the hexes in which a command has seen enemies today."""
        sightings = self.sightings.get(command, {})
        return frozenset(hex_ for hex_, sighting in sightings.items() if sighting.day == self.turn)

    def battle_in(self, hex_: Hex) -> Battle | None:
        """Return the open battle in a hex, if any."""
        return next((battle for battle in self.battles.values() if battle.at == hex_), None)

    def is_free(self, column: Column) -> bool:
        """Whether a column is in no open battle (CA-5.8)."""
        return all(column.id not in battle.columns for battle in self.battles.values())

    def point_in(self, hex_: Hex) -> Point | None:
        """Return the hex's point; None without one."""
        return next((point for point in self.points.values() if point.at == hex_), None)


class WithheldDay(Model):
    """A resolved day before its release: the state after the day, and the report's steps to publish."""

    state: CampaignState
    steps: tuple[Step, ...] = ()


CampaignState.model_rebuild()
CampaignPlay: TypeAlias = Play[CampaignState]
