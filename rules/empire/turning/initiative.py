"""Initiative: a D6 a side when phase 3 begins, ties thrown again; the winner says who moves first (BE-1, house)."""

from collections.abc import Iterable, Mapping
from typing import ClassVar

from rules.core.dice import Dice
from rules.core.model import UMPIRE, Cite, Mark, Viewer
from rules.core.report import Offer, Prompt, Step
from rules.core.state import Action
from rules.empire.model import EmpireState
from rules.empire.phases import Phase

INITIATIVE = Cite(rule="BE-1", mark=Mark.HOUSE)
SIDES = 6


class First(Action):
    """The winner of the initiative says which `side` moves first this turn."""

    kind: ClassVar[str] = "first"

    side: str


def throw(state: EmpireState, dice: Dice) -> tuple[EmpireState, tuple[Step, ...]]:
    """A D6 a side until they differ; without the option the side of the scenario moves first."""
    if not state.options.initiative_by_dice:
        step = Step(text=f"The {state.side(state.first).name} move first, as the scenario has it", cite=INITIATIVE)
        return state, (step,)
    steps: tuple[Step, ...] = ()
    thrown: dict[str, int] = {}
    while not thrown or len({*thrown.values()}) < len(thrown):
        throws = {side: dice.throw(1, SIDES, f"initiative of the {side.name}", side=side.id) for side in state.sides}
        thrown = {side.id: each.total for side, each in throws.items()}
        said = ", ".join(f"{side.name} {each.total}" for side, each in throws.items())
        tied = len({*thrown.values()}) < len(thrown)
        verdict = (
            "a tie, thrown again" if tied else f"the {state.side(max(thrown, key=lambda s: thrown[s])).name} have it"
        )
        steps += (Step(text=said, cite=INITIATIVE, throws=tuple(throws.values()), verdict=verdict),)
    return state.model_copy(update={"initiative": thrown}), steps


def _highest(thrown: Mapping[str, int]) -> str:
    return max(thrown, key=lambda side: thrown[side])


def winner(state: EmpireState) -> str | None:
    """The side that won it and has yet to say who moves first."""
    if state.now is not Phase.INITIATIVE or not state.initiative:
        return None
    return _highest(state.initiative)


def key_of(state: EmpireState) -> str:
    """The key of the choice."""
    return f"first:{state.turn}"


def prompts(state: EmpireState) -> Iterable[Prompt]:
    """The winner's choice; the turn waits for it."""
    chooser = winner(state)
    if chooser is None:
        return
    key = key_of(state)
    offers = tuple(
        Offer(label=f"{side.name} first", kind=First.kind, args={"side": side.id}, side=chooser, key=key)
        for side in state.sides
    )
    text = f"The {state.side(chooser).name} have the initiative: who moves first?"
    yield Prompt(key=key, unit="", side=chooser, text=text, cite=INITIATIVE, offers=offers)


def legal(state: EmpireState, side: Viewer) -> Iterable[First]:
    """Either side first, for the winner to say."""
    chooser = winner(state)
    if chooser is not None and side in (chooser, UMPIRE):
        yield from (First(side=each.id) for each in state.sides)
