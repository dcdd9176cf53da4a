"""Alternate turns: what must be settled before one passes, and what passes with it (MM-1, MM-5)."""

from collections.abc import Iterable

from rules.core.action_type import SimpleType
from rules.core.model import UMPIRE, Cite, Mark, Viewer
from rules.core.phases import Kind, Phase, Phases
from rules.core.ruleset import Refused
from rules.core.state import Action

from .engagement import engaged
from .model import MagdalaPlay, MagdalaState, MagdalaUnit, Morale, Test, ThisTurn
from .morale import effects
from .morale.flight import FLEEING, HELD, give_way
from .prompts import blocking, prompts
from .stored_prompts import call_for, first_prompt, settle

RULE = Cite(rule="MM-1", mark=Mark.RULING)
"""Order of play is by alternate turns."""
OF_ANY_TURN = (
    *("under_fire", "fire_casualties", "tested_casualties", "figures_at_start", "halted"),
    *("fought", "fought_with", "lost_round"),
)
"""What is remembered of a unit from one turn to the next, whosever it is."""


class TurnNext(Action):
    """Ends the turn of the side whose turn it is. The umpire may `waive` what is still owed."""

    kind = "turn_next"
    by_unit = False

    waive: bool = False


class TurnType(SimpleType[MagdalaState, TurnNext]):
    """The other side's turn begins (MM-1)."""

    action = TurnNext

    def side(self, state: MagdalaState, action: TurnNext) -> Viewer:
        """The side whose turn it is; only the umpire waives."""
        return UMPIRE if action.waive else state.active

    def thinkable(self, state: MagdalaState) -> Iterable[TurnNext]:  # noqa: ARG002
        """Passing it on."""
        yield TurnNext()

    def check(self, state: MagdalaState, action: TurnNext) -> None:
        """Raises Refused, with what is owed, while anything holds the turn up."""
        left = blocking(state)
        if left and not action.waive:
            raise Refused("The turn cannot pass yet; the umpire may waive what is owed.", RULE, left)

    def label(self, state: MagdalaState, plan: TurnNext) -> str:  # noqa: ARG002
        """`End the turn of the British`."""
        return f"End the turn of the {state.side(state.active).name}"

    def resolve(self, play: MagdalaPlay, plan: TurnNext) -> None:  # noqa: ARG002
        """What is left is waived, what the turn remembers is cleared, and what flees must go on."""
        _waive(play)
        TURNS.go_on(play)
        play.set(events=play.state.events + 1)
        play.tell(headline=f"{play.state.turn_title}.", side=play.state.active)


def _waive(play: MagdalaPlay) -> None:
    """What the umpire passes over is dropped and said; a test that has failed stands as it fell."""
    stored = {prompt.key: prompt for prompt in play.state.prompts}
    for item in blocking(play.state):
        prompt = stored.get(item.key)
        play.note(item.text, item.cite, "waived by the umpire" if prompt else "put off by the umpire")
        if prompt is not None:
            play.state = settle(play.state, prompt)
            if prompt.failed:
                effects.failed(play, prompt)


def _end(play: MagdalaPlay) -> None:
    """The side's turn is over: who stood held or fought through it remembers that.

    Flights that the umpire named no witnesses of are let go by, and said (MM-5.10).
    """
    unseen = {prompt.key: prompt for prompt in play.state.prompts if prompt.test is Test.WITNESS}
    for item in prompts(play.state):
        if item.key in unseen:
            play.note(item.text, item.cite, "nobody was named; let go by")
    play.state = settle(play.state, *unseen.values())
    play.set(opened_by=play.state.opened_by or play.state.active)
    for unit in play.state.of_side(play.state.active):
        if unit.morale in HELD and not unit.this_turn.halted:
            play.change(unit.id, held_turns=unit.held_turns + 1)
    for unit in tuple(play.state.units.values()):
        if unit.this_turn.fought and not unit.this_turn.lost_round:
            play.change(unit.id, melee_lost_in_a_row=0)


def _memory(unit: MagdalaUnit, was: str, now: str) -> ThisTurn:
    """A side's own doings last until its next turn, what was fired at it until the end of its own."""
    fresh = ThisTurn(under_fire=unit.this_turn.under_fire and unit.side != was, figures_at_start=unit.strength)
    if unit.side == now:
        return fresh
    return unit.this_turn.model_copy(update={name: getattr(fresh, name) for name in OF_ANY_TURN})


def _begin(play: MagdalaPlay) -> None:
    """What a turn remembers is cleared; who flees or pursues owes a move of its own turn, or gives way (MM-5.9)."""
    was, now = play.before.active, play.state.active
    for unit in tuple(play.state.units.values()):
        play.change(unit.id, this_turn=_memory(unit, was, now))
    for unit in play.state.of_side(play.state.active):
        due = _due(play.state, unit)
        if due is not None:
            play.state = call_for(play.state, unit.id, due)
    for unit in tuple(play.state.units.values()):
        give_way(play, unit.id)


def _due(state: MagdalaState, unit: MagdalaUnit) -> Test | None:
    """Pursuing, or going on in flight; who has retreated a turn tests, and who is in melee fights it out (ruling)."""
    if engaged(state, unit):
        return None
    if unit.morale is Morale.PURSUING:
        return Test.PURSUIT_MOVE
    if unit.morale not in FLEEING or first_prompt(state, unit.id, Test.RETREAT, Test.REACTION) is not None:
        return None
    has_retreated_a_turn = unit.retreats_in_a_row > 0 and unit.morale is Morale.RETREATING and not unit.leaving
    return Test.REACTION if has_retreated_a_turn else Test.RETREAT


def _order(state: MagdalaState) -> list[str]:
    """The sides in the order of their turns: who opened the first opens each."""
    sides = [side.id for side in state.sides]
    first = sides.index(state.opened_by or state.active)
    return sides[first:] + sides[:first]


TURNS: Phases[MagdalaState] = Phases(
    (Phase("", "turn", Kind.SEQUENTIAL, side_begins=_begin, side_ends=_end, has_to_do=lambda _state, _side: True),),
    order=_order,
    next_turn=lambda state: state,
    ended=lambda _state: False,
    cite=RULE,
)
"""Each side has its own, and when all have had theirs the turn of the game is over."""
TURN = TurnType()
