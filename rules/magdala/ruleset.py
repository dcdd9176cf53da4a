"""The rule system Magdala to Mafeking: its action types, views and prompts, and upgrades of stored games."""

from collections.abc import Iterable, Mapping

from typing_extensions import override

from rules.core.model import PUBLIC, UMPIRE, Viewer
from rules.core.old_reports import add_step_fields
from rules.core.phases import TurnNext
from rules.core.refusal import require_that
from rules.core.report import Prompt
from rules.core.state import Action
from rules.core.tabletop.set_up import make_action_types
from rules.core.tabletop.system import TableRuleset
from rules.core.tabletop.table_opponent import TableOpponent
from rules.core.tabletop.validation import check_unit_ids
from rules.core.upgrades import Data, Upgrade, rename_owed_to_prompts, turn_off_throw_at_once

from . import scene, terrain
from .candidates import expected_attacks, suggest_useful_actions
from .corrections import UMPIRE_TOOLS, increment_action_count
from .engagement import enemies_in_contact
from .fighting.melee import MELEE, Melee
from .firing.ammunition import REFILL
from .firing.fire import FIRE
from .firing.mishaps import CLEAR, STRAY
from .model import MagdalaState, MagdalaUnit
from .morale.generals import DECLINE, REROLL, RISK
from .morale.retreat import PURSUIT, RETIRE, RETREAT
from .morale.testing import MORALE, REACTION
from .moving.bug_out import BUG_OUT
from .moving.formation import BUILD
from .occasions import OCCASIONS
from .orders.detachments import DETACH, REJOIN
from .orders.movement import MOVE
from .scenarios import BATTLES, CHOOSE, VICTORY, choice_prompts
from .scene import DRAWING, UNIT_FACTS
from .shared import unit_statuses
from .stored_prompts import change_prompt, secret_test_audience
from .tables import TABLES
from .turn import TURN, blocking_prompts, has_all_facts, prompts
from .values import VALUES

MOST_PROMPTS = 1000


def _upgrade_state_to_2(state: Data) -> Data:
    """Upgrade a state to version 2: options keep their original values; flank attacks become attack directions."""
    state["options"].setdefault("prone_takes_the_move", False)
    for unit in state["units"].values():
        if unit.pop("melee_flank", False):
            unit["melee_attack"] = "flank"
    return state


def _upgrade_action_to_2(kind: str, args: Data) -> tuple[str, Data]:
    """Upgrade an action to version 2: a correction of `melee_flank` becomes one of `melee_attack`."""
    if kind == "set" and args.get("field") == "melee_flank":
        in_flank = str(args.get("value", "")).strip().casefold() == "yes"
        args |= {"field": "melee_attack", "value": "flank" if in_flank else "front"}
    return kind, args


def _upgrade_state_to_3(state: Data) -> Data:
    """Upgrade a state to version 3: `debts` become `prompts`."""
    state["prompts"] = state.pop("debts", ())
    return state


class MagdalaOpponent(TableOpponent[MagdalaState]):
    """Support for the bot as an opponent in Magdala to Mafeking."""

    attacks = staticmethod(expected_attacks)

    @override
    def candidates(self, state: MagdalaState, side: Viewer, kind: str, unit: str) -> Iterable[Action]:
        """Return the actions of `kind` that the bot tries: useful volleys or moves, or all legal actions."""
        actions = suggest_useful_actions(state, state.unit(unit), kind)
        return super().candidates(state, side, kind, unit) if actions is None else actions


class Magdala(TableRuleset[MagdalaState]):
    """The rule system Magdala to Mafeking."""

    id, title, package = "magdala", "Magdala to Mafeking", "rules.magdala"
    class_field = "troop"
    upgrades = (
        Upgrade(state=_upgrade_state_to_2, action=_upgrade_action_to_2),
        Upgrade(state=_upgrade_state_to_3, report=rename_owed_to_prompts),
        Upgrade(state=turn_off_throw_at_once),
        Upgrade(),
        Upgrade(),
        Upgrade(report=add_step_fields),
        Upgrade(),
        Upgrade(),  # prompts name their occasion
        Upgrade(),  # units may come to the table during the battle
    )
    action_types = (
        *(MOVE, FIRE, CLEAR, STRAY, MELEE, MORALE, REACTION, REROLL, DECLINE, RISK, PURSUIT, RETREAT, RETIRE),
        *(REFILL, BUILD, BUG_OUT, DETACH, REJOIN, CHOOSE, TURN),
        *make_action_types(UMPIRE_TOOLS, BATTLES, increment_action_count),
    )
    state_type = MagdalaState
    tables, battles, drawing, victory = TABLES, BATTLES, DRAWING, VICTORY
    values = VALUES
    terrain_meanings = staticmethod(terrain.terrain_effects)
    unit_facts = UNIT_FACTS
    occasions = OCCASIONS
    opponent_type = MagdalaOpponent
    enemies_in_contact = staticmethod(enemies_in_contact)
    unit_standings = staticmethod(unit_statuses)

    @override
    def require_valid_state(self, state: MagdalaState) -> None:
        """Raise Refused, naming the field, if the state contradicts itself."""
        super().require_valid_state(state)
        require_that(len(state.prompts) <= MOST_PROMPTS, "prompts", f"there are {MOST_PROMPTS} at most")
        for place, prompt in enumerate(state.prompts):
            check_unit_ids(state.units, f"prompts[{place}]", (prompt.unit, prompt.by or prompt.unit))
        sides = {side.id for side in state.sides}
        require_that(state.opened_by in ("", *sides), "opened_by", "there is no such side")

    @override
    def apply_verdict(self, state: MagdalaState) -> MagdalaState:
        """Return the state with its verdict, without the uploaded battle's file after the first action (MM-A)."""
        if state.document and state.events:
            state = state.model_copy(update={"document": ""})
        return super().apply_verdict(state)

    @override
    def view(self, state: MagdalaState, viewer: Viewer) -> MagdalaState:
        """Return the viewer's view, without secret qualities that are not revealed (MM-5.4).

        Circumstances of a secret test stay only for its audience (MM-6).
        """
        state = super().view(state, viewer)
        if viewer == UMPIRE:
            return state
        for prompt in state.prompts:
            if prompt.secret and prompt.circumstances and viewer not in secret_test_audience(state, prompt):
                state = change_prompt(state, prompt, circumstances=())
        return _hide_secret_qualities(state)

    @override
    def storable_view(self, state: MagdalaState, viewer: Viewer) -> MagdalaState:
        """Return the viewer's state, his hidden units included, without secret qualities that are not revealed."""
        view = super().storable_view(state, viewer)
        return view if viewer == UMPIRE else _hide_secret_qualities(view)

    @override
    def prompts(self, state: MagdalaState) -> tuple[Prompt, ...]:
        """Return the open choices and prompts with their offers, as everyone may know them."""
        return (*choice_prompts(state), *prompts(self.view(state, PUBLIC)))

    @override
    def actions_without_choice(self, state: MagdalaState) -> Iterable[Action]:
        """Yield the actions that leave no choice, and the end of the turn once no prompt blocks it (ruling).

        A round of melee leaves a choice until the active side has ended its turn.
        """
        actions = super().actions_without_choice(state)
        yield from (action for action in actions if state.ending or not isinstance(action, Melee))
        if state.ending and not blocking_prompts(state):
            yield TurnNext()

    @override
    def knows_all_facts(self, state: MagdalaState, action: Action) -> bool:
        """Whether the game can do `action` without asking people."""
        return has_all_facts(state, action) if state.keeps_positions else super().knows_all_facts(state, action)

    @override
    def awaited_viewers(self, state: MagdalaState) -> frozenset[Viewer]:
        """Return the viewers whom the game awaits; a side that ended its turn only for required prompts."""
        ended = {state.active} if state.ending else set[Viewer]()
        return super().awaited_viewers(state) - (ended - {prompt.side for prompt in self.required_prompts(state)})

    @override
    def describe_unit(self, state: MagdalaState, unit: MagdalaUnit, viewer: Viewer) -> tuple[str, Mapping[str, str]]:
        """Return the line and details of the unit's card; a secret quality only for the umpire."""
        return scene.unit_summary(unit), scene.card_details(state, unit, viewer)


def _hide_secret_qualities(state: MagdalaState) -> MagdalaState:
    """Return the state without the secret qualities that are not revealed, also of hidden units (MM-5.4)."""
    secret = {unit.id: unit for unit in state.every_unit.values() if unit.secret_quality and not unit.secret_known}
    if not secret:
        return state
    plain = {unit_id: unit.model_copy(update={"secret_quality": 0}) for unit_id, unit in secret.items()}
    of_units, of_hidden = (
        {unit_id: plain.get(unit_id, unit) for unit_id, unit in units.items()} for units in (state.units, state.hidden)
    )
    return state.model_copy(update={"units": of_units, "hidden": of_hidden})
