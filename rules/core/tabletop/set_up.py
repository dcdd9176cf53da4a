"""The set-up of a battle: units are put anywhere, moved and taken off freely, until the battle begins."""

from collections.abc import Callable, Collection, Iterable
from typing import Any, TypeVar

from pydantic import ValidationError
from pydantic_core import to_json
from typing_extensions import override

from rules.core.action_type import ActionType, SimpleType
from rules.core.faults import Fault
from rules.core.model import UMPIRE, Viewer
from rules.core.play import Play
from rules.core.refusal import Refused
from rules.core.report import Offer, Prompt, Report
from rules.core.state import Action
from rules.core.umpire import BY_UMPIRE, UmpireActionType, UmpireTools, umpire_step
from rules.core.unit_lookup import find_unit

from . import battle_reader, separate_overlaps
from .battle import TableState
from .battle_files import BattleFile
from .battle_writer import to_file_data
from .hidden_units import Hide, Unhide, hide_units, hiding_types, in_secret
from .marker_types import MARKER_KINDS, marker_types
from .positions import IN_SET_UP

S = TypeVar("S", bound=TableState[Any])

AT = "at"
"""Field of a battle file that holds a unit's place."""
NOT_NOW = "The battle has begun: /move moves units now, and the umpire corrects with /umpire set."
NOT_YET = "The battle has not begun. Put units where they are to stand with /move; /turn next begins it."
NOT_YET_UNPLACED = f"The battle has not begun. {IN_SET_UP}"


class Deploy(Action):
    """Puts a unit anywhere on the table, before the battle begins."""

    by_unit = False

    unit: str
    to: str


class TakeOff(Action):
    """Takes a unit off again, before the battle begins."""

    by_unit = False

    unit: str


class Begin(Action):
    """Ends the set-up: the battle begins."""

    by_unit = False


SET_UP_KINDS = (Deploy.kind, TakeOff.kind, Begin.kind, Hide.kind, Unhide.kind, "muster", *MARKER_KINDS)
MEANT = {"move": Deploy.kind, "remove_unit": TakeOff.kind, "turn_next": Begin.kind}
"""Set-up actions replacing battle commands."""


class OfSetUp(UmpireActionType[S]):
    """What each side does with its own units before the battle begins. It throws nothing."""

    @override
    def side(self, state: S, action: Action) -> Viewer:
        """Return the unit's."""
        return str(find_unit(state, action.unit).side)

    @override
    def plan(self, state: S, action: Action) -> tuple[S, Report]:
        """As by hand. Raises Refused once the battle has begun."""
        if state.setting_up is None:
            raise Refused(NOT_NOW)
        return super().plan(state, action)


class BeginType(SimpleType[S, Begin]):
    """The battle begins, where nothing is wrong with the table."""

    action = Begin
    says = "Begin the battle"

    def __init__(self, file_type: type[BattleFile[Any, Any]], opened: Callable[[S], S]) -> None:
        """`opened` is the table as its first turn begins."""
        self._file_type = file_type
        self._opened = opened

    @override
    def side(self, state: S, action: Begin) -> Viewer:
        """Return the umpire's."""
        return UMPIRE

    @override
    def check(self, state: S, action: Begin) -> None:
        """Raises Refused with everything that is wrong with the table."""
        if state.setting_up is None:
            raise Refused(NOT_NOW)
        if faults := list(self.faults(self._parted(state)[0])):
            said = "\n".join(f"- {fault}." for fault in faults)
            raise Refused(f"The battle cannot begin yet:\n{said}")

    def faults(self, state: S) -> Iterable[str]:
        """Yield faults of the table: sides without units, and all faults of its file."""
        for side in state.sides:
            if not state.of_side(side.id):
                yield f"{side:the} have no units: /unit add puts one on"
        data = to_file_data(self._file_type, state, state.scenario, state.title or state.scenario, "")
        try:
            file = self._file_type.model_validate_json(to_json(data))
        except ValidationError as error:
            errors = error.errors(include_url=False, include_input=False)
            yield from (why for _, why in battle_reader.reader_of(self._file_type).shape_faults(errors))
            return
        yield from _fault_texts(file.list_faults(), state) or _fault_texts(file.table_faults(), state)

    def _parted(self, state: S) -> tuple[S, tuple[separate_overlaps.Parted, ...]]:
        """Return the state with overlapping units moved apart, and which; unchanged unless the set-up is secret."""
        return separate_overlaps.separate(self._file_type.ways, state) if in_secret(state) else (state, ())

    @override
    def resolve(self, play: Play[S], plan: Begin) -> None:
        """Open the first turn by the units that everyone knows of: a unit in ambush holds no phase open."""
        stands, moved = self._parted(play.state)
        ambush = () if stands.setting_up is None else stands.setting_up.in_ambush
        play.state = self._opened(hide_units(stands, ambush).model_copy(update={"setting_up": None}))
        play.note("Starting positions are fixed", BY_UMPIRE)
        play.say(*separate_overlaps.report_steps(stands, moved))
        play.tell(headline=f"The battle begins. {play.state.turn_title}.")


def _fault_texts(faults: Iterable[Fault], state: TableState[Any]) -> tuple[str, ...]:
    """Return the texts of the faults; without positions, omit faults of places."""
    return tuple(fault.what for fault in faults if state.keeps_positions or fault.place[-1:] != (AT,))


def set_up_types(
    tools: UmpireTools[S],
    file_type: type[BattleFile[Any, Any]],
    opened: Callable[[S], S] = lambda state: state,
    markers_move_in: Collection[str] = (),
) -> tuple[ActionType[Any, Any, Any], ...]:
    """Return the action types of a system's set-up and of hiding units; markers move in those phases, or in all."""

    def deploy(state: S, action: Deploy) -> tuple[S, Report]:
        unit = find_unit(state, action.unit)
        after, change = tools.put_unit(state, unit.id, action.to)
        told = umpire_step(change)
        return after, Report(headline=f"{unit:are} put on the table.", steps=(told,), units=(unit.id,), side=unit.side)

    def take_off(state: S, action: TakeOff) -> tuple[S, Report]:
        unit = find_unit(state, action.unit)
        told = f"{unit:are} taken off the table"
        step = umpire_step(told, in_headline=True)
        return tools.remove(state, unit.id), Report(headline=f"{told}.", steps=(step,), side=unit.side)

    begin = BeginType(file_type, opened)
    hidden = (*hiding_types(tools, file_type.ways), *marker_types(file_type.ways, markers_move_in))
    return OfSetUp(Deploy, deploy), OfSetUp(TakeOff, take_off), begin, *hidden


BEGINS = Prompt(
    key=Begin.kind,
    unit="",
    side=UMPIRE,
    text="Set-up: place and move units freely. The umpire starts the battle.",
    cite=BY_UMPIRE,
    offers=(Offer(label=BeginType.says, kind=Begin.kind, side=UMPIRE, key=Begin.kind),),
    required=False,
)
"""Prompt shown during set-up."""
