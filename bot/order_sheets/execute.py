"""Execute order sheets: do the due orders, record refusals, and end phases."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from bot.errors import NotAllowed
from bot.games.action_batch import ActionBatch
from bot.games.pass_action import side_argument
from bot.journal.game import Game
from rules.core.model import UMPIRE, Viewer
from rules.core.orders import HOLD, actions_by_unit, find_offered_test, shorten_action
from rules.core.own_turn import is_in_own_turn, phases_of_own_turn
from rules.core.phases import PASS
from rules.core.refusal import Refused
from rules.core.state import Action, State

from .conditions import explain_unmet_condition
from .model import Sheet, SheetOrder, StoredSheet, moment_key
from .standing import apply_standing_answers, leaves_all_prompts_unanswered

MOST_STEPS = 200
"""Number of actions after which one press starts no further order, because other commands are waiting."""
ENOUGH = "There were too many actions for one time. Press Do all to continue."
PASSED = "Its phase ended before the order could be done."
AFTER = "An earlier order could not be done."


def is_past(order: SheetOrder, game: Game, side: Viewer) -> bool:
    """Whether the order's turn or phase has ended.

    If a condition left the order undone in a phase, the order is past after that phase.
    """
    if order.unmet:
        return order.unmet != moment_key(game.state)
    if not order.turn or not order.phase or side == UMPIRE:
        return order.is_over(game.state)
    turn = phases_of_own_turn(game.ruleset, game.state, side)
    number = next((table.turn for table in turn.values()), game.state.turn)
    return order.turn < number or (order.turn == number and order.phase not in turn)


def has_automatic_orders(game: Game, sheet: Sheet, side: Viewer) -> bool:
    """Whether the bot must execute or remove an order of the sheet without a press of a button."""
    return any(
        (order.is_due(game.state, side) and is_executed_automatically(sheet, order, game.state))
        or is_newly_missed(sheet, order, game, side)
        or (sheet.given and bool(order.unmet) and is_past(order, game, side))
        for order in sheet.orders
    )


def is_newly_missed(sheet: Sheet, order: SheetOrder, game: Game, side: Viewer) -> bool:
    """Whether the order's phase ended before the bot tried the order, and the player has not been told."""
    player_knows = order.why or order.told or order.unmet
    return sheet.given and bool(order.phase) and not player_knows and is_past(order, game, side)


def is_executed_automatically(sheet: Sheet, order: SheetOrder, state: State) -> bool:
    """Whether the order, once due, is executed without a press of a button."""
    is_planned = order.phase or order.unmet
    if sheet.go_on:
        return bool(is_planned or order.waits)
    return sheet.given and bool(is_planned or (order.waits and sheet.through == state.turn))


def has_newly_possible_order(game: Game, sheet: Sheet, side: Viewer) -> bool:
    """Whether the first order that waited for an answer is now possible, but needs a press of a button.

    Only facts that the side may know are considered.
    """
    order = next((order for order in sheet.orders if order.waits and order.is_due(game.state, side)), None)
    if order is None or is_executed_automatically(sheet, order, game.state):
        return False
    view = game.ruleset.view(game.state, side)
    try:
        return all(game.ruleset.allows(view, action) for _, action in actions_by_unit(game.ruleset, view, order))
    except Refused:
        return False


def can_end_phase(game: Game, sheet: Sheet, side: Viewer, *, automatic: bool) -> bool:
    """Whether the bot can end the present phase for a player who has ended his turn.

    No due order and no required choice may remain. A prompt with a single offer is no choice. Without a press of a
    button (`automatic`), refused orders do not count as due, and the player himself must end the phase in `Sheet.held`.
    """
    state = game.state
    if automatic and sheet.held == moment_key(state):
        return False
    ends = sheet.through == state.turn and state.over is None and side != UMPIRE
    through = ends and is_in_own_turn(game.ruleset, state, side)
    due_orders = [order for order in sheet.orders if order.is_due(state, side)]
    remaining_orders = [order for order in due_orders if order.waits or not (order.unmet or (automatic and order.why))]
    if not through or PASS not in game.ruleset.actions or remaining_orders:
        return False
    required = (prompt for prompt in game.ruleset.open_prompts(state) if prompt.required and prompt.side == side)
    has_choice = any(len(prompt.offers) > 1 for prompt in required)
    return not has_choice and game.ruleset.allows(state, make_pass_action(game, side))


def make_pass_action(game: Game, side: Viewer) -> Action:
    """Return the action by which the side ends its phase or turn."""
    return game.ruleset.parse(PASS, side_argument(game, side))


def execute_sheet(batch: ActionBatch, stored: StoredSheet, *, automatic: bool) -> Sheet:
    """Do the sheet's due orders, end the phase if possible, and return the remaining sheet.

    `automatic` means that nobody pressed a button, so only orders that need no press are done. After a press, all
    refusals are marked as told, because the sheet's message shows them.
    """
    sheet, side, pressed = stored.sheet, stored.side, not automatic
    apply_standing_answers(batch, stored, MOST_STEPS)
    while len(batch.entries) < MOST_STEPS:
        sheet, stopped = _do_due_orders(batch, sheet, side, automatic=automatic)
        if not automatic:
            may_correct = stopped and not any(order.waits for order in sheet.orders)
            sheet = sheet.model_copy(update={"held": moment_key(batch.game.state) if may_correct else ""})
        now = replace(stored, sheet=sheet)
        if apply_standing_answers(batch, now, MOST_STEPS):
            continue
        ends = can_end_phase(batch.game, sheet, side, automatic=automatic) or leaves_all_prompts_unanswered(
            batch.game, now
        )
        if (stopped and not automatic) or not ends:
            break
        before = moment_key(batch.game.state)
        try:
            batch.perform(make_pass_action(batch.game, side))
        except (Refused, NotAllowed):
            break
        if moment_key(batch.game.state) == before:  # after an undo of this pass, the player ends the turn himself
            sheet = sheet.model_copy(update={"held": before})
        automatic = True
    return sheet.with_refusals_told() if pressed else sheet


def _do_due_orders(batch: ActionBatch, sheet: Sheet, side: Viewer, *, automatic: bool) -> tuple[Sheet, bool]:
    """Do the due orders. Return the sheet with the remaining orders, and whether an order was refused.

    A refused order stops its units' later orders. An order that waits for another side's answer delays all later
    orders. If a condition does not hold, the units also skip their next orders marked `then`.
    """
    remaining_orders: list[SheetOrder] = []
    units, holding = _DelayedUnits(), set[str]()
    waits = refused = False
    for sheet_order in sheet.orders:
        state, order = batch.game.state, units.without_dropped_units(sheet_order)
        if order is None:
            continue
        if is_past(order, batch.game, side):
            units.dropped |= {*order.units}
            if automatic and is_newly_missed(sheet, order, batch.game, side):
                remaining_orders.append(order.model_copy(update={"why": PASSED, "waits": False}))
            elif automatic and not (order.told or order.unmet):
                remaining_orders.append(order)
        elif not order.is_due(state, side) or (automatic and not is_executed_automatically(sheet, order, state)):
            units.later |= {*order.units}
            remaining_orders.append(order)
        elif order.then and not units.later.isdisjoint(order.units):
            remaining_orders.append(order)
        elif waits:
            remaining_orders.append(order.model_copy(update={"why": "", "waits": True}))
        elif len(batch.entries) >= MOST_STEPS:
            units.later |= {*order.units}
            remaining_orders.append(order.model_copy(update={"why": ENOUGH}))
        else:
            unmet_part, refused_part = _do_order_unit_by_unit(batch, order, side, units)
            remaining_orders += [part for part in (unmet_part, refused_part) if part is not None]
            if order.kind == HOLD:
                holding |= {*order.units} - {*(unmet_part.units if unmet_part is not None else ())}
            units.unmet |= {*(unmet_part.units if unmet_part is not None else ())}
            if refused_part is not None:
                waits, refused = refused_part.waits, True
                units.stopped |= {*refused_part.units}
    sheet = sheet.model_copy(update={"orders": tuple(remaining_orders)})
    return sheet.with_holding_units(holding, batch.game.state), refused


@dataclass
class _DelayedUnits:
    """Units that have not done an earlier order of the sheet, grouped by the reason."""

    dropped: set[str] = field(default_factory=set)
    """The order's phase has ended."""
    later: set[str] = field(default_factory=set)
    """The order's phase comes later."""
    unmet: set[str] = field(default_factory=set)
    """The order's condition did not hold."""
    stopped: set[str] = field(default_factory=set)
    """The order was refused."""

    def without_dropped_units(self, order: SheetOrder) -> SheetOrder | None:
        """Return an order marked `then` without its `dropped` units, or None if no unit remains.

        An order without the mark is returned unchanged: only a refused order before it still matters for its units.
        """
        if not order.then:
            for units in (self.dropped, self.later, self.unmet):
                units.difference_update(order.units)
            return order
        remaining_units = tuple(unit for unit in order.units if unit not in self.dropped)
        return order.model_copy(update={"units": remaining_units}) if remaining_units else None


def _do_order_unit_by_unit(
    batch: ActionBatch, order: SheetOrder, side: Viewer, delayed: _DelayedUnits
) -> tuple[SheetOrder | None, SheetOrder | None]:
    """Do an order unit by unit. Return the order for units that left it undone, and for refused units.

    Units leave an order undone because of its condition. If another side must answer first, the refused order waits.
    Either order is None without such units.
    """
    refused_units: list[str] = []
    unmet_units: list[str] = []
    reason = AFTER if delayed.stopped >= {*order.units} else ""
    for place, unit in enumerate(order.units):
        if unit in delayed.stopped:
            refused_units.append(unit)
            continue
        unit_order = order.model_copy(update={"units": (unit,)})
        is_delayed = order.then and unit in delayed.unmet
        if is_delayed or explain_unmet_condition(batch.game.ruleset, batch.game.state, side, unit_order):
            unmet_units.append(unit)
            continue
        try:
            for _, action in actions_by_unit(batch.game.ruleset, batch.game.state, unit_order):
                _do_after_required_test(batch, action)
        except (Refused, NotAllowed) as refusal:
            open_prompts = batch.game.ruleset.open_prompts(batch.game.state)
            must_wait = any(prompt.required and prompt.side != side for prompt in open_prompts)
            if isinstance(refusal, Refused) and (refusal.prompts or must_wait):
                units = (*refused_units, *order.units[place:])
                changes = {"units": units, "why": str(refusal), "waits": True, "unmet": ""}
                return _part_left_undone(order, unmet_units, batch.game.state), order.model_copy(update=changes)
            refused_units.append(unit)
            reason = reason or str(refusal)
    state = batch.game.state
    changes = {"units": tuple(refused_units), "why": reason, "waits": False, "unmet": "", "turn": state.turn}
    return _part_left_undone(order, unmet_units, state), order.model_copy(update=changes) if refused_units else None


def _part_left_undone(order: SheetOrder, units: Sequence[str], state: State) -> SheetOrder | None:
    """Return the order for `units` only, marked as left undone in the present phase; None if `units` is empty."""
    part = {"units": tuple(units), "why": "", "waits": False, "told": False, "unmet": moment_key(state)}
    return order.model_copy(update=part) if units else None


def _do_after_required_test(batch: ActionBatch, action: Action) -> None:
    """Do an action. If a test must come first, do the test, then as much of the action as the test allows."""
    system = batch.game.ruleset
    try:
        batch.perform(action)
        return
    except Refused as refused:
        first = find_offered_test(system, batch.game.state, action, refused)
        if first is None:
            raise
    batch.perform(first)
    if (possible := shorten_action(system, batch.game.state, action)) is not None:
        batch.perform(possible)
