"""What a list leaves open is chosen before the first move (MM-A)."""

from collections.abc import Iterable

from rules.core.action_type import SimpleType
from rules.core.listed import Choice
from rules.core.model import Viewer
from rules.core.refused import refuse
from rules.core.report import Prompt
from rules.core.state import Action
from rules.magdala.model import MagdalaPlay, MagdalaState

from .scenarios import BATTLES, LISTS

KEY = "choose"


class Choose(Action):
    """Settles one choice of a list: its name, and the value taken."""

    kind = "choose"

    name: str
    value: str


def open_choices(state: MagdalaState) -> tuple[Choice, ...]:
    """The choices still to be made: those of the scenario until anything has been done."""
    scenario = BATTLES.all.get(state.scenario)
    return scenario.choices if scenario is not None and not state.events else ()


class ChooseType(SimpleType[MagdalaState, Choose]):
    """The table is set anew with the choice made (MM-A)."""

    action = Choose
    says = "{name}: {value}"

    def side(self, state: MagdalaState, action: Choose) -> Viewer:
        """The side whose army it is."""
        return next((choice.side for choice in open_choices(state) if choice.name == action.name), state.active)

    def thinkable(self, state: MagdalaState) -> Iterable[Choose]:
        """Every value of every open choice."""
        for choice in open_choices(state):
            yield from (Choose(name=choice.name, value=value) for value in choice.options)

    def check(self, state: MagdalaState, action: Choose) -> None:
        """Raises Refused once the game is under way, or on a wrong name or value."""
        unlisted = state.scenario not in BATTLES.all
        refuse(
            LISTS,
            (state.events, "The lists are settled before the first move. Undo to the start, or begin another game."),
            (unlisted, "This game was not set up from a list, so there is nothing to choose."),
        )
        _set_anew(state, action)

    def resolve(self, play: MagdalaPlay, plan: Choose) -> None:
        """Who came, and who went, is told."""
        before, after = play.state, _set_anew(play.state, plan)
        play.state = after
        came = [unit.name for unit in after.units.values() if unit.id not in before.units]
        went = [unit.name for unit in before.units.values() if unit.id not in after.units]
        play.note(f"{', '.join(came)} in place of {', '.join(went)}." if came or went else "Nothing changes.", LISTS)
        headline = f"{plan.name.capitalize()}: {after.choices[plan.name]}."
        play.tell(headline=headline, side=before.active, prompts=prompt_choices(after))


def _set_anew(state: MagdalaState, action: Choose) -> MagdalaState:
    """The table with that choice, under the options of the game. Raises Refused on a wrong name or value."""
    fresh = BATTLES.all[state.scenario].setup({**state.choices, action.name: action.value})
    return fresh.model_copy(update={"options": state.options})


CHOOSE = ChooseType()


def prompt_choices(state: MagdalaState) -> tuple[Prompt, ...]:
    """Each open choice with a button for every value not yet taken; none holds up the turn."""
    return tuple(_prompt(state, choice) for choice in open_choices(state))


def _prompt(state: MagdalaState, choice: Choice) -> Prompt:
    now = state.choices[choice.name]
    others = [Choose(name=choice.name, value=value) for value in choice.options if value != now]
    text = f"{choice.question} Now: {now}."
    return CHOOSE.prompt(state, others, f"{KEY}:{choice.name}", text, LISTS, required=False)
