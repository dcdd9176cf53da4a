"""What the hits of a shot do to its target when the phase ends (BE-2)."""

from collections.abc import Iterable

from rules.core import odds
from rules.core.dice import NoDice
from rules.core.play import Play
from rules.core.throws import Spread
from rules.core.wording import counted
from rules.empire.fighting.landing import land_shots
from rules.empire.model import EmpireState, EmpireUnit, Shot


def outcomes(state: EmpireState, unit: str, target: str, spread: Spread) -> tuple[odds.Outcome, ...]:
    """What becomes of the target, by the very rules that decide it, with the hits already thrown at it this phase."""
    without = _consequence(state, unit, target, 0)

    def meaning(number: int) -> tuple[str, bool]:
        label = _consequence(state, unit, target, number)
        return label, label != without

    return odds.outcomes(spread, meaning)


def _consequence(state: EmpireState, unit: str, target: str, number: int) -> str:
    """What so many hits more do to the target, in words."""
    mine = (each for each in state.shots if each.target == target)
    shot = Shot(unit=unit, target=target, hits=number)
    play = Play(state.model_copy(update={"shots": (*mine, shot)}), NoDice())
    land_shots(play)
    then = play.state.unit(target)
    return "destroyed" if then.destroyed else " and ".join(_marks(state.unit(target), then)) or "no effect"


def _marks(before: EmpireUnit, after: EmpireUnit) -> Iterable[str]:
    if after.disordered and not before.disordered:
        yield "disordered"
    if after.shaken and not before.shaken:
        yield "shaken"
    if after.kills > before.kills:
        yield counted(after.kills - before.kills, "kill")
