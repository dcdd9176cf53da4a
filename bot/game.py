"""What the rest of the program knows of a game: seats, journal entries, the game at its newest entry."""

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

    `tag` is the name of the game in the hashed message. `secret` is the seed in hex once it is revealed, else None.
    """

    epoch: int
    hidden: bool
    tag: str
    seal: str
    secret: str | None


@dataclass(frozen=True)
class Entry:
    """One line of a game's journal. `acts` is whether it was an action of the rules, which can be undone.

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


def open_sides(ruleset: Ruleset[Any], state: State) -> tuple[Side, ...]:
    """The sides that people may play."""
    return tuple(side for side in state.sides if side.id != ruleset.played_by_bot)


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
    thrown: int = 0
    """Number of the last throw."""
    state_seq: int = 0
    """The journal entry whose state is the game's present one."""
    seeds: tuple[Seed, ...] = ()
    waits: frozenset[Viewer] | None = None
    """The sides it waits for, as its newest entry says; None where that entry does not."""
    detail: str = "brief"
    """How much it tells in the chat: `brief` or `full`."""
    readable: bool = True
    """Whether its state could be read; else a stand-in is in its place (`bot.unreadable`)."""

    def is_umpire(self, user: int) -> bool:
        """Whether `user` is the umpire and has the umpire's rights. What they may see is told by `viewer`."""
        return user == self.umpire.id

    def viewer(self, user: int) -> Viewer:
        """What `user` may see: all as umpire, a side as its player, else what is public.

        Where the bot plays a side, nobody sees everything: the umpire sees what the players against it see. Where the
        game cannot be read, everyone sees what is public.
        """
        if not self.readable:
            return PUBLIC
        bots = self.ruleset.played_by_bot
        if self.is_umpire(user) and bots is None:
            return UMPIRE
        seated = next((seat.side for seat in self.seats if seat.user == user), PUBLIC)
        return self.open_sides[0].id if seated == PUBLIC and self.is_umpire(user) else seated

    @property
    def waits_for(self) -> frozenset[Viewer]:
        """The sides that people play, and perhaps the umpire, who have something to do before it goes on."""
        if self.ended is not None or not self.readable:
            return frozenset()
        return self.ruleset.waits_for(self.state) if self.waits is None else self.waits

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
    """An action that was done: the game after it, its journal entry, the state before it."""

    game: Game
    entry: Entry
    before: State
    waited: frozenset[Viewer] = frozenset()
    """The sides that the game waited for before it."""
    waits: frozenset[Viewer] = frozenset()
    """Those that it waits for after it."""


@dataclass(frozen=True)
class Undoing:
    """What an undo (or redo) would take back. Where it is not free, `needs` says whose consent it takes."""

    entries: tuple[Entry, ...]
    free: bool
    needs: str
