"""What the rest of the program knows of a game: seats, journal entries, the game at its newest entry."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from rules.core.automaton.levels import Level
from rules.core.dice import shown_number, unique_number
from rules.core.model import PUBLIC, UMPIRE, Viewer
from rules.core.report import Report
from rules.core.ruleset import Ruleset
from rules.core.sealed_dice import SealedThrow
from rules.core.state import Side, State

from .thinking_record import Thinking
from .throw_numbers import Counts


@dataclass(frozen=True)
class Actor:
    """Who does something: a Discord user id, and the name to write in the log."""

    id: int
    name: str


@dataclass(frozen=True)
class Seat:
    """A player's seat in a game. A bot seat has a level and a negative user id.

    While the state of entry `rests` stands, it waits to be asked. `until` is the turn in which alone it stands in for
    somebody.
    """

    user: int
    name: str
    side: str
    level: Level | None = None
    rests: int | None = None
    until: int | None = None

    @property
    def is_bot(self) -> bool:
        """Whether the bot holds it."""
        return self.level is not None


@dataclass(frozen=True)
class Seed:
    """A sealed seed of the dice: one an epoch for open throws, one for hidden ones.

    `tag` is the name of the game in the hashed message. `secret` is the seed in hex once it is revealed, else None.
    """

    epoch: int
    hidden: bool
    tag: str
    seal: str
    secret: str | None


@dataclass(frozen=True)
class Entry:
    """One journal entry. `acts` marks actions of the rules, which can be undone.

    `kind` is the action's kind, or the command's name for what the program does itself (`game undo`, `roll`).
    """

    seq: int
    at: datetime
    actor: Actor
    kind: str
    action: Mapping[str, Any]
    report: Report
    undone: bool
    acts: bool = True
    side: Viewer = UMPIRE
    turn: int = 1
    dice: tuple[SealedThrow, ...] = ()
    base: int = 0
    """The entry whose state it acted on."""
    thought: Thinking | None = None
    """The bot's thinking record, for a decision of the bot."""
    number: int = 0
    """Displayed number, counted among public entries or among the entries of the sides in `numbered_for`."""
    numbered_for: Viewer | None = None
    """Sides for whose hidden entries `number` counts, joined by `+`; None for a public entry."""

    @property
    def shown_number(self) -> str:
        """The entry's number as its readers see it: `12`, or `h3` for a hidden entry."""
        return shown_number(self.number, self.numbered_for)

    @property
    def name(self) -> str:
        """The entry's number, unique in the game: `12`, or `british-h3` for a hidden entry."""
        return unique_number(self.number, self.numbered_for)


def open_sides(ruleset: Ruleset[Any], state: State) -> tuple[Side, ...]:
    """Return the sides that people may play."""
    return tuple(side for side in state.sides if side.id != ruleset.played_by_bot)


def bot_of(state: State, side: str) -> int:
    """Return the bot's user id on the side: a negative number, unused by Discord."""
    return -1 - [one.id for one in state.sides].index(side)


@dataclass(frozen=True)
class Game:
    """A game at its newest entry: who sits where, its state, and the seal of its dice."""

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
    counts: Counts = field(default_factory=Counts)
    """The numbers of its last entries and throws."""
    state_seq: int = 0
    """The journal entry whose state is the game's present one."""
    seeds: tuple[Seed, ...] = ()
    waits: frozenset[Viewer] | None = None
    """Sides waited for according to the newest entry; None if not stored there."""
    detail: str = "brief"
    """How much it tells in the chat: `brief` or `full`."""
    held: Mapping[int, str] = field(default_factory=dict)
    """Last side played by each user, including former players."""
    photograph: bytes | None = None
    """Photograph under the table: a JPEG seen from above."""
    rooms: Mapping[str, int] = field(default_factory=dict)
    """Private thread of each side with a room."""
    state_is_readable: bool = True
    """Whether the state could be read; otherwise a stand-in replaces the state (`bot.journal.unreadable_games`)."""

    @property
    def thrown(self) -> int:
        """Number of the last throw for everyone."""
        return self.counts.throws

    def stands_for(self, viewer: Viewer) -> str:
        """Return how far the viewer knows the game: `12-3` after 12 entries for everyone and 3 hidden ones."""
        hidden = self.counts.hidden_entries.items()
        own = sum(number for sides, number in hidden if viewer == UMPIRE or viewer in sides.split("+"))
        return f"{self.counts.entries}-{own}"

    def is_umpire(self, user: int) -> bool:
        """Whether `user` is the umpire with umpire's rights. `viewer` decides what the umpire sees."""
        return user == self.umpire.id

    def viewer(self, user: int) -> Viewer:
        """Return what `user` may see: everything for the umpire, a side's view for its player, else the public view.

        An umpire sees only his side's view if he plays against the bot, or if units may be hidden and he holds or has
        held a seat. If the game cannot be read, everyone sees only what is public.
        """
        if not self.state_is_readable:
            return PUBLIC
        seated = self._seat_of(user)
        if not self.is_umpire(user):
            return seated
        own = self._umpires_own
        if own is None:
            held = self.held.get(user, PUBLIC) if seated == PUBLIC else seated
            return held if self.state.may_hide and held != PUBLIC else UMPIRE
        return own if seated == PUBLIC else seated

    def may_read_room(self, user: int, side: str) -> bool:
        """Whether the side's room is for that user: who sees everything reads all rooms, a player his side's."""
        return self.viewer(user) in (UMPIRE, side)

    def orders_for(self, user: int) -> Viewer:
        """Return whose units are on the order sheet of `user`: his side's; everyone's for an umpire without a side."""
        seated = self._seat_of(user)
        return self.viewer(user) if seated == PUBLIC or not self.state_is_readable else seated

    def _seat_of(self, user: int) -> Viewer:
        return next((seat.side for seat in self.seats if seat.user == user), PUBLIC)

    @property
    def _umpires_own(self) -> str | None:
        """Return the side played by the umpire against the bot, or None.

        Where a system plays a side itself there always is one.
        """
        bots = {seat.side for seat in self.seats if seat.is_bot and seat.until is None}
        theirs = [side.id for side in self.open_sides if side.id not in bots]
        people = {seat.side: seat.user for seat in self.seats if not seat.is_bot and seat.user != self.umpire.id}
        own = [side for side in theirs if side not in people]
        if self.ruleset.played_by_bot is not None:
            return next(iter([*own, *theirs, *(side.id for side in self.open_sides)]), None)
        seated = any(seat.user == self.umpire.id for seat in self.seats)
        return next(iter([*own, *(theirs if seated else ())]), None) if bots else None

    @property
    def bots(self) -> dict[str, Seat]:
        """The seats that the bot plays at this moment, by their side."""
        return {seat.side: seat for seat in self.seats if seat.is_bot and seat.until in (None, self.state.turn)}

    @property
    def waits_for(self) -> frozenset[Viewer]:
        """Return the waited-for sides played by people, including the umpire."""
        return self.all_awaited_sides - {*self.bots}

    @property
    def all_awaited_sides(self) -> frozenset[Viewer]:
        """Return all waited-for sides, including sides of the bot."""
        if self.ended is not None or not self.state_is_readable:
            return frozenset()
        return self.ruleset.waits_for(self.state) if self.waits is None else self.waits

    @property
    def bots_due(self) -> tuple[Seat, ...]:
        """The bot's seats that have something to do before it goes on; none while people first owe something."""
        due = [seat for side, seat in sorted(self.bots.items()) if side in self.all_awaited_sides]
        if not due or not self.waits_for:
            return tuple(due)
        owed = {prompt.side for prompt in self.ruleset.open_prompts(self.state) if prompt.required}
        owing = tuple(seat for seat in due if seat.side in owed)
        return owing if owing or owed else tuple(due)

    @property
    def bot_goes_on(self) -> bool:
        """Whether the bot acts next without a request."""
        return any(seat.rests != self.state_seq for seat in self.bots_due)

    @property
    def bot_rests(self) -> bool:
        """Whether the bot waits for a request to act."""
        return bool(self.bots_due) and not self.bot_goes_on

    @property
    def is_left_to_bot(self) -> bool:
        """Whether the game waits only for the bot, and the bot acts without a request."""
        return not self.waits_for and self.bot_goes_on

    @property
    def sides_of_people(self) -> tuple[Side, ...]:
        """The sides that people play or may take, without those that only the bot plays."""
        left_to_bot = {seat.side for seat in self.seats if seat.is_bot and seat.until is None}
        played = {seat.side for seat in self.seats if not seat.is_bot}
        return tuple(side for side in self.open_sides if side.id in played or side.id not in left_to_bot)

    @property
    def open_sides(self) -> tuple[Side, ...]:
        """The sides that people may play."""
        return open_sides(self.ruleset, self.state)

    def name_of(self, side: str) -> str:
        """Return the side's name."""
        return self.state.side(side).name

    def the_side(self, side: str) -> str:
        """Return the side's name with its article, for a sentence: `the British`."""
        return f"{self.state.side(side):the}"

    def who_plays(self, side: Side) -> str:
        """Return the names of the side's players, or an empty string."""
        if side.id == self.ruleset.played_by_bot:
            return "the bot"
        return ", ".join(map(seat_label, self.players(side.id)))

    def players(self, side: str) -> tuple[Seat, ...]:
        """Return who plays that side, those first who play it for good."""
        there = (seat for seat in self.seats if seat.side == side and seat.until in (None, self.state.turn))
        return tuple(sorted(there, key=lambda seat: seat.is_bot))


def seat_label(seat: Seat) -> str:
    """Return the seat's holder, with the level of a bot."""
    if not seat.is_bot:
        return seat.name
    return f"played by the bot ({seat.level})" if seat.until is None else f"the bot ({seat.level}) for this turn"


@dataclass(frozen=True)
class Played:
    """A completed action: the resulting game, the journal entry, and the previous state."""

    game: Game
    entry: Entry
    before: State
    waited: frozenset[Viewer] = frozenset()
    """Sides waited for before the action."""
    waits: frozenset[Viewer] = frozenset()
    """Sides waited for after the action."""


@dataclass(frozen=True)
class Undoing:
    """What an undo (or redo) would take back. Where it is not free, `needs` says whose consent it takes."""

    entries: tuple[Entry, ...]
    free: bool
    needs: str
