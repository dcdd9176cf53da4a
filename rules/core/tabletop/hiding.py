"""Hidden units: they stand aside, so that no rule, picture or reckoning of the table knows of them (house).

A state has them in `hidden`, apart from its units. Who may know of them sees them among the units of his view.
"""

from collections.abc import Container, Iterable, Mapping
from typing import Any, TypeVar

from typing_extensions import override

from rules.core.known import known
from rules.core.model import UMPIRE, Viewer
from rules.core.refused import Refused
from rules.core.report import Report, Step
from rules.core.state import Action
from rules.core.umpire import BY_UMPIRE, ByHand, UmpireTools

from .battle import TableState

S = TypeVar("S", bound=TableState[Any])

NOT_ALLOWED = (
    "Troops are not hidden in this game. The umpire allows it with /umpire option, hidden troops: yes; "
    "then everyone is told who sees all."
)


class Hide(Action):
    """Takes a unit out of the enemy's sight; where it stands is kept."""

    by_unit = False

    unit: str


class Unhide(Action):
    """Shows a hidden unit where it stands."""

    by_unit = False

    unit: str


class Hiding(ByHand[S]):
    """What the umpire does with any unit, and before the battle begins each side with its own."""

    @override
    def side(self, state: S, action: Action) -> Viewer:
        """The umpire's; in the set-up the unit's."""
        return UMPIRE if state.setting_up is None else str(known(state, action.unit).side)


def aside(state: S, units: Iterable[str]) -> S:
    """The state with those of its units hidden, and without any reference to them."""
    gone = {unit: state.units[unit] for unit in units if unit in state.units}
    for unit in gone:
        state = state.without(unit)
    return state.model_copy(update={"hidden": {**state.hidden, **gone}}) if gone else state


def shown(state: S, units: Iterable[str]) -> S:
    """The state with those hidden units on the table."""
    back = {unit: state.hidden[unit] for unit in units if unit in state.hidden}
    if not back:
        return state
    left = {unit: each for unit, each in state.hidden.items() if unit not in back}
    there = {**state.units, **back}
    there |= {unit.id: _without_those_gone(unit, there) for unit in back.values()}
    return state.model_copy(update={"units": there, "hidden": left})


def _without_those_gone(unit: Any, there: Container[str]) -> Any:
    """The unit, with no reference to one that is not there."""
    named = {field: getattr(unit, field) for field in unit.refers_to}
    gone = {field: None for field, other in named.items() if other is not None and other not in there}
    return unit.model_copy(update=gone) if gone else unit


def all_shown(state: S) -> S:
    """The state with everyone on the table."""
    return shown(state, tuple(state.hidden))


def may_know(state: TableState[Any], viewer: Viewer) -> Mapping[str, Any]:
    """The hidden units that the viewer may know of."""
    return {unit: each for unit, each in state.hidden.items() if viewer in (UMPIRE, each.side)}


def seen(state: S, viewer: Viewer) -> S:
    """What the viewer may know: hidden units of his own stand among the others, of others there is nothing."""
    if not state.hidden:
        return state
    own = may_know(state, viewer)
    return state.model_copy(update={"hidden": own, "units": {**state.units, **own}})


def in_secret(state: TableState[Any]) -> bool:
    """Whether each side puts its units on unseen."""
    return state.setting_up is not None and state.options.deploy_in_secret


def hiding_types(tools: UmpireTools[S]) -> tuple[Hiding[S], ...]:
    """The kinds of action that hide and show: to the others it is as if a hidden unit had been removed."""

    def hide(state: S, action: Hide) -> tuple[S, Report]:
        unit = known(state, action.unit)
        if not state.options.hidden_troops:
            raise Refused(NOT_ALLOWED)
        if unit.id in state.hidden or (state.setting_up and unit.id in state.setting_up.in_ambush):
            raise Refused(f"{unit:are} hidden already. /unit unhide shows {unit:them}.")
        if unit.place is None:
            raise Refused(
                f"{unit:have} no place on the table. Put {unit:them} somewhere first: /unit edit, field place."
            )
        after = _in_ambush(tools.remove(state, unit.id), unit.id, among=True)
        after = after.model_copy(update={"hidden": {**after.hidden, unit.id: unit}})
        told_of = f"{unit:are} hidden: the other side sees nothing of {unit:them} from now on"
        report = Report(headline=f"{told_of}.", steps=(_by_hand(told_of),), side=unit.side)
        return after, report.model_copy(update={"audience": frozenset({unit.side})})

    def unhide(state: S, action: Unhide) -> tuple[S, Report]:
        unit = state.hidden.get(action.unit) or known(state, action.unit)
        in_ambush = state.setting_up is not None and unit.id in state.setting_up.in_ambush
        if unit.id not in state.hidden and not in_ambush:
            raise Refused(f"{unit:are} not hidden: everyone sees {unit:them}.")
        after = shown(_in_ambush(state, unit.id, among=False), [unit.id])
        return after, revealed(unit, f"{unit:are} hidden no longer")

    return Hiding(Hide, hide), Hiding(Unhide, unhide)


def _in_ambush(state: S, unit: str, *, among: bool) -> S:
    """During a set-up: whether the unit stays hidden when the battle begins."""
    if state.setting_up is None:
        return state
    others = tuple(each for each in state.setting_up.in_ambush if each != unit)
    setting_up = state.setting_up.model_copy(update={"in_ambush": (*others, unit) if among else others})
    return state.model_copy(update={"setting_up": setting_up})


def revealed(unit: Any, headline: str) -> Report:
    """The report of a hidden unit that everyone sees now."""
    step = _by_hand(f"{unit:stand} {unit.place.spoken}" if unit.place is not None else headline)
    return Report(headline=f"{headline}.", steps=(step,), units=(unit.id,), side=unit.side, showed_hidden=True)


def _by_hand(text: str) -> Step:
    return Step(text=text, cite=BY_UMPIRE, verdict=text)
