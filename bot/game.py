"""What a game is to the rest of the program: seats, journal entries, the game as it stands."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from rules.core.model import PUBLIC, UMPIRE, Viewer
from rules.core.report import Report
from rules.core.ruleset import Ruleset
from rules.core.sealed import SealedThrow
from rules.core.state import Side, State


@dataclass(frozen=True)
class Actor:
    """Who does something: a Discord user id, and the name to write in the log."""

    id: int
    name: str


@dataclass(frozen=True)
class Seat:
    """A player's place in a game."""

    user: int
    name: str
    side: str


@dataclass(frozen=True)
class Seed:
    """A sealed seed of the dice: one an epoch for open throws, one for hidden ones.

    `tag` is the game's name in what is hashed. `secret` is the seed in hex once it is revealed, else None.
    """

    epoch: int
    hidden: bool
    tag: str
    seal: str
    secret: str | None


@dataclass(frozen=True)
class Entry:
    """One line of a game's journal. `acts` is whether it was an action of the rules, which can be undone.

    `kind` is the action's kind, or the command's name for what the program itself does (`game undo`, `roll`).
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


def open_sides(ruleset: Ruleset[Any], state: State) -> tuple[Side, ...]:
    """The sides that people may play."""
    return tuple(side for side in state.sides if side.id != ruleset.played_by_bot)


@dataclass(frozen=True)
class Game:
    """A game as it stands: who sits where, its newest state, and the seal of its dice."""

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
    thrown: int = 0
    """Number of the last throw."""
    state_seq: int = 0
    """The journal entry whose state stands."""
    seeds: tuple[Seed, ...] = ()
    readable: bool = True
    """Whether its state could be read; else a stand-in is in its place (`bot.unreadable`)."""

    def chairs(self, user: int) -> bool:
        """Whether `user` has the umpire's chair, and its rights; what they may see is another question."""
        return user == self.umpire.id

    def viewer(self, user: int) -> Viewer:
        """What `user` may see: all as umpire, a side as its player, else what is public.

        Against a side that the bot plays nobody sees all: the umpire is one of those who play against it. Of a game
        that cannot be read everyone sees what is public.
        """
        if not self.readable:
            return PUBLIC
        bots = self.ruleset.played_by_bot
        if self.chairs(user) and bots is None:
            return UMPIRE
        seated = next((seat.side for seat in self.seats if seat.user == user), PUBLIC)
        return self.open_sides[0].id if seated == PUBLIC and self.chairs(user) else seated

    @property
    def open_sides(self) -> tuple[Side, ...]:
        """The sides that people may play."""
        return open_sides(self.ruleset, self.state)

    def name_of(self, side: str) -> str:
        """The side's name."""
        return self.state.side(side).name

    def who_plays(self, side: Side) -> str:
        """The names of those who play it, or that the bot does; empty where nobody does."""
        if side.id == self.ruleset.played_by_bot:
            return "the bot"
        return ", ".join(seat.name for seat in self.players(side.id))

    def players(self, side: str) -> tuple[Seat, ...]:
        """Who plays that side."""
        return tuple(seat for seat in self.seats if seat.side == side)


@dataclass(frozen=True)
class Played:
    """What an action came to: the game after it, its journal entry, the state before it."""

    game: Game
    entry: Entry
    before: State


@dataclass(frozen=True)
class Undoing:
    """What an undo (or redo) would take back, said beforehand; `needs` says whose consent, if it is not free."""

    entries: tuple[Entry, ...]
    free: bool
    needs: str
