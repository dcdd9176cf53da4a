"""Tests of conduct and critical hits that the game waits for or that are open, with their buttons (BE-6, BE-7)."""

from collections.abc import Iterable

from rules.core.model import UMPIRE
from rules.core.report import Offer, Prompt
from rules.empire.model import EmpireState, EmpireUnit
from rules.empire.phases import Phase

from .critical import CRITICAL, HIT, Critical
from .testing import CONDUCT, RULED, test_of


def prompts(state: EmpireState) -> Iterable[Prompt]:
    """Tests of conduct, of the shaken first, and critical hits."""
    if state.over is not None:
        return
    if state.now in (Phase.UNITS, Phase.EXPLOITATION):
        for unit in sorted(state.fighters(state.active), key=lambda unit: not unit.shaken):
            yield from (_test(state, unit, offer) for offer in test_offers(state, unit))
    for action in HIT.possible(state, UMPIRE):
        yield _critical(state, action)


def test_offers(state: EmpireState, unit: EmpireUnit) -> tuple[Offer, ...]:
    """The button that throws its test; none where it has nothing to test for now."""
    kind = test_of(unit)
    return kind.offers(state, (kind.action(unit=unit.id),), conduct_key(state, unit))


def conduct_key(state: EmpireState, unit: EmpireUnit) -> str:
    """The key of its test in this phase."""
    return f"conduct:{unit.id}:{state.turn}:{state.phase}"


def _test(state: EmpireState, unit: EmpireUnit, offer: Offer) -> Prompt:
    """The shaken must test in 4B; others may, and in 4a those whose opponent gave way."""
    again = state.now is Phase.EXPLOITATION
    if again:
        text = f"{unit.name} may test once more: its opponent gave way"
    else:
        text = f"{unit.name} is shaken and must test" if unit.shaken else f"{unit.name} may test its conduct, to move"
    return Prompt(
        key=offer.key,
        unit=unit.id,
        side=unit.side,
        text=text,
        cite=RULED if again else CONDUCT,
        offers=(offer,),
        required=unit.shaken and not again,
    )


def _critical(state: EmpireState, action: Critical) -> Prompt:
    piece = state.unit(action.unit or "")
    key = f"critical:{piece.id}:{state.turn}"
    return Prompt(
        key=key,
        unit=piece.id,
        side=piece.side,
        text=f"{piece.name} is exposed to a critical hit",
        cite=CRITICAL,
        offers=(HIT.offer(state, action, key),),
    )
