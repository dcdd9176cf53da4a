"""The rule system Battles for Empire: its action types, phases, upgrades and drawings."""

from collections.abc import Iterable, Mapping

from typing_extensions import override

from rules.core.model import Viewer
from rules.core.old_reports import add_step_fields
from rules.core.report import Prompt
from rules.core.ruleset import Ruleset
from rules.core.state import Action
from rules.core.tabletop.set_up import make_action_types
from rules.core.tabletop.system import TableRuleset
from rules.core.tabletop.table_opponent import TableOpponent
from rules.core.upgrades import Data, Upgrade, rename_owed_to_prompts, turn_off_throw_at_once

from . import scene, terrain, validation
from .conduct import critical, testing
from .corrections import UMPIRE_TOOLS
from .estimates import dangerous_enemies
from .fighting import engagement, melee
from .firing import fire, jams
from .model import EmpireState, EmpireUnit
from .moving import allowance, attaching, movement
from .occasions import OCCASIONS
from .phases import Phase
from .scenarios import BATTLES, VICTORY
from .scene import DRAWING, UNIT_FACTS
from .tables import TABLES
from .turning import bayonets, sequence, turn
from .values import VALUES

_EARLIER_RULES = dict.fromkeys(
    ("theatre_names_nations", "gave_way_in_4a_alone", "dice_of_each_gun", "dice_of_each_machine_gun"), False
)
"""Options added in version 2, with the values by which older games keep their rules."""


def _upgrade_state_to_2(state: Data) -> Data:
    """Upgrade a state to version 2: add the new options, and drop fields that nothing reads."""
    state.pop("events", None)
    state["options"] = {**_EARLIER_RULES, **state["options"]}
    for unit in state["units"].values():
        unit["this_turn"].pop("arrival_thrown", None)
        unit["this_turn"].pop("changed", None)
    return state


class PreliminaryTests:
    """Conduct tests that units owe before they move."""

    shorten_move = staticmethod(movement.shorten_move)

    def __init__(self, system: Ruleset[EmpireState]) -> None:
        self._system = system

    def find_test_before_move(self, state: EmpireState, unit: str) -> Action | None:
        """Return the conduct test that the unit owes before it moves (BE-6), or None.

        Return None if only players know the facts for the test, and for shaken units, which must test even without a
        move.
        """
        mover = state.units.get(unit)
        if mover is None or not mover.on_table or testing.must_test(state, mover):
            return None
        if not allowance.owes_conduct_test(state, mover):
            return None
        test = testing.choose_test_type(mover).action(unit=unit)
        return test if self._system.allows(state, test) and self._system.knows_all_facts(state, test) else None


class EmpireOpponent(TableOpponent[EmpireState]):
    """Support for the bot opponent in Battles for Empire."""

    @override
    def attacks(self, state: EmpireState, side: str, target: str) -> Iterable[tuple[EmpireState, Action]]:
        """Yield the enemies' possible melees with `target`, then their shots, the most dangerous shots first.

        Each action comes with a copy of the state in that action's phase.
        """
        fighting, foes = sequence.PHASES.suppose_phase(state, Phase.MELEE.value, side), state.opponents(target)
        for action in (melee.Melee(unit=foe.id, target=target) for foe in foes):
            if melee.FIGHT.plan_if_allowed(fighting, action) is not None:
                yield fighting, action
        enemies = dangerous_enemies(state, target)
        for phase, arms in sequence.FIRERS.items():
            firing = sequence.PHASES.suppose_phase(state, phase.value, side)
            shots = (fire.Fire(unit=foe.id, target=target) for foe in enemies if foe.weapon in arms)
            yield from ((firing, shot) for shot in shots if fire.FIRE.plan_if_allowed(firing, shot) is not None)


class Empire(TableRuleset[EmpireState]):
    """The rule system Battles for Empire, after the quick reference."""

    id, title, package = "empire", "Battles for Empire", "rules.empire"
    class_field = "arm"
    upgrades = (
        Upgrade(state=_upgrade_state_to_2),
        Upgrade(report=rename_owed_to_prompts),
        Upgrade(state=turn_off_throw_at_once),
        Upgrade(),
        Upgrade(),
        Upgrade(report=add_step_fields),
        Upgrade(),
        Upgrade(),  # prompts name their occasion
        Upgrade(),  # units may come to the table during the battle
    )
    action_types = (
        *(testing.TEST_CONDUCT, testing.RALLY, movement.MOVE, attaching.ATTACH, fire.FIRE, jams.CLEAR, melee.FIGHT),
        *(engagement.SUPPORT, critical.HIT, bayonets.FIX, turn.MOVE_FIRST, turn.THROUGH),
        *make_action_types(UMPIRE_TOOLS, BATTLES, sequence.open_first_turn, (Phase.UNITS.value,)),
    )
    state_type = EmpireState
    tables, battles, drawing, victory = TABLES, BATTLES, DRAWING, VICTORY
    phases, values = sequence.PHASES, VALUES
    terrain_meanings = staticmethod(terrain.terrain_effects)
    unit_facts = UNIT_FACTS
    occasions = OCCASIONS
    opponent_type = EmpireOpponent
    enemies_in_contact = staticmethod(EmpireState.opponents)

    def __init__(self) -> None:
        """Create the system. Raises ValueError if an action type or a scenario is faulty."""
        super().__init__()
        self.preliminary_tests = PreliminaryTests(self)

    @override
    def formation_names(self, state: EmpireState, unit: EmpireUnit) -> tuple[str, ...]:
        """Return the name of the unit's brigade, if it has one."""
        return (unit.brigade,) if unit.brigade else ()

    @override
    def require_valid_state(self, state: EmpireState) -> None:
        """Raise Refused, with the field at fault, if the state contradicts itself."""
        super().require_valid_state(state)
        validation.check_state(state)

    @override
    def required_prompts(self, state: EmpireState) -> tuple[Prompt, ...]:
        """Return the required prompts. In a running battle, optional prompts are not computed, to save time."""
        running = self.is_under_way(state) and state.over is None
        return turn.required_prompts(state) if running else super().required_prompts(state)

    open_first_turn = staticmethod(sequence.open_first_turn)
    prompts = staticmethod(turn.prompts)
    actions_without_choice = staticmethod(turn.actions_without_choice)

    @override
    def knows_all_facts(self, state: EmpireState, action: Action) -> bool:
        """Whether the game can execute the action without asking players for facts, such as who can support a melee."""
        return turn.has_all_facts(state, action) if state.keeps_positions else super().knows_all_facts(state, action)

    @override
    def describe_unit(self, state: EmpireState, unit: EmpireUnit, viewer: Viewer) -> tuple[str, Mapping[str, str]]:
        """Return the unit's line in a list of units, and its details by label."""
        host, summary = state.host(unit) if unit.on_table else None, scene.unit_summary(unit, state.options)
        return f"{summary} · with {host.name}" if host else summary, scene.card_details(state, unit)

    @override
    def roster_rank(self, unit: EmpireUnit) -> int:
        """Return the sorting rank of the unit: on the table 0, reserves 1, gone 2."""
        return 0 if unit.on_table else 1 if unit.reserve is not None else 2
