"""Dispatches that commands write to other commands of their power (CA-7)."""

from collections.abc import Iterable, Mapping

from typing_extensions import override

from rules.core import naming
from rules.core.action_type import Caption, SimpleType
from rules.core.hexboard.stacks import hexes_of_side
from rules.core.model import Viewer
from rules.core.refusal import refuse
from rules.core.report import Step
from rules.core.state import Action

from .day import hexes_to_avoid
from .ground import board_of
from .intelligence import MOST_LETTERS, Dispatch, Rider
from .model import CampaignPlay, CampaignState
from .options import Knowledge
from .release import require_orders_open
from .riders import can_deliver_at_once, deliver_dispatch, dispatch_in_words
from .telling import cite

WRITING = cite("7.1")


class WriteDispatch(Action):
    """Write a dispatch from the command `side` to another command of its power."""

    is_unit_action = False
    stays_for_readers = True

    side: str
    to: str
    text: str
    with_sightings: bool = False
    """Whether the dispatch carries the command's sightings."""


class DispatchType(SimpleType[CampaignState, WriteDispatch]):
    """Action type of writing a dispatch (CA-7.1)."""

    action = WriteDispatch

    @override
    def side(self, state: CampaignState, action: WriteDispatch) -> Viewer:
        """Return the command that writes the dispatch."""
        return action.side

    def caption(self, state: CampaignState, plan: WriteDispatch) -> Caption:
        """Return a caption such as `British under Wood: dispatch to British under Glyn`."""
        return Caption(f"{state.side(plan.side).name}: dispatch to {state.side(plan.to).name}")

    def plan(self, state: CampaignState, action: WriteDispatch) -> WriteDispatch:
        """Return the dispatch with the receiver's id and the text on a single line.

        Raises Refused if the command may not write, or for an unknown receiver or an unusable text.
        """
        refuse(WRITING, (all(side.id != action.side for side in state.sides), "Only commands write dispatches."))
        why = "Your power shares what its commands see (the option knowledge): no dispatches are needed."
        refuse(cite("7.3"), (state.options.knowledge is Knowledge.SHARED, why))
        require_orders_open(state, action.side, WRITING)
        fellows = other_command_names(state, action.side)
        most = state.option_value(state.power_of(action.side).id, "dispatches")
        senders_today = [dispatch.sender for dispatch in state.dispatches if dispatch.day == state.turn]
        refuse(
            WRITING,
            (not fellows, "Your power has no other command to write to."),
            (not hexes_of_side(state, action.side), "You have no column on the map from which a rider could leave."),
            (senders_today.count(action.side) >= most, f"A command writes at most {most} dispatches a day."),
        )
        to = naming.resolve_name(action.to, fellows, "No other command of your power is called {}.")
        text = clean_text(action.text)
        too_long = f"A dispatch has at most {MOST_LETTERS} characters; this has {len(text)}. Shorten it."
        refuse(WRITING, (not text, "Write the text of the dispatch."), (len(text) > MOST_LETTERS, too_long))
        return action.model_copy(update={"to": to, "text": text})

    def resolve(self, play: CampaignPlay, plan: WriteDispatch) -> None:
        """Deliver the dispatch or hand it to a rider; report to the sender, and on delivery to the receiver."""
        state = play.state
        dispatch = Dispatch(
            day=state.turn,
            sender=plan.side,
            to=plan.to,
            text=plan.text,
            sightings=state.sightings.get(plan.side, {}) if plan.with_sightings else {},
        )
        at_once = can_deliver_at_once(state, plan.side, plan.to)
        if at_once:
            state, dispatch = deliver_dispatch(state, dispatch.model_copy(update={"is_confirmed": True}))
        else:
            avoids = tuple(sorted(hexes_to_avoid(state, plan.side)))
            rider = Rider(at=tuple(sorted(hexes_of_side(state, plan.side))), avoids=avoids)
            dispatch = dispatch.model_copy(update={"rider": rider})
        play.set(sightings=state.sightings, dispatches=sort_by_sender(state, (*state.dispatches, dispatch)))
        words = dispatch_in_words(board_of(state), dispatch)
        play.tell(
            headline=f"{state.side(plan.side):The} write to {state.side(plan.to):the}.",
            steps=(Step(text="Dispatch", cite=WRITING, verdict=words),),
            outcome="It arrives at once." if at_once else "Its rider sets out at the day's end.",
            audience=frozenset((plan.side, plan.to) if at_once else (plan.side,)),
        )


def other_command_names(state: CampaignState, command: str) -> Mapping[str, str]:
    """Return the names of the other commands of a command's power, by id."""
    commands = state.power_of(command).commands
    return {side.id: side.name for side in state.sides if side.id in commands and side.id != command}


def clean_text(text: str) -> str:
    """Return the text on a single line, without invisible characters."""
    return " ".join("".join(char if char.isprintable() else " " for char in text).split())


def sort_by_sender(state: CampaignState, dispatches: Iterable[Dispatch]) -> tuple[Dispatch, ...]:
    """Return dispatches sorted by sender. The order must not reveal when other commands wrote."""
    order = {side.id: place for place, side in enumerate(state.sides)}
    return tuple(sorted(dispatches, key=lambda dispatch: order[dispatch.sender]))


WRITE_DISPATCH = DispatchType()
