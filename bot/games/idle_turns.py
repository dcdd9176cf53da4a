"""Detect a pass that would end an idle turn: a turn in which the side has done nothing."""

import asyncio
from collections.abc import Collection

from sqlalchemy import func, select

from bot.errors import UserError
from bot.games.pass_action import SIDE
from bot.journal.drafts import readable_entries_condition
from bot.journal.game import Actor, Game
from bot.store.queries import fetch_row
from bot.store.tables import ENTRIES
from rules.core.model import UMPIRE, Viewer
from rules.core.phases import PASS
from rules.core.state import Action
from rules.core.turn_end import forfeits_actions, has_shared_turns, units_able_to_act

from .rights import require_right_to_act
from .service import Service

MOST_NAMED = 4
"""Maximum number of units named in the refusal."""


class IdleTurnRefusal(UserError):
    """The refusal of a pass that would end an idle turn. A button can still perform the pass.

    `names` are the names of the units that can still act, and `game` is the game before the pass.
    """

    def __init__(self, game: Game, action: Action, names: Collection[str]) -> None:
        self.game = game
        self.action = action
        more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
        able = f"{', '.join([*names][:MOST_NAMED])}{more}"
        super().__init__(f"Nothing has been done in this turn, and this ends it. Still able to act: {able}.")


class IdleTurns(Service):
    """Service that prevents idle turns from being ended by accident."""

    async def require_no_idle_pass(self, game: Game, actor: Actor, action: Action, *, whole_turn: bool = False) -> None:
        """Raise IdleTurnRefusal if `action` is a pass that would end an idle turn.

        The check uses only facts that the actor may know. With `whole_turn`, the pass also ends all later
        phases. Raises NotAllowed if the actor may not pass.
        """
        if action.kind != PASS or {*action.model_dump(exclude_defaults=True)} - {SIDE}:
            return
        require_right_to_act(game, actor, action)
        side, viewer = game.ruleset.side_of(game.state, action), game.viewer(actor.id)
        sides = game.state.acting_sides if side == UMPIRE else (side,)
        if await self._has_side_acted(game, viewer, sides):
            return
        if units := await asyncio.to_thread(_units_able_to_act, game, viewer, sides, action, whole_turn=whole_turn):
            raise IdleTurnRefusal(game, action, [game.state.every_unit[unit].name for unit in units])

    async def _has_side_acted(self, game: Game, viewer: Viewer, sides: Collection[Viewer]) -> bool:
        """Whether one of `sides` or the umpire has acted this turn, as far as `viewer` may know."""
        not_undone = ENTRIES.c.game == game.id, ~ENTRIES.c.undone
        began = select(func.max(ENTRIES.c.seq)).where(*not_undone, ENTRIES.c.turn_end).scalar_subquery()
        turn = ENTRIES.c.turn == game.state.turn if has_shared_turns(game.ruleset) else ENTRIES.c.seq > began
        deeds = (
            ENTRIES.c.acts,
            ENTRIES.c.kind != PASS,
            ENTRIES.c.side.in_((*sides, UMPIRE)),
            readable_entries_condition(viewer),
        )
        query = select(ENTRIES.c.seq).where(*not_undone, turn, *deeds).limit(1)
        return await fetch_row(self._ledger.store, query) is not None


def _units_able_to_act(
    game: Game, viewer: Viewer, sides: Collection[str], action: Action, *, whole_turn: bool
) -> tuple[str, ...]:
    """Return the ids of the units that can still act, if `action` would end the turn, else none."""
    system, view = game.ruleset, game.ruleset.view(game.state, viewer)
    if view.is_being_set_up or not any(
        forfeits_actions(system, view, side, action, whole_turn=whole_turn) for side in sides
    ):
        return ()
    return units_able_to_act(system, view, sides)
