"""Attachment of commanders, leaders, mules and wagons to units (BE-M.6)."""

from collections.abc import Iterable

from typing_extensions import override

from rules.core.action_type import Caption, SimpleType
from rules.core.play import Play
from rules.core.refusal import refuse
from rules.core.state import Action
from rules.core.tabletop import table
from rules.core.wording import inches
from rules.empire.model import EmpireState
from rules.empire.phases import Phase
from rules.empire.placement import gap
from rules.empire.shared import find_fighter, find_unit_on_table

from .allowance import PIECES, inches_left, require_may_move


class Attach(Action):
    """Attachment of the piece `unit` to the friend `target` in reach. Without `target` the piece leaves its host."""

    target: str | None = None


class AttachType(SimpleType[EmpireState, Attach]):
    """Action type of attachment, without dice: a piece joins a unit and moves with it, or leaves the unit (BE-M.6)."""

    action = Attach

    @override
    def suggest_for_unit(self, state: EmpireState, unit: str) -> Iterable[Attach]:
        """Yield the piece's attachments to each friend, and its detachment."""
        piece = state.units[unit]
        if state.current_phase is Phase.COMMANDERS and piece.is_piece and piece.on_table and piece.side == state.active:
            yield from (Attach(unit=unit, target=friend.id) for friend in state.fighters(piece.side))
            yield Attach(unit=unit)

    def check(self, state: EmpireState, action: Attach) -> None:
        """Raise Refused unless the piece may move, and has a unit to leave or a new host in reach."""
        piece = find_unit_on_table(state, action.unit, "piece")
        nobody = f"{piece:join} nobody: commanders, leaders, mules and wagons join units."
        refuse(PIECES, (not piece.is_piece, nobody))
        require_may_move(state, piece)
        if action.target is None:
            unattached = f"{piece:are} with no unit. To join one, name it as the target."
            refuse(PIECES, (piece.attached_to not in state.units, unattached))
            return
        unit = find_fighter(state, action.target)
        distance, unspent = gap(piece, unit) or 0.0, inches_left(state, piece)
        already, too_far = f"{piece:are} with {unit.name} already", f"{unit:are} {inches(distance)} from {piece.name}"
        refuse(
            PIECES,
            (unit.side != piece.side, f"{unit:are} the enemy. {piece:join} a unit of {piece:their} own side."),
            (piece.attached_to == unit.id, f"{already}. To leave {unit:them}, name no target."),
            (distance > unspent + table.CLOSE, f"{too_far}: {piece:they have} {inches(unspent)} left."),
        )

    def caption(self, state: EmpireState, plan: Attach) -> Caption:
        """Return a button text such as `Lord Chelmsford joins 24th`."""
        piece = find_unit_on_table(state, plan.unit)
        does, unit = ("leave", piece.attached_to) if plan.target is None else ("join", plan.target)
        return Caption(f"{piece.describe_actions([does])} {state.units[unit or ''].name}")

    def resolve(self, play: Play[EmpireState], plan: Attach) -> None:
        """Attach the piece to its target, spending the inches, or detach it."""
        piece = find_unit_on_table(play.state, plan.unit)
        unit = play.state.units[plan.target or piece.attached_to or ""]
        headline = f"{self.label(play.state, plan)}."
        if plan.target is None:
            play.note(f"{piece:stay} where {piece:they are}", PIECES)
            outcome = f"{piece:They may} move while {piece:they have} inches left."
            play.change(piece.id, attached_to=None)
        else:
            ridden, turn = gap(piece, unit) or 0.0, piece.this_turn
            of_its_move = f"{inches(ridden)} of {inches(inches_left(play.state, piece))}" if ridden else ""
            play.note_calculation(f"{piece:come} up to {unit.name}", PIECES, of_its_move)
            outcome = f"From now on {piece:they go} where {unit:go}."
            play.change(piece.id, attached_to=unit.id, place=unit.place)
            play.remember(piece.id, spent=round(turn.spent + ridden, 3), moved=round(turn.moved + ridden, 3))
        play.tell(headline=headline, side=piece.side, outcome=outcome, units=(piece.id, unit.id))


ATTACH = AttachType()
