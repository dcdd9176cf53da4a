"""The system Charge!: its action types, phases, tables and cards."""

from collections.abc import Mapping, Sequence
from typing import Any

from typing_extensions import override

from rules.core.model import Viewer
from rules.core.old_reports import add_step_fields
from rules.core.refusal import require_that
from rules.core.tabletop.set_up import make_action_types
from rules.core.tabletop.system import TableRuleset
from rules.core.tabletop.table_opponent import TableOpponent
from rules.core.tabletop.validation import check_unit_ids
from rules.core.upgrades import Upgrade
from rules.core.wording import join_with_and

from . import terrain, turn
from .corrections import UMPIRE_TOOLS
from .enemy_answers import attacks_on_unit
from .fire import FIRING
from .melee import MELEE
from .model import ChargeState, ChargeUnit
from .moving import MOVE
from .occasions import OCCASIONS
from .scenarios import BATTLES, VICTORY
from .scene import DRAWING, UNIT_FACTS
from .shared import MOVES, status_line, unit_statuses
from .tables import TABLES
from .turn import PHASES, TURN
from .values import VALUES


class ChargeOpponent(TableOpponent[ChargeState]):
    """Support for the bot opponent in Charge!"""

    attacks = staticmethod(attacks_on_unit)


class Charge(TableRuleset[ChargeState]):
    """The system Charge!, the Elementary Game."""

    id, title, package = "charge", "Charge!", "rules.charge"
    class_field = "arm"
    upgrades = (Upgrade(), Upgrade(), Upgrade(report=add_step_fields), Upgrade(), Upgrade(), Upgrade())
    action_types = (MOVE, FIRING, MELEE, TURN, *make_action_types(UMPIRE_TOOLS, BATTLES, markers_move_in=(MOVES,)))
    state_type = ChargeState
    tables, battles, drawing, victory = TABLES, BATTLES, DRAWING, VICTORY
    phases = PHASES
    values = VALUES
    terrain_meanings = staticmethod(terrain.terrain_effects)
    unit_facts = UNIT_FACTS
    occasions = OCCASIONS
    opponent_type = ChargeOpponent

    @staticmethod
    def enemies_in_contact(state: ChargeState, unit: str) -> Sequence[ChargeUnit]:
        """Return the enemies in contact with the unit whose id is `unit` (CH-4.1)."""
        return state.enemies_in_contact(state.units[unit])

    @override
    def require_valid_state(self, state: ChargeState) -> None:
        """Raise Refused, with the field at fault, if parts of the state contradict each other."""
        super().require_valid_state(state)
        sides = {side.id for side in state.sides}
        require_that({state.mover, state.first} <= sides, "mover, first", "there is no such side")
        require_that(state.phase in {phase.id for phase in PHASES.phases}, "phase", "there is no such phase")
        require_that(state.active in PHASES.order(state), "active", f"this side does not act in {state.phase}")
        for unit in state.units.values():
            require_that(unit.figures <= unit.at_start, unit.id, f"more figures than the {unit.at_start} it began with")
            check_unit_ids(state.units, f"units.{unit.id}.hits", (hits.by for hits in unit.hits))
        for index, fight in enumerate(state.fights):
            field = f"fights[{index}]"
            check_unit_ids(state.units, field, fight.units)
            sides_in_fight = {state.units[unit_id].side for unit_id in fight.units}
            require_that(len(sides_in_fight) > 1, field, "all its units are of one side")
            require_that(all(state.fight_of(u) == fight for u in fight.units), field, "a unit is also in another fight")

    prompts = staticmethod(turn.prompts)
    actions_without_choice = staticmethod(turn.actions_without_choice)
    unit_standings = staticmethod(unit_statuses)

    @override
    def describe_unit(self, state: ChargeState, unit: Any, viewer: Viewer) -> tuple[str, Mapping[str, str]]:
        """Return the unit's status line, and the rows of its card: arm, state, and enemies in contact."""
        foes = join_with_and(foe.name for foe in state.enemies_in_contact(unit))
        return status_line(unit), {"Arm": unit.arm.value, "State": status_line(unit), "In contact with": foes}
