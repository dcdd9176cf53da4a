"""Games: load, act, store. The one door through which anything happens to a game (cogs call nothing else).

Two commands in one channel are taken one after the other (a lock a channel), and the store's unique
(game, seq) catches other processes.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rules.core import expression as expressions
from rules.core.luck import Luck
from rules.core.model import PUBLIC, Viewer
from rules.core.odds import Odds
from rules.core.report import Offer
from rules.core.ruleset import Ruleset
from rules.core.state import Action

from . import chances, fairness, history, imported, opening, playing, reading, rolls, seats, undo
from .errors import Stale
from .game import Actor, Entry, Game, Played, Seat, Seed, Undoing
from .jobs.dice import Verified
from .jobs.replay import Film
from .ledger import Ledger
from .rolls import Rolled
from .store import Store
from .workers import Threads, Workers

__all__ = ["Actor", "Entry", "Game", "Games", "Played", "Rolled", "Seat", "Seed", "Undoing", "Verified"]


class Games:
    """Every game of this process's store."""

    def __init__(self, store: Store, rulesets: Mapping[str, Ruleset[Any]], workers: Workers | None = None) -> None:
        """`workers` do what takes long; without any, threads of this process."""
        self.rulesets = rulesets
        self._workers = workers or Threads()
        self._ledger = Ledger(store, rulesets)

    async def settle(self) -> None:
        """Waits until every change under way is written."""
        await self._ledger.settle()

    async def running(self, channel: int, *, at_all: bool = False) -> Game:
        """The game of a channel. Raises NoGame with how to start one, Unreadable with the ways out.

        `at_all`: where it cannot be read, with a stand-in for its table.
        """
        return await (self._ledger.running_at_all if at_all else self._ledger.running)(channel)

    async def latest(self, channel: int, *, at_all: bool = False) -> Game:
        """The channel's running game, or the last that ended there; `at_all` as for `running`. Raises NoGame."""
        return await (self._ledger.latest_at_all if at_all else self._ledger.latest)(channel)

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
        choices: Mapping[str, str] | None = None,
        title: str | None = None,
        document: bytes | None = None,
        interaction: int = 0,
    ) -> Played:
        """Starts the channel's game with `actor` as its umpire. Raises GameRuns, Refused.

        A scenario that was uploaded comes with its title and document.
        """
        wanted = opening.Opening(channel, guild, ruleset, scenario, side, name, choices or {}, title, document)
        return await opening.start(self._ledger, wanted, actor, interaction)

    async def join(self, channel: int, actor: Actor, side: str, *, interaction: int = 0) -> Game:
        """Takes a seat (one side a player). Raises NoGame, UserError on an unknown side."""
        return await seats.join(self._ledger, channel, actor, side, interaction=interaction)

    async def leave(self, channel: int, actor: Actor, *, interaction: int = 0) -> Game:
        """Gives a seat up. Raises NoGame, UserError."""
        return await seats.leave(self._ledger, channel, actor, interaction=interaction)

    async def appoint(
        self, channel: int, actor: Actor, umpire: Actor, *, manages: bool = False, interaction: int = 0
    ) -> Game:
        """Hands the umpire's chair over; `manages`: the actor may manage the channel. Raises NotAllowed."""
        return await seats.appoint(self._ledger, channel, actor, umpire, manages=manages, interaction=interaction)

    async def act(self, channel: int, actor: Actor, action: Action, *, interaction: int) -> Played:
        """Does an action: rights, rules, dice, journal, in one transaction. Raises NoGame, NotAllowed, Refused.

        The same interaction again does nothing and gets the entry it made.
        """

        async def given(_: Game) -> Action:
            return action

        return await playing.act(self._ledger, channel, actor, given, interaction)

    async def command(
        self,
        channel: int,
        actor: Actor,
        kind: str,
        args: Mapping[str, Any] | Callable[[Game], Mapping[str, Any]],
        *,
        interaction: int,
    ) -> Played:
        """`act` from a command's words: the system makes the action of `args` against the state at that moment.

        Where what the words mean depends on the game, `args` finds that out; it may raise UserError and Refused.
        """

        async def ordered(game: Game) -> Action:
            return game.ruleset.parse(kind, args(game) if callable(args) else args)

        return await playing.act(self._ledger, channel, actor, ordered, interaction)

    async def done(self, channel: int, interaction: int) -> Played | None:
        """What that interaction did in a game of the channel, if it did anything: in another process, it may be."""
        return await self._ledger.done(channel, interaction)

    async def go_on(self, channel: int, actor: Actor) -> Played | None:
        """Does what the game's system does next by itself, one action; None where nothing is due. Raises NoGame."""
        return await playing.go_on(self._ledger, channel, actor)

    async def press(
        self, game_id: str, seq: int, index: int, actor: Actor, *, channel: int, interaction: int
    ) -> Played:
        """Takes offer `index` of the entry `seq`. Raises Stale where that can no longer be done."""
        game = await self._ledger.by_id(game_id)
        if game.channel != channel:
            raise Stale("This button is of a game in another channel. /turn status shows what the game here waits for.")
        return await playing.press(self._ledger, game, seq, index, actor, interaction=interaction)

    async def offers(self, game_id: str, seq: int) -> tuple[Offer, ...]:
        """All offers of an entry's report, those of its prompts first, in the order that `press` counts."""
        game = await self._ledger.by_id(game_id)
        return playing.offers_of((await self._ledger.entry(game, seq)).report)

    async def odds(self, channel: int, actor: Actor, kind: str, args: Mapping[str, Any]) -> Odds:
        """The chances, as far as the actor may know what goes into them. Raises NotAllowed on the umpire's words."""
        game = await self.running(channel)
        return await asyncio.to_thread(chances.odds, game, actor, game.ruleset.parse(kind, args))

    async def undoing(self, channel: int, actor: Actor, steps: int, *, redo: bool = False) -> Undoing:
        """What would be undone, and whether the actor may do so alone. Raises UserError when nothing is left."""
        return await undo.undoing(self._ledger, await self.running(channel), actor, steps, redo=redo)

    async def undo(
        self,
        channel: int,
        actor: Actor,
        steps: int,
        *,
        seq: int,
        consent: Actor | None = None,
        interaction: int = 0,
    ) -> Game:
        """Undoes. `seq` is the journal's head the actor was shown; raises Stale if it moved on, NotAllowed."""
        return await undo.undo(self._ledger, channel, actor, steps, seq, consent, interaction=interaction)

    async def redo(self, channel: int, actor: Actor, *, seq: int, interaction: int = 0) -> Game:
        """Puts the last undone action back. Raises Stale, UserError."""
        return await undo.redo(self._ledger, channel, actor, seq, interaction=interaction)

    async def turned_by(self, channel: int, actor: Actor, *, interaction: int) -> Sequence[Entry]:
        """What that interaction took back or put back, newest first, as the actor may read it."""
        return await undo.turned_by(self._ledger, channel, actor, interaction)

    async def roll(
        self,
        channel: int,
        actor: Actor,
        expression: str,
        label: str = "",
        *,
        secret: bool = False,
        repeat: int = 1,
        interaction: int,
    ) -> Rolled:
        """Throws an expression: the game's dice and journal where one runs, else this machine's. Raises Refused."""
        read = expressions.read(expression, repeat)
        return await rolls.roll(self._ledger, channel, actor, read, label, secret=secret, interaction=interaction)

    async def verify(self, channel: int) -> Verified:
        """Recomputes every throw of the channel's game, or of the last that ended there. Raises NoGame."""
        return await reading.verify(self._ledger, self._workers, await self.latest(channel))

    async def reveal(self, channel: int, actor: Actor, *, interaction: int = 0) -> Game:
        """Publishes the seed of the open dice and seals a new one: `seeds` and `seal`. Raises NotAllowed."""
        return await fairness.reveal(self._ledger, channel, actor, interaction=interaction)

    async def luck(self, channel: int, viewer: Viewer) -> tuple[Luck, ...]:
        """Expected against thrown, by side, of the throws that stand and `viewer` may see. Raises NoGame."""
        return await reading.luck(self._ledger, self._workers, await self.latest(channel), viewer)

    async def end(
        self, channel: int, actor: Actor, *, manages: bool = False, game_id: str | None = None, interaction: int = 0
    ) -> Game:
        """Ends the channel's game and reveals its seeds (`seeds`); `manages` as for `appoint`.

        With `game_id` only if it is that game. Raises NoGame, NotAllowed, Stale.
        """
        return await fairness.end(
            self._ledger, channel, actor, manages=manages, game_id=game_id, interaction=interaction
        )

    async def export(self, channel: int, actor: Actor) -> bytes:
        """The whole game as JSON, hidden things only for the umpire. Raises NoGame."""
        game = await self.latest(channel, at_all=True)
        return await reading.export(self._ledger, self._workers, game, game.viewer(actor.id))

    async def import_(
        self, channel: int, guild: int | None, actor: Actor, file: bytes, *, interaction: int = 0
    ) -> Game:
        """Takes an exported game into a channel with none. Raises GameRuns, BadFile with the place."""
        where = imported.ImportedBy(channel, guild, actor, interaction)
        return await imported.import_game(self._ledger, where, file)

    async def replay(self, channel: int, turns: int | None, largest: int) -> Film | None:
        """The last turns, or all of them, as everyone may see them; None without any. Raises NoGame.

        At most `largest` bytes.
        """
        return await history.replay(self._ledger, self._workers, await self.latest(channel), turns, largest)

    async def page(self, channel: int, viewer: Viewer, style: str = "html") -> str:
        """The after-action report, as `viewer` may know it: "html" (self-contained) or "markdown". Raises NoGame."""
        game = await self.latest(channel, at_all=True)
        seen_as = viewer if game.readable else PUBLIC
        return await reading.write_report(self._ledger, self._workers, game, seen_as, style)

    async def log(self, channel: int, viewer: Viewer, last: int) -> Sequence[Entry]:
        """The last entries (0: all) that viewer may read, reports redacted, oldest first, undone ones included."""
        game = await self.latest(channel, at_all=True)
        return await self._ledger.entries(game, last or None, viewer if game.readable else PUBLIC)
