"""Fix bayonets: in phase 2, those units that the player names, or all of a side (BE-1, house)."""

from collections.abc import Iterable
from typing import ClassVar

from rules.core.action_type import Deed
from rules.core.dice import Dice
from rules.core.model import UMPIRE, Cite, Mark, Viewer
from rules.core.report import Offer, Prompt, Report, Step
from rules.core.ruleset import Refused
from rules.core.state import Action
from rules.core.wording import in_a_row
from rules.empire.model import Bayonets, EmpireState, EmpireUnit
from rules.empire.orders import find_fighter, in_phase
from rules.empire.phases import Phase, title

FIXING = Cite(rule="BE-1", mark=Mark.HOUSE)
UNFIX = "unfix"


class FixBayonets(Action):
    """Fixes the bayonets of `unit`, or of every unit of `side` that has them; with `unfix`, takes them off."""

    kind: ClassVar[str] = "bayonets"
    circumstance_names: ClassVar[tuple[str, ...]] = (UNFIX,)

    side: str | None = None


def key_of(state: EmpireState, side: str) -> str:
    """The key of a side's open choice to fix."""
    return f"bayonets:{side}:{state.turn}"


def able(state: EmpireState, side: str, now: Bayonets = Bayonets.UNFIXED) -> tuple[EmpireUnit, ...]:
    """Units of a side whose bayonets are so."""
    return tuple(unit for unit in state.fighters(side) if unit.bayonets is now)


def fix(state: EmpireState, action: FixBayonets, _dice: Dice) -> tuple[EmpireState, Report]:
    """Sets the flag of the units named. Raises Refused out of phase, or where there is nothing to fix."""
    was, now = (
        (Bayonets.FIXED, Bayonets.UNFIXED) if UNFIX in action.circumstances else (Bayonets.UNFIXED, Bayonets.FIXED)
    )
    units = _meant(state, action, was)
    changed = tuple(unit.model_copy(update={"bayonets": now}) for unit in units)
    verb = "take off" if now is Bayonets.UNFIXED else "fix"
    report = Report(
        headline=f"Bayonets: {in_a_row(unit.name for unit in units)} {verb}{'' if len(units) > 1 else _s(verb)} them.",
        side=units[0].side,
        steps=(Step(text=f"Bayonets are {now.value} from now on", cite=FIXING),),
        units=tuple(unit.id for unit in units),
    )
    return state.with_unit(*changed), report


def _s(verb: str) -> str:
    return "es" if verb == "fix" else ""


def _meant(state: EmpireState, action: FixBayonets, was: Bayonets) -> tuple[EmpireUnit, ...]:
    if not state.options.fixing_bayonets:
        raise Refused("In this game bayonets always count as fixed (option “fixing bayonets”).", FIXING)
    if action.unit is not None:
        unit = find_fighter(state, action.unit)
        in_phase(state, unit, Phase.BAYONETS)
        if unit.bayonets is not was:
            raise Refused(f"The bayonets of {unit.name}: {unit.bayonets.value}. There is nothing to change.", FIXING)
        return (unit,)
    if action.side not in {side.id for side in state.sides}:
        raise Refused("Name the unit that is to fix bayonets.", FIXING)
    if state.now is not Phase.BAYONETS:
        raise Refused(f"Bayonets are fixed in {title(Phase.BAYONETS)}. Now: {title(state.now)}.", FIXING)
    units = able(state, action.side, was)
    if not units:
        raise Refused("No unit of that side has bayonets to change.", FIXING)
    in_phase(state, units[0], Phase.BAYONETS)
    return units


def prompts(state: EmpireState) -> Iterable[Prompt]:
    """The open choice of each side that has bayonets to fix."""
    if state.now is not Phase.BAYONETS or not state.options.fixing_bayonets:
        return
    for side in state.acting:
        units = able(state, side)
        if units:
            key, name = key_of(state, side), state.side(side).name
            offer = Offer(label=f"Fix all: {name}", kind=FixBayonets.kind, args={"side": side}, side=side, key=key)
            text = f"{in_a_row(unit.name for unit in units)} may fix bayonets"
            yield Prompt(key=key, unit="", side=side, text=text, cite=FIXING, offers=(offer,), required=False)


def legal(state: EmpireState, side: Viewer) -> Iterable[FixBayonets]:
    """For each unit that can, and for all of a side."""
    if state.now is not Phase.BAYONETS or not state.options.fixing_bayonets:
        return
    for each in state.acting:
        if side in (each, UMPIRE):
            units = able(state, each)
            yield from (FixBayonets(unit=unit.id) for unit in units)
            if units:
                yield FixBayonets(side=each)


DEED: Deed[EmpireState] = Deed(FixBayonets, fix, legal=legal)
