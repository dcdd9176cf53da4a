"""Execute order sheets: due orders, obstacles, and ending phases."""

from collections.abc import Set

from bot.errors import NotAllowed
from bot.games.action_batch import ActionBatch
from bot.games.pass_action import side_argument
from bot.journal.game import Game
from rules.core.model import UMPIRE, Viewer
from rules.core.orders import MY_TURN, actions_by_unit, find_leading_test, shorten_action
from rules.core.phases import PASS
from rules.core.refusal import Refused
from rules.core.state import Action, State

from .model import Kept, Sheet, SheetOrder, moment
from .own_turn import is_in_own_turn, own_turn

MOST_STEPS = 200
"""Actions of one press, after which no further order is begun: the channel's other commands wait so long."""
ENOUGH = "That is enough for one time. Do all goes on with it."
PASSED = "Its time passed before it could be done."
AFTER = "The order before it could not be done."


def is_due(order: SheetOrder, state: State, side: Viewer) -> bool:
    """Whether the order's side acts now, in the order's phase."""
    acts = side == UMPIRE or side in state.acting_sides
    return acts and order.phase in ("", MY_TURN, state.phase) and order.turn in (0, state.turn)


def is_over(order: SheetOrder, state: State) -> bool:
    """Whether the order's turn is over."""
    return 0 < order.turn < state.turn


def has_passed(order: SheetOrder, game: Game, side: Viewer) -> bool:
    """Whether the order's turn or phase is over."""
    if not order.turn or not order.phase or side == UMPIRE:
        return is_over(order, game.state)
    turn = own_turn(game.ruleset, game.state, side)
    number = next((then.turn for then in turn.values()), game.state.turn)
    return order.turn < number or (order.turn == number and order.phase not in turn)


def is_due_alone(game: Game, sheet: Sheet, side: Viewer) -> bool:
    """Whether the sheet has orders to execute without a press, or orders with a missed phase."""
    return any(
        (is_due(order, game.state, side) and by_itself(sheet, order, game.state)) or is_missed(sheet, order, game, side)
        for order in sheet.orders
    )


def is_missed(sheet: Sheet, order: SheetOrder, game: Game, side: Viewer) -> bool:
    """Whether a given order missed its phase, and the player has not been told."""
    return sheet.given and bool(order.phase) and not (order.why or order.told) and has_passed(order, game, side)


def by_itself(sheet: Sheet, order: SheetOrder, state: State) -> bool:
    """Whether the order is executed without a press.

    This holds for an order given for a later phase, and for a waiting order of a sheet with `go_on`. It also holds for
    a waiting order given for its phase, or whose player has ended the turn.
    """
    planned = sheet.given and bool(order.phase or (order.waits and sheet.through == state.turn))
    return planned or (sheet.go_on and bool(order.waits or order.phase))


def is_free(game: Game, sheet: Sheet, side: Viewer) -> bool:
    """Whether the first order that waited for an answer can be done now, as far as its side knows."""
    order = next((one for one in sheet.orders if one.waits and is_due(one, game.state, side)), None)
    if order is None or by_itself(sheet, order, game.state):
        return False
    seen = game.ruleset.view(game.state, side)
    try:
        return all(game.ruleset.allows(seen, action) for _, action in actions_by_unit(game.ruleset, seen, order))
    except Refused:
        return False


def may_pass(game: Game, sheet: Sheet, side: Viewer, *, alone: bool) -> bool:
    """Whether the player has ended the current phase, and no required choice remains.

    A requirement with a single offer needs no choice; it is resolved as the phase ends, if the system allows. With
    `alone`, nobody pressed: the phase in which the player ended his turn, or saw an order refused, is left to him. With
    `alone`, an order refused in a later phase does not hold up the turn. After his own press the player can mend it.
    """
    state = game.state
    if alone and sheet.held == moment(state):
        return False
    ends = sheet.through == state.turn and state.over is None and side != UMPIRE
    through = ends and is_in_own_turn(game.ruleset, state, side)
    due = [order for order in sheet.orders if is_due(order, state, side)]
    left = [order for order in due if order.waits or not (alone and order.why)]
    if not through or PASS not in game.ruleset.actions or left:
        return False
    required = (one for one in game.ruleset.open_prompts(state) if one.required and one.side == side)
    return all(len(one.offers) <= 1 for one in required) and game.ruleset.allows(state, passing(game, side))


def passing(game: Game, side: Viewer) -> Action:
    """Return the action by which the side ends its phase or turn."""
    return game.ruleset.parse(PASS, side_argument(game, side))


def carry_out(series: ActionBatch, kept: Kept, *, alone: bool) -> Sheet:
    """Do the sheet's due orders, then pass on if its player has ended the turn. Return the remaining sheet.

    With `alone`, nobody pressed: do only orders that wait for their phase or for an answer. After a press the sheet
    shows the player the refusals; with `alone` he is told later.
    """
    sheet, side, pressed = kept.sheet, kept.side, not alone
    while len(series.entries) < MOST_STEPS:
        sheet, stopped = _do_orders(series, sheet, side, alone=alone)
        if not alone:
            mends = stopped and not any(order.waits for order in sheet.orders)
            sheet = sheet.model_copy(update={"held": moment(series.game.state) if mends else ""})
        if (stopped and not alone) or not may_pass(series.game, sheet, side, alone=alone):
            break
        try:
            series.do(passing(series.game, side))
        except (Refused, NotAllowed):
            break
        alone = True
    return sheet.all_told() if pressed else sheet


def _do_orders(series: ActionBatch, sheet: Sheet, side: Viewer, *, alone: bool) -> tuple[Sheet, bool]:
    """Return the sheet with the remaining orders, and whether one order was refused.

    A unit that could not do an order skips its next orders. An order that waits for an answer holds up all later
    orders. An order whose time has passed is deleted once its player has been told why it was not done.
    """
    left: list[SheetOrder] = []
    stopped: set[str] = set()
    waits = refused = False
    for order in sheet.orders:
        state = series.game.state
        if has_passed(order, series.game, side):
            if alone and is_missed(sheet, order, series.game, side):
                left.append(order.model_copy(update={"why": PASSED, "waits": False}))
            elif alone and not order.told:
                left.append(order)
        elif not is_due(order, state, side) or (alone and not by_itself(sheet, order, state)):
            left.append(order)
        elif waits:
            left.append(order.model_copy(update={"why": "", "waits": True}))
        elif len(series.entries) >= MOST_STEPS:
            left.append(order.model_copy(update={"why": ENOUGH}))
        elif rest := _do(series, order, side, stopped):
            left.append(rest)
            waits, refused = rest.waits, True
            stopped |= set(rest.units)
    return sheet.model_copy(update={"orders": tuple(left)}), refused


def _do(series: ActionBatch, order: SheetOrder, side: Viewer, stopped: Set[str]) -> SheetOrder | None:
    """Return the remaining part of an order with the reason, kept for the rest of this turn.

    Return None if all of it is done.

    Units in `stopped`, which failed an earlier order, do not do this one. An order refused while an answer is owed
    waits, too.
    """
    left: list[str] = []
    reason = AFTER if stopped >= {*order.units} else ""
    for place, unit in enumerate(order.units):
        if unit in stopped:
            left.append(unit)
            continue
        one = order.model_copy(update={"units": (unit,)})
        try:
            for _, action in actions_by_unit(series.game.ruleset, series.game.state, one):
                _do_one(series, action)
        except (Refused, NotAllowed) as why:
            if isinstance(why, Refused) and (why.prompts or _others_owe(series.game, side)):
                units = (*left, *order.units[place:])
                return order.model_copy(update={"units": units, "why": str(why), "waits": True})
            left.append(unit)
            reason = reason or str(why)
    kept = {"units": tuple(left), "why": reason, "waits": False, "turn": series.game.state.turn}
    return order.model_copy(update=kept) if left else None


def _others_owe(game: Game, side: Viewer) -> bool:
    """Whether another side owes something required."""
    return any(one.required and one.side != side for one in game.ruleset.open_prompts(game.state))


def _do_one(series: ActionBatch, action: Action) -> None:
    """Execute an action, after its test if needed, as far as the test allows."""
    system = series.game.ruleset
    try:
        series.do(action)
        return
    except Refused as refused:
        first = find_leading_test(system, series.game.state, action, refused)
        if first is None:
            raise
    series.do(first)
    if (possible := shorten_action(system, series.game.state, action)) is not None:
        series.do(possible)
