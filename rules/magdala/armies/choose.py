"""What a list leaves open is chosen before the first move (MM-A)."""

from collections.abc import Iterable
from typing import ClassVar

from rules.core.action_type import Deed
from rules.core.dice import Dice
from rules.core.model import UMPIRE, Viewer
from rules.core.report import Offer, Prompt, Report, Step
from rules.core.ruleset import Choice, Refused
from rules.core.state import Action
from rules.magdala.model import MagdalaState

from .scenarios import LISTS, scenarios

KEY = "choose"


class Choose(Action):
    """Settles one choice of a list: its name, and the value taken."""

    kind: ClassVar[str] = "choose"

    name: str
    value: str


def open_choices(state: MagdalaState) -> tuple[Choice, ...]:
    """The choices still to be made: those of the scenario until anything has been done."""
    scenario = scenarios().get(state.scenario)
    return scenario.choices if scenario is not None and not state.events else ()


def key_of(choice: Choice) -> str:
    """The key of the open choice."""
    return f"{KEY}:{choice.name}"


def prompt_choices(state: MagdalaState) -> tuple[Prompt, ...]:
    """Each open choice with a button for every value not yet taken; none holds up the turn."""
    return tuple(
        Prompt(
            key=key_of(choice),
            unit="",
            side=choice.side,
            text=f"{choice.question} Now: {state.choices[choice.name]}.",
            cite=LISTS,
            offers=tuple(
                Offer(
                    label=f"{choice.name}: {value}",
                    kind=Choose.kind,
                    args={"name": choice.name, "value": value},
                    side=choice.side,
                    key=key_of(choice),
                )
                for value in choice.options
                if value != state.choices[choice.name]
            ),
            required=False,
        )
        for choice in open_choices(state)
    )


def choose(state: MagdalaState, action: Choose, _dice: Dice) -> tuple[MagdalaState, Report]:
    """Sets the table anew with the choice made. Raises Refused once the game is under way, or on a wrong name."""
    if state.events:
        raise Refused("The lists are settled before the first move. Undo to the start, or begin another game.", LISTS)
    scenario = scenarios().get(state.scenario)
    if scenario is None:
        raise Refused("This game was not set up from a list, so there is nothing to choose.", LISTS)
    fresh = scenario.setup({**state.choices, action.name: action.value})
    after = fresh.model_copy(update={"options": state.options})
    chosen = after.choices[action.name]
    came = [unit.name for unit in after.units.values() if unit.id not in state.units]
    went = [unit.name for unit in state.units.values() if unit.id not in after.units]
    change = f"{', '.join(came)} in place of {', '.join(went)}." if came or went else "Nothing changes."
    report = Report(
        headline=f"{action.name.capitalize()}: {chosen}.",
        side=state.active,
        steps=(Step(text=change, cite=LISTS),),
        prompts=prompt_choices(after),
    )
    return after, report


def legal(state: MagdalaState, side: Viewer) -> Iterable[Choose]:
    """Every value of every open choice of the side's."""
    for choice in open_choices(state):
        if side in (choice.side, UMPIRE):
            yield from (Choose(name=choice.name, value=value) for value in choice.options)


CHOOSE: Deed[MagdalaState] = Deed(Choose, choose, legal=legal)
