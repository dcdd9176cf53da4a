"""Give an action before its phase: do its prerequisites now, and keep the action on the player's sheet."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from bot.games.action_batch import Series
from bot.journal.drafts import Written
from bot.journal.game import Actor, Game
from rules.core.model import Viewer
from rules.core.orders import Order
from rules.core.refusal import Refused
from rules.core.state import Action

from .model import Kept, Sheet, document
from .preview import Prospect
from .store import Carried, Sheets, save_sheet


class PlannedActions(Sheets):
    """Give actions ahead of their phase."""

    async def give_ahead(
        self, channel: int, actor: Actor, make: Callable[[Game], Sequence[Action]], *, interaction: int
    ) -> Carried | None:
        """Do the prerequisites of the actions of `make`, and keep the actions on the actor's sheet until their phase.

        Return None if one of the actions cannot be given ahead. Raises Refused, with nothing changed, if a prerequisite
        cannot be done now or an action cannot be done in its phase.
        """
        left: list[Kept] = []

        def done(game: Game, kept: Kept) -> Sequence[Written]:
            series, sheet = Series(self._ledger, game, actor, interaction), kept.sheet
            for action in make(game):
                now = series.game
                first = now.ruleset.orders_first(now.ruleset.view(now.state, kept.side), action)
                if first is None or now.ruleset.side_of(now.state, action) != kept.side:
                    raise _NotAhead
                for one in first:
                    series.do(one)
                sheet = _with_action(series.game, kept.side, sheet, action)
            left[:] = [replace(kept, revision=kept.revision + 1, sheet=sheet)]
            if not series.made:
                raise _NothingNow(game)
            save = partial(save_sheet, kept=left[0], stored=document(sheet, game.ruleset))
            return [series.made[0].adding(save), *series.made[1:]]

        async def step(game: Game) -> Sequence[Written]:
            return await asyncio.to_thread(done, game, await self.sheet(game, actor))

        try:
            played = await self._ledger.change_all(channel, actor, step, interaction=interaction)
        except _NotAhead:
            return None
        except _NothingNow as nothing:
            before = replace(left[0], revision=left[0].revision - 1)
            return Carried(nothing.game, await self._stored(nothing.game, before, left[0].sheet))
        return Carried(played[-1].game, await self.sheet(played[-1].game, actor), played)


def _with_action(game: Game, side: Viewer, sheet: Sheet, action: Action) -> Sheet:
    """Return the sheet with the action in its phase. It replaces the unit's order of the same kind.

    The sheet counts as given unless it has other orders that are not given yet. Raises Refused if the action could not
    be done in its phase, as the game stands.
    """
    args = action.model_dump(mode="json", by_alias=True, exclude_defaults=True, exclude={"unit"})
    order = Order(kind=action.kind, units=(action.unit or "",), args=args)
    others = tuple(one for one in sheet.orders if (one.kind, one.units) != (order.kind, order.units))
    prospect = Prospect.of(game, side, others)
    timed = prospect.timely(order)
    prospect.add(timed)
    if prevented := prospect.foreseen[-1].prevented:
        raise Refused(prevented[0])
    given = sheet.given or not others
    return sheet.with_orders((*others, timed)).model_copy(update={"given": given})


class _NotAhead(Exception):
    """The action cannot be given ahead of its phase."""


class _NothingNow(Exception):
    """No prerequisite of the planned actions can be executed now."""

    def __init__(self, game: Game) -> None:
        super().__init__()
        self.game = game
