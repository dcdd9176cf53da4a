"""Games: load, act, store. The one door through which anything happens to a game (cogs call nothing else).

Two commands in one channel are taken one after the other (a lock a channel), and the store's unique
(game, seq) catches other processes.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from rules.core.model import Viewer
from rules.core.odds import Odds
from rules.core.report import Offer, Report
from rules.core.ruleset import Ruleset
from rules.core.state import Action, State


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
class Entry:
    """One line of a game's journal."""

    seq: int
    at: datetime
    actor: Actor
    kind: str
    action: Mapping[str, Any]
    report: Report
    undone: bool


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

    def viewer(self, user: int) -> Viewer:
        """What `user` may see: all as umpire, a side as its player, else what is public."""
        raise NotImplementedError

    def name_of(self, side: str) -> str:
        """The side's name."""
        return self.state.side(side).name


@dataclass(frozen=True)
class Played:
    """What an action came to: the game after it, its journal entry, the state before it."""

    game: Game
    entry: Entry
    before: State
    odds: Odds | None = None


@dataclass(frozen=True)
class Undoing:
    """What an undo (or redo) would take back, said beforehand; `needs` says whose consent, if it is not free."""

    entries: tuple[Entry, ...]
    free: bool
    needs: str


class Games:
    """Every game of this process's store."""

    async def running(self, channel: int) -> Game:
        """The game of a channel. Raises NoGame with how to start one."""
        raise NotImplementedError

    async def start(
        self,
        channel: int,
        guild: int | None,
        actor: Actor,
        ruleset: str,
        scenario: str,
        side: str | None = None,
        name: str | None = None,
        *,
        interaction: int = 0,
    ) -> Played:
        """Starts the channel's game with `actor` as its umpire. Raises GameRuns, Refused."""
        raise NotImplementedError

    async def join(self, channel: int, actor: Actor, side: str) -> Game:
        """Takes a seat (one side a player). Raises NoGame, UserError on an unknown side."""
        raise NotImplementedError

    async def leave(self, channel: int, actor: Actor) -> Game:
        """Gives a seat up. Raises NoGame, UserError."""
        raise NotImplementedError

    async def appoint(self, channel: int, actor: Actor, umpire: Actor) -> Game:
        """Hands the umpire's chair over. Raises NotAllowed."""
        raise NotImplementedError

    async def act(self, channel: int, actor: Actor, action: Action, *, interaction: int) -> Played:
        """Does an action: rights, rules, dice, journal, in one transaction. Raises NoGame, NotAllowed, Refused."""
        raise NotImplementedError

    async def order(
        self, channel: int, actor: Actor, kind: str, args: Mapping[str, Any], *, interaction: int
    ) -> Played:
        """`act` from a command's words: the system makes the action of `args` against the state at that moment."""
        raise NotImplementedError

    async def press(self, game_id: str, seq: int, index: int, actor: Actor, *, interaction: int) -> Played:
        """Takes offer `index` of the entry `seq`. Raises Stale when it is no longer owed, or was undone."""
        raise NotImplementedError

    async def offers(self, game_id: str, seq: int) -> tuple[Offer, ...]:
        """All offers of an entry's report, those of `owed` first, in the order that `press` counts."""
        raise NotImplementedError

    async def odds(self, channel: int, actor: Actor, kind: str, args: Mapping[str, Any]) -> Odds:
        """The chances, as the actor may know them. Raises UserError when a secret modifier hides them."""
        raise NotImplementedError

    async def undoing(self, channel: int, actor: Actor, steps: int, *, redo: bool = False) -> Undoing:
        """What would be undone, and whether the actor may do so alone. Raises UserError when nothing is left."""
        raise NotImplementedError

    async def undo(self, channel: int, actor: Actor, steps: int, *, seq: int, consent: Actor | None = None) -> Game:
        """Undoes. `seq` is the journal's head the actor was shown; raises Stale if it moved on, NotAllowed."""
        raise NotImplementedError

    async def redo(self, channel: int, actor: Actor, *, seq: int) -> Game:
        """Puts the last undone action back. Raises Stale, UserError."""
        raise NotImplementedError

    async def log(self, channel: int, viewer: Viewer, last: int) -> Sequence[Entry]:
        """The last entries that viewer may read, reports redacted, oldest first, undone ones included."""
        raise NotImplementedError

    async def end(self, channel: int, actor: Actor) -> Game:
        """Ends the game and reveals its seed. Raises NotAllowed."""
        raise NotImplementedError

    async def export(self, channel: int, actor: Actor) -> bytes:
        """The whole game as JSON, hidden things only for the umpire. Raises NoGame."""
        raise NotImplementedError

    async def import_(self, channel: int, guild: int | None, actor: Actor, file: bytes) -> Game:
        """Takes an exported game into a channel with none. Raises GameRuns, BadFile with the place."""
        raise NotImplementedError
