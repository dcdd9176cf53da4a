"""Sketch an order on a prospect: its expected result for each unit, with average dice."""

from itertools import islice
from typing import TYPE_CHECKING

from rules.core.action_type import Chance
from rules.core.orders import actions_by_unit
from rules.core.refusal import Refused

from .conditions import NOT_AFTER, explain_unmet_condition
from .forecast import OrderForecast
from .model import SheetOrder

if TYPE_CHECKING:
    from .preview import Prospect

PAST = "Too late for this order; Do all removes it."
MOST_NAMED = 3
"""Maximum unit names written in an order's description."""
PHASE_FIELDS = ("phase", "active", "done")
"""State fields that name the present phase, which a sketch in a later phase must not change."""


def sketch_order(prospect: "Prospect", order: SheetOrder) -> OrderForecast:
    """Sketch an order on the prospect, unit by unit. Return the order's forecast."""
    words = prospect.book.write(order, MOST_NAMED)
    try:
        unit_actions = list(actions_by_unit(prospect.system, prospect.state, order))
    except Refused as refused:
        return OrderForecast(order, words, prevented=(str(refused),))
    if prospect.is_past(order):
        return OrderForecast(order.model_copy(update={"why": PAST}), words)
    chances: list[tuple[Chance, ...]] = []
    warnings: list[str] = []
    prevented: list[str] = []
    foreseen: list[str] = []
    about = False
    unmet: list[str] = []
    idle: list[str] = []
    failed: list[str] = []
    alone = len(order.units) == 1
    for unit, action in unit_actions:
        name = prospect.book.own_names.get(unit, unit)
        if why := _explain_undone_order(prospect, order, unit):
            unmet.append(why)
            idle.append(unit)
            continue
        table, possible, tested = prospect.sketch_test(prospect.expected_table(order.phase, unit), action)
        about |= tested
        try:
            if len(order.units) <= MOST_NAMED:
                chances.append(prospect.system.caption(table, possible).chances)
                course = prospect.system.expected_course(table, possible)
                foreseen.append(course if alone or not course else f"{prospect.book.own_names.get(unit, '')}: {course}")
            sketch = prospect.system.sketch(table, prospect.viewer, possible)
        except Refused as refused:
            prevented.append(str(refused) if alone else f"{name}: {refused}")
            failed.append(unit)
            continue
        phase_fields = {name: getattr(prospect.state, name) for name in PHASE_FIELDS if hasattr(sketch.state, name)}
        prospect.after_orders = sketch.state.model_copy(update=phase_fields)
        prospect.acts.append((action.kind, sketch.report.units))
        report = sketch.report.view_for(prospect.viewer)
        new_warnings = report.warnings if report is not None else ()
        warnings += (warning if alone or warning.startswith(name) else f"{name}: {warning}" for warning in new_warnings)
        about |= sketch.about
    return OrderForecast(
        order,
        words,
        tuple(dict.fromkeys(filter(None, chances))),
        about,
        tuple(dict.fromkeys(warnings)),
        tuple(filter(None, foreseen)),
        tuple(prevented),
        unmet=tuple(dict.fromkeys(unmet)),
        idle=tuple(idle),
        undone=(*idle, *failed),
    )


def _explain_undone_order(prospect: "Prospect", order: SheetOrder, unit: str) -> str:
    """Return the reason why the unit would leave the order undone on the expected table, or an empty string."""
    before = (forecast for forecast in reversed(prospect.forecasts) if unit in forecast.order.units)
    if order.then and any(unit in forecast.undone for forecast in islice(before, 1)):
        return NOT_AFTER
    unit_order = order.model_copy(update={"units": (unit,)})
    return explain_unmet_condition(
        prospect.system, prospect.expected_table(order.phase, unit), prospect.viewer, unit_order
    )
