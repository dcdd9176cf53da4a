"""Plan an action before its phase: do its prerequisites now, and put the action on the player's sheet."""

from collections.abc import Callable, Sequence
from functools import partial

from bot.games.action_batch import ActionBatch
from bot.journal.drafts import NewEntry
from bot.journal.game import Actor, Game
from bot.journal.ledger import Ledger
from rules.core.model import Viewer
from rules.core.orders import Order, prerequisites
from rules.core.refusal import Refused
from rules.core.state import Action

from .model import Sheet, StoredSheet
from .order_phases import assign_phase
from .preview import Prospect
from .store import SheetResult, Sheets, save_sheet


class PlannedActions:
    """Service that accepts actions before the phase to which they belong."""

    def __init__(self, ledger: Ledger, sheets: Sheets) -> None:
        self._ledger = ledger
        self._sheets = sheets

    async def put_actions_on_sheet(
        self, channel: int, actor: Actor, make: Callable[[Game], Sequence[Action]], *, interaction: int
    ) -> SheetResult | None:
        """Put actions on the actor's sheet, and do their prerequisites now.

        Return None if an action cannot be planned before its phase. Raises Refused if the rules refuse a prerequisite
        or an action; then nothing is changed.
        """
        read = partial(self._sheets.load_own_sheet, actor=actor)
        work = partial(self._draft_prerequisites, actor=actor, make=make, interaction=interaction)
        try:
            played = await self._ledger.read_and_change(channel, actor, read, work, interaction=interaction)
        except _CannotBePlanned:
            return None
        except _NoPrerequisites as change:
            return SheetResult(change.game, await self._sheets.save(change.game, change.stored, change.sheet))
        return SheetResult(played[-1].game, await self._sheets.load_own_sheet(played[-1].game, actor), played)

    def _draft_prerequisites(
        self, game: Game, stored: StoredSheet, actor: Actor, make: Callable[[Game], Sequence[Action]], interaction: int
    ) -> Sequence[NewEntry]:
        """Draft the entries of the prerequisites.

        The first entry also stores the sheet with the added actions. Raises _CannotBePlanned, Refused, or
        _NoPrerequisites if only the sheet changes.
        """
        batch, sheet = ActionBatch(self._ledger, game, actor, interaction), stored.sheet
        for action in make(game):
            now = batch.game
            first = prerequisites(now.ruleset, now.ruleset.view(now.state, stored.side), action)
            if first is None or now.ruleset.side_of(now.state, action) != stored.side:
                raise _CannotBePlanned
            for prerequisite in first:
                batch.perform(prerequisite)
            sheet = _add_to_sheet(batch.game, stored.side, sheet, action)
        if not batch.entries:
            raise _NoPrerequisites(game, stored, sheet)
        save = partial(save_sheet, before=stored, sheet=sheet, system=game.ruleset)
        return [batch.entries[0].with_changes(save), *batch.entries[1:]]


def _add_to_sheet(game: Game, side: Viewer, sheet: Sheet, action: Action) -> Sheet:
    """Return the sheet with the action added as an order for its phase.

    The order replaces one of the same kind for the same unit. Raises Refused if the rules would refuse the action in
    that phase.
    """
    args = action.model_dump(mode="json", by_alias=True, exclude_defaults=True, exclude={"unit"})
    order = Order(kind=action.kind, units=(action.unit or "",), args=args)
    other_orders = tuple(other for other in sheet.orders if (other.kind, other.units) != (order.kind, order.units))
    prospect = Prospect.for_sheet(game, side, other_orders)
    timed_order = assign_phase(prospect, order)
    prospect.add_order(timed_order)
    if prevented := prospect.forecasts[-1].prevented:
        raise Refused(prevented[0])
    is_given = sheet.given or not other_orders
    return sheet.with_orders((*other_orders, timed_order)).model_copy(update={"given": is_given})


class _CannotBePlanned(Exception):
    """The action cannot be planned before its phase."""


class _NoPrerequisites(Exception):
    """The planned actions have no prerequisites, so only the sheet changes.

    `stored` is the sheet before the change, `sheet` the sheet after it.
    """

    def __init__(self, game: Game, stored: StoredSheet, sheet: Sheet) -> None:
        super().__init__()
        self.game, self.stored, self.sheet = game, stored, sheet
