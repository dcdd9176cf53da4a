"""Data of a game: its seats, its journal entries, and its state after the newest entry."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from rules.core.dice import shown_number, unique_number
from rules.core.model import PUBLIC, UMPIRE, Viewer
from rules.core.report import Report
from rules.core.ruleset import Ruleset
from rules.core.sealed_dice import SealedThrow
from rules.core.state import Side, State

from .seats import Seat, describe_seat_holder, is_seat_active
from .thinking_record import ThinkingRecord
from .throw_numbers import JournalCounts


@dataclass(frozen=True)
class Actor:
    """A user who acts: Discord user id, and name for the log."""

    id: int
    name: str


BOT_ACTOR = Actor(-100, "the bot")
"""The bot when it acts for no side. The bot's seats have higher ids, from -1 downwards."""


@dataclass(frozen=True)
class Seed:
    """A sealed seed of the open or hidden dice."""

    epoch: int
    """Position among the seeds of these dice."""
    hidden: bool
    tag: str
    """Part of the hashed message that names the game."""
    seal: str
    secret: str | None
    """The seed in hexadecimal digits, or None until it is revealed."""


@dataclass(frozen=True)
class Entry:
    """One journal entry."""

    seq: int
    at: datetime
    actor: Actor
    kind: str
    """Kind of the action, or the name of a command such as `game undo` or `roll`."""
    action: Mapping[str, Any]
    report: Report
    undone: bool
    acts: bool = True
    """Whether the entry is an action of the rules, which can be undone."""
    side: Viewer = UMPIRE
    turn: int = 1
    dice: tuple[SealedThrow, ...] = ()
    base: int = 0
    """`seq` of the entry that stores the state before the action."""
    thought: ThinkingRecord | None = None
    """Record of the bot's decision, or None for other entries."""
    number: int = 0
    """Number shown to users: position among public entries, or among hidden entries of the sides `numbered_for`."""
    numbered_for: Viewer | None = None
    """Sides with this hidden entry, joined by `+`; None for a public entry."""

    @property
    def shown_number(self) -> str:
        """The displayed number: `12`, or `h3` for a hidden entry."""
        return shown_number(self.number, self.numbered_for)

    @property
    def name(self) -> str:
        """The unique name within the game: `12`, or `british-h3` for a hidden entry."""
        return unique_number(self.number, self.numbered_for)


def open_sides(ruleset: Ruleset[Any], state: State) -> tuple[Side, ...]:
    """Return the sides open to players. A side that the rule system itself plays is not open."""
    return tuple(side for side in state.sides if side.id != ruleset.played_by_bot)


@dataclass(frozen=True)
class Game:
    """A game at its newest entry: umpire, seats, state, and dice seeds."""

    id: str
    channel: int
    guild: int | None
    name: str
    ruleset: Ruleset[Any]
    umpire: Actor
    seats: tuple[Seat, ...]
    seq: int
    state: State
    seal: str
    started: datetime
    ended: datetime | None
    counts: JournalCounts = field(default_factory=JournalCounts)
    """Counts of entries and throws so far."""
    state_seq: int = 0
    """`seq` of the entry that stores the present state; an undo sets it back."""
    seeds: tuple[Seed, ...] = ()
    waits: frozenset[Viewer] | None = None
    """Sides awaited after the newest entry; None if the entry does not store them."""
    detail: str = "brief"
    """Detail level of messages: `brief` or `full`."""
    palette: str = "campaign"
    """Palette of shared pictures."""
    last_sides: Mapping[int, str] = field(default_factory=dict)
    """Last side played, by user id; includes former players."""
    photograph: bytes | None = None
    """JPEG photograph of the real table from above, drawn under the units; None without one."""
    rooms: Mapping[str, int] = field(default_factory=dict)
    """Thread id of each side's room."""
    state_is_readable: bool = True
    """Whether `state` is the stored state, not a stand-in for unreadable data (`bot.journal.unreadable_games`)."""

    @property
    def public_throw_count(self) -> int:
        """The number of the last public throw, counted from 1."""
        return self.counts.throws

    def progress_for(self, viewer: Viewer) -> str:
        """Return the counts of public entries and of hidden entries that the viewer may read, such as `12-3`."""
        hidden = self.counts.hidden_entries.items()
        own = sum(number for sides, number in hidden if viewer == UMPIRE or viewer in sides.split("+"))
        return f"{self.counts.entries}-{own}"

    def is_umpire(self, user: int) -> bool:
        """Whether `user` is the umpire, with the umpire's rights. `viewer` says what the umpire sees."""
        return user == self.umpire.id

    def viewer(self, user: int) -> Viewer:
        """Return the viewer whose view `user` sees.

        A player sees his side's view, an onlooker the public view, the umpire everything. In a game against the bot,
        the umpire sees only one side's view. So does an umpire who has or had a seat in a game with hidden units. An
        unreadable game has only the public view.
        """
        if not self.state_is_readable:
            return PUBLIC
        side = self._seated_side(user)
        if not self.is_umpire(user):
            return side
        own = self._umpire_side
        if own is None:
            last_side = self.last_sides.get(user, PUBLIC) if side == PUBLIC else side
            return last_side if self.state.can_have_hidden_units and last_side != PUBLIC else UMPIRE
        return own if side == PUBLIC else side

    def may_read_room(self, user: int, side: str) -> bool:
        """Whether `user` may read the side's room: a player of the side, or an umpire who sees everything."""
        return self.viewer(user) in (UMPIRE, side)

    def sheet_viewer(self, user: int) -> Viewer:
        """Return the side whose units `user` orders on an order sheet; UMPIRE for an umpire who orders all units."""
        side = self._seated_side(user)
        return self.viewer(user) if side == PUBLIC or not self.state_is_readable else side

    def seat_of(self, user: int) -> Seat | None:
        """Return the seat of a user, or None."""
        return next((seat for seat in self.seats if seat.user == user), None)

    def _seated_side(self, user: int) -> Viewer:
        seat = self.seat_of(user)
        return PUBLIC if seat is None else seat.side

    @property
    def _umpire_side(self) -> str | None:
        """The side whose view the umpire sees in a game against the bot. None in another game."""
        bots = {seat.side for seat in self.seats if seat.is_bot and seat.until is None}
        if not bots and self.ruleset.played_by_bot is None:
            return None
        human_sides = [side.id for side in self.open_sides if side.id not in bots]
        people = {seat.side: seat.user for seat in self.seats if not seat.is_bot and seat.user != self.umpire.id}
        own = [side for side in human_sides if side not in people]
        if self.ruleset.played_by_bot is not None:
            return next(iter([*own, *human_sides, *(side.id for side in self.open_sides)]), None)
        seated = any(seat.user == self.umpire.id for seat in self.seats)
        return next(iter([*own, *(human_sides if seated else ())]), None) if bots else None

    @property
    def bot_seats(self) -> dict[str, Seat]:
        """The bot's seats in this turn, by side."""
        return {seat.side: seat for seat in self.seats if seat.is_bot and is_seat_active(seat.until, self.state.turn)}

    @property
    def awaited_viewers(self) -> frozenset[Viewer]:
        """The sides for which the game waits, except sides played by the bot; may include UMPIRE."""
        return self.all_awaited_sides - {*self.bot_seats}

    @property
    def all_awaited_sides(self) -> frozenset[Viewer]:
        """All sides for which the game waits, including the bot's. Empty for an ended or unreadable game."""
        if self.ended is not None or not self.state_is_readable:
            return frozenset()
        return self.ruleset.awaited_viewers(self.state) if self.waits is None else self.waits

    @property
    def due_bot_seats(self) -> tuple[Seat, ...]:
        """The bot's seats that should act now.

        If the game also waits for players, and a required prompt is open, only seats that owe an answer should act.
        """
        awaited_seats = [seat for side, seat in sorted(self.bot_seats.items()) if side in self.all_awaited_sides]
        if not awaited_seats or not self.awaited_viewers:
            return tuple(awaited_seats)
        owing_sides = {prompt.side for prompt in self.ruleset.open_prompts(self.state) if prompt.required}
        owing_seats = tuple(seat for seat in awaited_seats if seat.side in owing_sides)
        return owing_seats if owing_seats or owing_sides else tuple(awaited_seats)

    @property
    def will_bot_act(self) -> bool:
        """Whether the bot should act now and does not wait for a request."""
        return any(seat.rests != self.state_seq for seat in self.due_bot_seats)

    @property
    def is_bot_resting(self) -> bool:
        """Whether the bot should act now but waits for a request, as after an undo."""
        return bool(self.due_bot_seats) and not self.will_bot_act

    @property
    def is_left_to_bot(self) -> bool:
        """Whether the game waits only for the bot, and the bot does not wait for a request."""
        return not self.awaited_viewers and self.will_bot_act

    @property
    def playable_sides(self) -> tuple[Side, ...]:
        """The sides that a player holds or may take: all open sides except sides that only the bot holds."""
        left_to_bot = {seat.side for seat in self.seats if seat.is_bot and seat.until is None}
        played = {seat.side for seat in self.seats if not seat.is_bot}
        return tuple(side for side in self.open_sides if side.id in played or side.id not in left_to_bot)

    @property
    def open_sides(self) -> tuple[Side, ...]:
        """The sides open to players."""
        return open_sides(self.ruleset, self.state)

    @property
    def people(self) -> Mapping[int, str]:
        """The names of the umpire and the players, by user id, without the bot."""
        players = {seat.user: seat.name for seat in self.seats if not seat.is_bot}
        return {self.umpire.id: self.umpire.name, **players}

    def name_of(self, side: str) -> str:
        """Return the side's name."""
        return self.state.side(side).name

    def the_side(self, side: str) -> str:
        """Return the side's name with its article, for a sentence: `the British`."""
        return f"{self.state.side(side):the}"

    def names_of_players(self, side: Side) -> str:
        """Return the names of the players and the bot in the side's seats; an empty string for no seats.

        If the rule system itself plays the side, return `the bot`.
        """
        if side.id == self.ruleset.played_by_bot:
            return "the bot"
        return ", ".join(map(describe_seat_holder, self.players(side.id)))

    def players(self, side: str) -> tuple[Seat, ...]:
        """Return the seats of the side in this turn, people before the bot."""
        seats = (seat for seat in self.seats if seat.side == side and is_seat_active(seat.until, self.state.turn))
        return tuple(sorted(seats, key=lambda seat: seat.is_bot))


def game_columns(
    game: str, channel: int, guild: int | None, name: str, ruleset: str, umpire: Actor, started: datetime
) -> dict[str, Any]:
    """Return the columns of a new game's row, including columns that are no longer read."""
    umpire_columns = {"umpire": umpire.id, "umpire_name": umpire.name, "started": started, "ended": None}
    place = {"id": game, "channel": channel, "guild": guild, "name": name, "ruleset": ruleset}
    return {**place, **umpire_columns, "head": 1, "state_seq": 1, "thrown": 0}


@dataclass(frozen=True)
class Played:
    """A completed action: the resulting game, the journal entry, and the previous state."""

    game: Game
    entry: Entry
    before: State
    waited: frozenset[Viewer] = frozenset()
    """Sides awaited before the action."""
    waits: frozenset[Viewer] = frozenset()
    """Sides awaited after the action."""
