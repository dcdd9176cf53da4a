"""Charge!, put together: its action types, and everything shown of a game."""

from collections.abc import Mapping
from typing import Any

from typing_extensions import override

from rules.core.model import Viewer
from rules.core.old_reports import with_fields
from rules.core.opponent_support import OpponentSupport
from rules.core.refusal import must
from rules.core.tabletop.deploy_army import muster_type
from rules.core.tabletop.set_up import set_up_types
from rules.core.tabletop.system import TableRuleset
from rules.core.tabletop.terrain import TERRAIN_TYPES
from rules.core.tabletop.validation import check_known
from rules.core.upgrades import Upgrade
from rules.core.wording import in_a_row

from . import terrain, turn
from .corrections import UMPIRE_TOOLS
from .enemy_answers import attacks_on
from .fire import FIRING
from .melee import MELEE
from .model import ChargeState
from .moving import MOVE
from .scenarios import BATTLES, VICTORY
from .scene import DRAWING, UNIT_FACTS
from .shared import MOVES, line, status_of
from .tables import TABLES
from .turn import PHASES, TURN
from .values import VALUES


class ChargeOpponent(OpponentSupport[ChargeState]):
    """The bot in Charge!"""

    attacks = staticmethod(attacks_on)


class Charge(TableRuleset[ChargeState]):
    """Charge!, the Elementary Game."""

    id, title, package = "charge", "Charge!", "rules.charge"
    upgrades = (Upgrade(), Upgrade(), Upgrade(report=with_fields))
    action_types = (
        MOVE,
        FIRING,
        MELEE,
        TURN,
        *UMPIRE_TOOLS.action_types,
        *TERRAIN_TYPES,
        muster_type(BATTLES.file_type, lambda: BATTLES.all),
        *set_up_types(UMPIRE_TOOLS, BATTLES.file_type, markers_move_in=(MOVES,)),
    )
    state_type = ChargeState
    tables, battles, drawing, victory = TABLES, BATTLES, DRAWING, VICTORY
    phases = PHASES
    values = VALUES
    terrain_meanings = staticmethod(terrain.meanings_of)
    unit_facts = UNIT_FACTS
    opponent_type = ChargeOpponent

    @override
    def check(self, state: ChargeState) -> None:
        """Raises Refused with the place of what contradicts itself."""
        super().check(state)
        sides = {side.id for side in state.sides}
        must({state.mover, state.first} <= sides, "mover, first", "there is no such side")
        must(state.phase in {phase.id for phase in PHASES.phases}, "phase", "there is no such phase")
        must(state.active in PHASES.order(state), "active", f"this side does not act in {state.phase}")
        for unit in state.units.values():
            must(unit.figures <= unit.at_start, unit.id, f"more figures than the {unit.at_start} it began with")
            check_known(state.units, f"units.{unit.id}.hits", (hits.by for hits in unit.hits))
        for place, fight in enumerate(state.fights):
            where = f"fights[{place}]"
            check_known(state.units, where, fight.units)
            must(len({state.units[each].side for each in fight.units}) > 1, where, "one side alone is in it")
            must(all(state.fight_of(u) == fight for u in fight.units), where, "a unit of it is in another as well")

    prompts = staticmethod(turn.prompts)
    without_choice = staticmethod(turn.without_choice)
    standing = staticmethod(status_of)

    @override
    def card(self, state: ChargeState, unit: Any, viewer: Viewer) -> tuple[str, Mapping[str, str]]:
        """Return the unit's strength, formation, arm, and opponents."""
        foes = in_a_row(foe.name for foe in state.opposed(unit))
        return line(unit), {"Arm": unit.arm.value, "State": line(unit), "In contact with": foes}
