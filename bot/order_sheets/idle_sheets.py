"""Detect an order sheet that would only end a turn in which nothing was done."""

from bot.games.idle_turns import IdleTurns
from bot.journal.game import Actor, Game
from rules.core.phases import PASS

from .execute import make_pass_action
from .model import StoredSheet


async def require_no_idle_turn(
    idle_turns: IdleTurns, game: Game, stored: StoredSheet, actor: Actor, *, through: bool
) -> None:
    """Raise IdleTurnRefusal if the sheet would only end a turn in which nothing was done.

    `through` means that the player executes the sheet to end the turn.
    """
    sheet, state = stored.sheet, game.state
    passes = (
        (through or sheet.through == state.turn) and stored.side in state.acting_sides and PASS in game.ruleset.actions
    )
    if not passes or any(order.is_due(state, stored.side) for order in sheet.orders):
        return
    whole_turn = all(order.is_over(state) for order in sheet.orders)
    await idle_turns.require_no_idle_pass(game, actor, make_pass_action(game, stored.side), whole_turn=whole_turn)
