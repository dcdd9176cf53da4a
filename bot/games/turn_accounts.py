"""Accounts of turns: everything a player's own units did, saw and lost in one turn."""

from typing import NamedTuple

from bot.errors import Stale, UserError
from bot.journal.game import Actor, Entry, Game, Played
from rules.core.model import Viewer
from rules.core.state import State
from rules.core.turn_account import Account

from .history import load_past_state
from .service import Service

TAKEN_BACK = "That turn was taken back."
NO_UNITS = "You play no side of this game, or your side had no units in that turn. Read the public message."


class PastTurn(NamedTuple):
    """A player's account of a turn. `entry` ended the turn; `before` and `after` are the states around this entry."""

    game: Game
    side: Viewer
    entry: Entry
    account: Account
    before: State
    after: State


class PastTurns(Service):
    """Service for the accounts of turns."""

    async def load_account(self, game_id: str, entry: str, actor: Actor, *, channel: int) -> PastTurn:
        """Return the actor's account of the turn that ended with the entry named `entry`.

        Raises NoGame, UnreadableGame, Stale for another channel's game or an undone entry, UserError for an
        actor without units.
        """
        game = await self._ledger.game_in_channel(channel, game_id)
        turn_end = await self._ledger.load_entry(game, entry)
        if turn_end.undone:
            raise Stale(TAKEN_BACK)
        before = await load_past_state(self._ledger, game, turn_end.base)
        after = await load_past_state(self._ledger, game, turn_end.seq)
        side = game.viewer(actor.id)
        account = None if before is None or after is None else _make_account(game, before, after, turn_end, side)
        if before is None or after is None or account is None:
            raise UserError(NO_UNITS)
        return PastTurn(game, side, turn_end, account, before, after)


def find_account(side: Viewer, *played: Played) -> tuple[Played, Account] | None:
    """Return the last action in `played` that ended a turn with an account for `side`, and this account.

    Return None if there is none.
    """
    for place in range(len(played) - 1, -1, -1):
        action = played[place]
        after = action.game.state if action is played[-1] else played[place + 1].before
        account = _make_account(action.game, action.before, after, action.entry, side)
        if account is not None:
            return action, account
    return None


def find_turn_end(*played: Played) -> Entry | None:
    """Return the last entry in `played` that ended a turn with an account. Return None if there is none."""
    sides = [side.id for side in played[-1].game.state.sides]
    accounts = (find_account(side, *played) for side in sides)
    return next((account[0].entry for account in accounts if account is not None), None)


def _make_account(game: Game, before: State, after: State, entry: Entry, side: Viewer) -> Account | None:
    accounts = game.ruleset.turn_accounts
    return None if accounts is None or not entry.acts else accounts.find_account(before, after, entry.report, side)
