"""Moves of units that flee or pursue, and the choice to retreat (MM-4.6, MM-5.7 to MM-5.10)."""

from rules.core.action_type import Caption, SimpleType
from rules.core.model import Cite, Mark
from rules.core.refusal import Refused, refuse
from rules.core.state import Action
from rules.magdala.arms import has_own_morale
from rules.magdala.engagement import is_engaged
from rules.magdala.model import MagdalaPlay, MagdalaState, Morale, StoredPrompt, Test, Troop
from rules.magdala.placement import gap, nearest
from rules.magdala.shared import OwnTurnType, PromptedType, complete_action, find_unit_on_table, require_own_turn
from rules.magdala.stored_prompts import oldest_prompt, prompts_of, refusal_for_prompt, remove_prompts
from rules.magdala.tables import limit

from .flight import HELD, find_supports, has_supports, make_unit_flee, make_unit_leave_table, rally_unit
from .forced_moves import find_forced_path, flees_to_edge, move_along_path
from .testing import RerollableTestType, prepare_test
from .trials import GENERAL

LEFT_THE_TABLE = "left the table"
REACHED_SUPPORTS = "reached its supports"
PURSUING = Cite(rule="MM-4.6")
PINNED = Cite(rule="MM-5.1", mark=Mark.RULING)
RETIRING, AT_HALF_STRENGTH = Cite(rule="MM-5.7"), Cite(rule="MM-5.9")


class Retreat(Action):
    """Make the move of a retreating or routing unit; without positions, players state where it ends."""

    circumstance_names = (REACHED_SUPPORTS, LEFT_THE_TABLE)


class Retire(Action):
    """Let a unit retreat by choice after fire has pinned or halted it (MM-5.7)."""


class Pursuit(Action):
    """Take a victor's pursuit test, or make a pursuer's next move. Without positions, players say when it has left."""

    can_be_secret = True
    circumstance_names = (GENERAL, LEFT_THE_TABLE)


class RetreatType(SimpleType[MagdalaState, Retreat], PromptedType[Retreat, Retreat]):
    """The move of a unit in retreat or rout, in its own turn (MM-5.7 to MM-5.10)."""

    action = Retreat
    says = "Retreat: {unit}"
    settles = (Test.RETREAT,)
    measured_circumstances = (REACHED_SUPPORTS, LEFT_THE_TABLE)

    def check(self, state: MagdalaState, action: Retreat) -> None:
        """Raise Refused if the unit owes no retreat move, or its side is not active."""
        unit = find_unit_on_table(state, action.unit)
        if oldest_prompt(state, unit.id, Test.RETREAT) is None:
            hint = " To retreat by choice: retire." if unit.morale in HELD else ""
            raise Refused(f"{unit:have} no retreat to make this turn.{hint}", AT_HALF_STRENGTH)
        require_own_turn(state, unit)

    def resolve(self, play: MagdalaPlay, plan: Retreat) -> None:
        """Move the unit back as far as possible, off the table if necessary."""
        unit = find_unit_on_table(play.state, plan.unit)
        play.state = remove_prompts(play.state, *prompts_of(play.state, unit.id, Test.RETREAT)[:1])
        if unit.morale is Morale.RETREATING and unit.is_at_half_strength:
            play.change(unit.id, leaving=not has_supports(play.state, unit))
        move_along_path(play, unit.id, find_forced_path(play.state, play.state.unit(unit.id)))
        if play.state.unit(unit.id).on_table:
            play.remember(unit.id, retreated=True)
            _end_retreat_move(play, unit.id, plan.circumstances)
        complete_action(play, f"{unit:flee}" if unit.morale is Morale.ROUTED else f"{unit:retreat}", unit.id)


def _end_retreat_move(play: MagdalaPlay, unit_id: str, circumstances: tuple[str, ...]) -> None:
    """Let a unit leave the table, rally on its supports, or halt after its retreat move."""
    unit = play.state.unit(unit_id)
    if LEFT_THE_TABLE in circumstances or (unit.morale is Morale.ROUTED and unit.place is None):
        make_unit_leave_table(play, unit_id)
    elif flees_to_edge(unit) or unit.retreats_in_a_row:
        return
    elif not unit.is_at_half_strength:
        play.state = rally_unit(play.state, unit_id, Morale.HALTED)
        verdict = f"halted after the retreat; {unit:they} may test to go on in a later turn"
        play.note_unit_result(unit.name, RETIRING.as_ruling, verdict)
    else:
        support = nearest(unit, find_supports(play.state, unit))
        far = gap(unit, support) if support is not None else None
        if REACHED_SUPPORTS in circumstances or (far is not None and far <= play.state.options.reaches_supports):
            play.state = rally_unit(play.state, unit.id)
            play.change(unit.id, on_supports=True)
            play.note(f"{unit:stand} with {unit:their} supports", AT_HALF_STRENGTH.as_ruling)


class RetireType(SimpleType[MagdalaState, Retire], OwnTurnType[Retire, Retire]):
    """The choice of a pinned or halted unit to retreat (MM-5.7)."""

    action = Retire
    says = "Retreat: {unit}"
    danger = True

    def check(self, state: MagdalaState, action: Retire) -> None:
        """Raise Refused unless the unit is pinned or halted, has not retreated this turn, and owes nothing else."""
        unit = find_unit_on_table(state, action.unit)
        if not has_own_morale(unit) or unit.morale not in HELD or is_engaged(state, unit):
            raise Refused(f"{unit:are} not halted by fire: {unit:they move} under orders, or not at all.", RETIRING)
        pinned = unit.morale is Morale.PINNED and unit.held_turns < limit("turns held before testing again")
        why = f"{unit:are} pinned: {unit:they hold} {unit:their} ground for a whole turn of {unit:their} own first."
        retreated = f"{unit:have} retreated this turn. {unit:They} may again in {unit:their} next."
        refuse(PINNED, (pinned, why))
        refuse(RETIRING, (unit.this_turn.retreated, retreated))
        owed_test = next((prompt for prompt in prompts_of(state, unit.id) if prompt.test is not Test.WITNESS), None)
        if owed_test is not None:
            raise refusal_for_prompt(state, owed_test, RETIRING)

    def resolve(self, play: MagdalaPlay, plan: Retire) -> None:
        """Make the unit retreat; friends who see it may have to test."""
        unit = find_unit_on_table(play.state, plan.unit)
        make_unit_flee(play, unit.id, f"by {unit:their} own choice", RETIRING)
        complete_action(play, f"{unit:retreat}", unit.id)


class PursuitType(RerollableTestType[Pursuit]):
    """The victors' pursuit of the routed (MM-4.6). The plan is the test or the move that the unit owes."""

    action = Pursuit
    settles = (Test.PURSUIT, Test.PURSUIT_MOVE)
    measured_circumstances = (LEFT_THE_TABLE,)
    says = "Pursuit of {}"
    says_hope = True

    def settle(self, state: MagdalaState, action: Pursuit, *, supposing: bool) -> StoredPrompt:
        """Return the owed move or test; if `supposing`, the test alone. Raises Refused if the unit owes neither."""
        unit = find_unit_on_table(state, action.unit)
        test, move = (oldest_prompt(state, unit.id, kind) for kind in (Test.PURSUIT, Test.PURSUIT_MOVE))
        if move is not None and not supposing:
            require_own_turn(state, unit)
            refuse(PURSUING, (action.secret, f"Everyone sees {unit.name} pursue. Leave “secret” out."))
            return move.model_copy(update={"circumstances": action.circumstances})
        goes_on = f"{unit:are} in pursuit already: {unit:they move} without a throw."
        never = f"{unit.name}, regular infantry, rally on the spot and never pursue."
        refuse(PURSUING, (move and not test, goes_on), (unit.troop is Troop.REGULAR_INFANTRY, never))
        if test is None:
            raise Refused(f"{unit:have} no pursuit test to make: {unit:they have} routed nobody.", PURSUING)
        return prepare_test(state, test, action)

    def caption(self, state: MagdalaState, plan: StoredPrompt) -> Caption:
        """Return a caption such as `Berbers pursue`, or `Pursuit of Hussars: 33.3% to rally`."""
        if plan.test is Test.PURSUIT:
            return super().caption(state, plan)
        return Caption(f"{state.unit(plan.unit):pursue}")

    def resolve(self, play: MagdalaPlay, plan: StoredPrompt) -> None:
        """Throw the test, or make the move: regular cavalry rally after two moves, other pursuers leave the table."""
        if plan.test is Test.PURSUIT:
            super().resolve(play, plan)
            return
        play.state = remove_prompts(play.state, plan)
        unit = play.state.unit(plan.unit)
        play.change(unit.id, pursuit_moves=unit.pursuit_moves + 1)
        move_along_path(play, unit.id, find_forced_path(play.state, unit))
        if LEFT_THE_TABLE in plan.circumstances and play.state.unit(unit.id).on_table:
            make_unit_leave_table(play, unit.id)
        now, most = play.state.unit(unit.id), limit("moves of pursuit by regular cavalry")
        if unit.troop is Troop.REGULAR_CAVALRY and now.on_table and now.pursuit_moves >= most:
            play.state = rally_unit(play.state, unit.id)
            play.note(f"{unit:halt}, and {unit:they rally}", PURSUING)
        complete_action(play, f"{unit:pursue}", unit.id)


RETREAT, RETIRE, PURSUIT = RetreatType(), RetireType(), PursuitType()
