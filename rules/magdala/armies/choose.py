"""What a list leaves open is chosen before the first move (MM-A)."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from rules.core.action_type import ActionType
from rules.core.model import UMPIRE, Viewer
from rules.core.report import Offer, Prompt, Step
from rules.core.ruleset import Choice, Refused
from rules.core.state import Action
from rules.magdala.model import MagdalaPlay, MagdalaState

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


@dataclass(frozen=True)
class ChoosePlan:
    """The name of the choice, and the value taken."""

    name: str
    value: str


class ChooseType(ActionType[MagdalaState, Choose, ChoosePlan]):
    """The table is set anew with the choice made (MM-A)."""

    action = Choose

    def side(self, state: MagdalaState, action: Choose) -> Viewer:
        """The side whose army it is."""
        return next((choice.side for choice in open_choices(state) if choice.name == action.name), state.active)

    def candidates(self, state: MagdalaState, viewer: Viewer, unit: str | None = None) -> Iterable[Choose]:
        """Every value of every open choice of the side's."""
        for choice in open_choices(state):
            if unit is None and viewer in (choice.side, UMPIRE):
                yield from (Choose(name=choice.name, value=value) for value in choice.options)

    def plan(self, state: MagdalaState, action: Choose, *, supposing: bool = False) -> ChoosePlan:  # noqa: ARG002
        """Raises Refused once the game is under way, or on a wrong name or value."""
        if state.events:
            raise Refused(
                "The lists are settled before the first move. Undo to the start, or begin another game.", LISTS
            )
        if state.scenario not in scenarios():
            raise Refused("This game was not set up from a list, so there is nothing to choose.", LISTS)
        plan = ChoosePlan(action.name, action.value)
        _set_anew(state, plan)
        return plan

    def label(self, state: MagdalaState, plan: ChoosePlan) -> str:  # noqa: ARG002
        """`battalions: Egyptian`."""
        return f"{plan.name}: {plan.value}"

    def resolve(self, play: MagdalaPlay, plan: ChoosePlan) -> None:
        """Who came, and who went, is told."""
        before, play.state = play.state, _set_anew(play.state, plan)
        after = play.state
        came = [unit.name for unit in after.units.values() if unit.id not in before.units]
        went = [unit.name for unit in before.units.values() if unit.id not in after.units]
        change = f"{', '.join(came)} in place of {', '.join(went)}." if came or went else "Nothing changes."
        play.say(Step(text=change, cite=LISTS))
        headline = f"{plan.name.capitalize()}: {after.choices[plan.name]}."
        play.tell(headline=headline, side=before.active, prompts=prompt_choices(after))


def _set_anew(state: MagdalaState, plan: ChoosePlan) -> MagdalaState:
    """The table with that choice, under the options of the game. Raises Refused on a wrong name or value."""
    fresh = scenarios()[state.scenario].setup({**state.choices, plan.name: plan.value})
    return fresh.model_copy(update={"options": state.options})


CHOOSE = ChooseType()
