"""Scenarios from the army lists of the appendix: troops, deployments, open choices and victory (MM-A)."""

from collections.abc import Iterable, Mapping
from functools import lru_cache

from pydantic import Field
from typing_extensions import override

from rules.core.action_type import SimpleType
from rules.core.catalog import ScenarioChoice
from rules.core.data_files import ScenarioFiles
from rules.core.faults import Fault
from rules.core.model import Cite, Mark, Viewer
from rules.core.refusal import refuse
from rules.core.report import Prompt
from rules.core.state import Action
from rules.core.tabletop import battle_reader
from rules.core.tabletop.battle import Edge
from rules.core.tabletop.battle_files import MOST_SIDES, BattleFile
from rules.core.tabletop.leadership import Leadership
from rules.core.tabletop.listed_units import ListedSide
from rules.core.tabletop.troops import Troops
from rules.core.tabletop.victory import VictoryRules
from rules.magdala.arms import COMMANDERS, LEADERS, has_own_morale
from rules.magdala.model import MagdalaPlay, MagdalaState, MagdalaUnit, Morale, UnitTurn, Works
from rules.magdala.options import MagdalaOptions
from rules.magdala.placement import PLACEMENT, WAYS

TROOPS = Troops("rules.magdala", MagdalaUnit)
LISTS = Cite(rule="MM-A", mark=Mark.TEXT)


class ScenarioSide(ListedSide):
    """A side with its retreat edge."""

    home: Edge


class BattleScenario(BattleFile[MagdalaUnit, MagdalaState]):
    """A scenario file. A leader listed with a unit has no place of his own: he stands with the unit."""

    troops, state_type, ways, lists_rule = TROOPS, MagdalaState, WAYS, LISTS
    leading = Leadership("general", "general", of_leader=False, is_piece=lambda unit: unit.troop in LEADERS)

    unsaved_fields = (
        *("this_turn", "last_moved_turn", "flight_seen_by"),
        *("melee_with", "melee_attacker", "melee_attack", "melee_round", "melee_lost_in_a_row"),
    )

    options: MagdalaOptions = MagdalaOptions()
    sides: tuple[ScenarioSide, ...] = Field(min_length=MOST_SIDES, max_length=MOST_SIDES)

    @classmethod
    @override
    def fill_derived_fields(cls, unit: MagdalaUnit) -> MagdalaUnit:
        """Return the unit with initial figures and ammunition recorded."""
        full = unit.ammunition_full if "ammunition_full" in unit.model_fields_set else unit.ammunition
        start = {"this_turn": UnitTurn(figures_at_start=unit.strength), "ammunition_full": full}
        return unit.model_copy(update=start)

    @classmethod
    @override
    def reset_for_new_battle(cls, unit: MagdalaUnit) -> MagdalaUnit:
        """Return the unit as it joins an army: no casualties, ashore, in the open, and on its horses if it has any."""
        fields = {"figures": max(unit.strength, 1), "casualties": 0, "works": Works.NONE, "afloat": False}
        saddled = {"mounted": True, "horses_at": None} if unit.has_horses else {}
        return cls.fill_derived_fields(unit.model_copy(update={**fields, **saddled}))

    def place_attached_units(self, units: Mapping[str, MagdalaUnit]) -> Mapping[str, MagdalaUnit]:
        """Return the units with leaders placed at the units they lead; visible leaders of hidden units stay put."""
        hidden = {line.id for line in self.units if line.hidden}
        visible_leaders = {unit.general for unit in units.values() if unit.id in hidden} - hidden
        places = {unit.general: unit.place for unit in units.values() if unit.general is not None}
        moved = {
            leader: units[leader].model_copy(update={"place": place})
            for leader, place in places.items()
            if leader not in visible_leaders or units[leader].place is None
        }
        return {**units, **moved}

    def table_faults(self) -> Iterable[Fault]:
        """Yield faults in generals: attached to wrong units, or too many (MM-1). Then yield faults of all tables."""
        units = [self.make_unit(line) for line in self.units]
        leaders = {unit.id: unit.side for unit in units if unit.troop in LEADERS}
        for at, unit in enumerate(units):
            if unit.general is not None and leaders.get(unit.general) != unit.side:
                why = f"unit {unit.id}: general: {unit.general!r} is no general of its side"
                yield Fault(("units", at, "general"), why)
        for at, side in enumerate(self.sides):
            generals = [unit for unit in units if unit.side == side.id and unit.troop in COMMANDERS]
            most = self.options.most_generals
            if len(generals) > most:
                why = f"side {side.id}: generals: there are {len(generals)}, and an army has {most} at most"
                yield Fault(("sides", at), why)
        yield from super().table_faults()


BATTLES = ScenarioFiles("rules.magdala", BattleScenario)


def _is_lost(unit: MagdalaUnit) -> bool:
    """Whether the unit is destroyed, off the table, routed, or leaving."""
    return not unit.on_table or unit.morale is Morale.ROUTED or unit.leaving


VICTORY: VictoryRules[MagdalaUnit] = VictoryRules(
    counts=lambda unit: has_own_morale(unit) and not unit.is_detachment,
    lost=_is_lost,
    holding=lambda unit: has_own_morale(unit) and not _is_lost(unit) and unit.morale is not Morale.RETREATING,
    base=PLACEMENT.base,
    fate="gone or flying",
)


class SettleChoice(Action):
    """Settle the choice `name` of an army list with `value`."""

    kind = "choose"
    name: str
    value: str


def find_open_choices(state: MagdalaState) -> tuple[ScenarioChoice, ...]:
    """Return the army list's choices, which players may settle until the first action; none after it."""
    battle = _find_battle(state)
    if battle is None or state.events:
        return ()
    return tuple(choice for choice in battle.choices if choice.name in state.choices)


def _find_battle(state: MagdalaState) -> BattleScenario | None:
    """Return the game's shipped or stored battle, or None."""
    return _read_battle(state.document) if state.document else BATTLES.all.get(state.scenario)


@lru_cache(maxsize=8)
def _read_battle(document: str) -> BattleScenario:
    return battle_reader.read(BattleScenario, document.encode())


class SettleChoiceType(SimpleType[MagdalaState, SettleChoice]):
    """A choice from an army list, which sets the table up anew (MM-A)."""

    action = SettleChoice
    says = "{name}: {value}"

    def side(self, state: MagdalaState, action: SettleChoice) -> Viewer:
        """Return the side that makes the choice."""
        return next((choice.side for choice in find_open_choices(state) if choice.name == action.name), state.active)

    def suggest_actions(self, state: MagdalaState) -> Iterable[SettleChoice]:
        """Yield every value of every open choice."""
        for choice in find_open_choices(state):
            yield from (SettleChoice(name=choice.name, value=value) for value in choice.options)

    def check(self, state: MagdalaState, action: SettleChoice) -> None:
        """Raise Refused after the first action, in a game without lists, or on a wrong name or value."""
        unlisted = _find_battle(state) is None
        refuse(
            LISTS,
            (state.events, "The lists are settled before the first move. Undo to the start, or begin another game."),
            (unlisted, "This game was not set up from a list, so there is nothing to choose."),
        )
        _set_up_with_choice(state, action)

    def resolve(self, play: MagdalaPlay, plan: SettleChoice) -> None:
        """Set the table up anew, and report which units came and which went."""
        before, after = play.state, _set_up_with_choice(play.state, plan)
        play.state = after
        came = [unit.name for unit in after.units.values() if unit.id not in before.units]
        went = [unit.name for unit in before.units.values() if unit.id not in after.units]
        play.note(f"{', '.join(came)} in place of {', '.join(went)}." if came or went else "Nothing changes.", LISTS)
        headline = f"{plan.name.capitalize()}: {after.choices[plan.name]}."
        play.tell(headline=headline, side=before.active, prompts=tuple(choice_prompts(after)))


def _set_up_with_choice(state: MagdalaState, action: SettleChoice) -> MagdalaState:
    """Return the table set up with a choice of the army list. Raises Refused on a wrong name or value."""
    battle = _find_battle(state)
    assert battle is not None, "only a listed battle has choices"
    fresh: MagdalaState = battle.setup({**state.choices, action.name: action.value})
    fields = ("options", "title", "document", "setting_up")
    return fresh.model_copy(update={name: getattr(state, name) for name in fields})


CHOOSE = SettleChoiceType()


def choice_prompts(state: MagdalaState) -> Iterable[Prompt]:
    """Yield an optional prompt for each open choice of the army list, with buttons for its other values."""
    for choice in find_open_choices(state):
        now = state.choices[choice.name]
        actions = [SettleChoice(name=choice.name, value=value) for value in choice.options if value != now]
        text = f"{choice.question} Now: {now}."
        yield CHOOSE.prompt(state, actions, f"choose:{choice.name}", text, LISTS, required=False)
