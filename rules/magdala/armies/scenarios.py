"""The army lists of the appendix as scenarios (MM-A): troops, deployments, what is left to choose, and who has won."""

from collections.abc import Iterable, Mapping

from rules.core.action_type import SimpleType
from rules.core.data_files import ScenarioFiles
from rules.core.listed import Choice
from rules.core.model import Cite, Mark, Viewer
from rules.core.refused import refuse
from rules.core.report import Prompt
from rules.core.state import Action
from rules.core.tabletop.battle import Edge
from rules.core.tabletop.battle_files import BattleFile, ListedSide
from rules.core.tabletop.troops import Troops
from rules.core.tabletop.victory import Reckoning
from rules.magdala.arms import COMMANDERS, LEADERS, is_fighter
from rules.magdala.model import MagdalaPlay, MagdalaState, MagdalaUnit, Morale, ThisTurn
from rules.magdala.options import MagdalaOptions
from rules.magdala.placement import PLACEMENT, WAYS

TROOPS = Troops("rules.magdala", MagdalaUnit)
LISTS = Cite(rule="MM-A", mark=Mark.TEXT)


class ScenarioSide(ListedSide):
    """A side, and the edge it retreats to."""

    home: Edge


class BattleScenario(BattleFile[MagdalaUnit, MagdalaState]):
    """A scenario file. A leader with a unit stands where the unit does and gives no place."""

    troops, state_type, ways, lists = TROOPS, MagdalaState, WAYS, LISTS

    options: MagdalaOptions = MagdalaOptions()
    sides: tuple[ScenarioSide, ...]

    def drawn_up(self, unit: MagdalaUnit) -> MagdalaUnit:
        """With the figures and the ammunition that the game remembers it began with."""
        start = {"this_turn": ThisTurn(figures_at_start=unit.figures), "ammunition_full": unit.ammunition}
        return unit.model_copy(update=start)

    def together(self, units: Mapping[str, MagdalaUnit]) -> Mapping[str, MagdalaUnit]:
        """The units of a table, leaders at the places of theirs."""
        led = {unit.general: unit.place for unit in units.values() if unit.general is not None}
        moved = {leader: units[leader].model_copy(update={"place": place}) for leader, place in led.items()}
        return {**units, **moved}

    def table_faults(self) -> Iterable[str]:
        """More generals than an army may have (MM-1), whom they cannot lead, and what is wrong on the table."""
        made = [self.made(line) for line in self.units]
        leaders = {unit.id: unit.side for unit in made if unit.troop in LEADERS}
        for unit in made:
            if unit.general is not None and leaders.get(unit.general) != unit.side:
                yield f"unit {unit.id}: general: {unit.general!r} is no general of its side"
        for side in self.sides:
            generals = [unit for unit in made if unit.side == side.id and unit.troop in COMMANDERS]
            most = self.options.most_generals
            if len(generals) > most:
                yield f"side {side.id}: generals: there are {len(generals)}, and an army has {most} at most"
        yield from super().table_faults()

    def unit_faults(self, unit: MagdalaUnit) -> Iterable[str]:
        """It stands nowhere."""
        if unit.place is None and unit.troop not in LEADERS:
            yield "at: it stands nowhere"


BATTLES = ScenarioFiles("rules.magdala", BattleScenario)


def _is_lost(unit: MagdalaUnit) -> bool:
    """Destroyed, off the table, in rout or on its way off the field."""
    return not unit.on_table or unit.morale is Morale.ROUTED or unit.leaving


RECKONING: Reckoning[MagdalaUnit] = Reckoning(
    counts=lambda unit: is_fighter(unit) and not unit.is_detachment,
    lost=_is_lost,
    holding=lambda unit: is_fighter(unit) and not _is_lost(unit) and unit.morale is not Morale.RETREATING,
    base=PLACEMENT.base,
    fate="gone or flying",
)


class Choose(Action):
    """Settles one choice of a list: its name, and the value taken."""

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
        play.tell(headline=headline, side=before.active, prompts=tuple(prompt_choices(after)))


def _set_anew(state: MagdalaState, action: Choose) -> MagdalaState:
    """The table with that choice, under the options of the game. Raises Refused on a wrong name or value."""
    fresh = BATTLES.all[state.scenario].setup({**state.choices, action.name: action.value})
    return fresh.model_copy(update={"options": state.options})


CHOOSE = ChooseType()


def prompt_choices(state: MagdalaState) -> Iterable[Prompt]:
    """Each open choice with a button for every value not yet taken; none holds up the turn."""
    for choice in open_choices(state):
        now = state.choices[choice.name]
        others = [Choose(name=choice.name, value=value) for value in choice.options if value != now]
        text = f"{choice.question} Now: {now}."
        yield CHOOSE.prompt(state, others, f"choose:{choice.name}", text, LISTS, required=False)
