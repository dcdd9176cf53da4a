"""Initiative: a D6 a side when phase 3 begins, ties thrown again (BE-1, house)."""

from collections.abc import Mapping

from rules.core.model import Cite, Mark
from rules.core.play import Play
from rules.core.report import Step
from rules.empire.model import EmpireState
from rules.empire.phases import Phase

INITIATIVE = Cite(rule="BE-1", mark=Mark.HOUSE)
SIDES = 6


def throw(play: Play[EmpireState]) -> None:
    """A D6 a side until they differ; without the option the side of the scenario moves first."""
    state = play.state
    if not state.options.initiative_by_dice:
        text = f"The {state.side(state.first).name} move first, as the scenario has it"
        play.say(Step(text=text, cite=INITIATIVE))
        return
    tied = True
    while tied:
        throws = [play.throw(1, SIDES, f"initiative of the {side.name}", side=side.id) for side in state.sides]
        thrown = {side.id: each.total for side, each in zip(state.sides, throws, strict=True)}
        said = ", ".join(f"{side.name} {thrown[side.id]}" for side in state.sides)
        tied = len({*thrown.values()}) < len(thrown)
        verdict = "a tie, thrown again" if tied else f"the {state.side(_highest(thrown)).name} have it"
        play.say(Step(text=said, cite=INITIATIVE, throws=tuple(throws), verdict=verdict))
    play.set(initiative=thrown)


def _highest(thrown: Mapping[str, int]) -> str:
    return max(thrown, key=lambda side: thrown[side])


def winner(state: EmpireState) -> str | None:
    """The side that won it and has yet to say who moves first."""
    if state.now is not Phase.INITIATIVE or not state.initiative:
        return None
    return _highest(state.initiative)
