"""How a deed ends: one action more, and a report that says how the unit now stands."""

from rules.core.model import UMPIRE
from rules.core.report import Report, Step

from .armies.roster import line
from .model import MagdalaState
from .orders import counted

Told = tuple[MagdalaState, Report]


def told(
    state: MagdalaState,
    unit_id: str,
    headline: str,
    steps: tuple[Step, ...],
    others: tuple[str, ...] = (),
    warnings: tuple[str, ...] = (),
) -> Told:
    """The state after one more action, and its report; `others` are further units it touched."""
    unit = state.unit(unit_id)
    standing = ". ".join(f"{state.unit(each).name}: {line(state.unit(each))}" for each in (unit_id, *others))
    report = Report(
        headline=f"{headline}.",
        side=unit.side,
        steps=steps,
        outcome=f"{standing}.",
        warnings=warnings,
        units=(unit_id, *others),
    )
    return counted(state), report


def kept(secret: bool, result: Told) -> Told:
    """A test asked for in secret, and what follows of it, is for the unit's own side and the umpire."""
    state, report = result
    if not secret:
        return result
    return state, report.model_copy(update={"audience": frozenset((report.side, UMPIRE))})
