"""The set-up of a battle: units may be put anywhere, moved and taken off until the battle begins."""

from collections.abc import Callable, Collection, Iterable
from typing import Any

from pydantic import ValidationError
from pydantic_core import to_json
from typing_extensions import override

from rules.core.action_type import ActionType, SimpleType
from rules.core.data_files import ScenarioFiles
from rules.core.faults import Fault
from rules.core.model import UMPIRE, Viewer
from rules.core.play import Play
from rules.core.refusal import Refused
from rules.core.report import Offer, Prompt, Report
from rules.core.state import Action
from rules.core.umpire import BY_UMPIRE, UmpireActionType, UmpireTools, umpire_step
from rules.core.unit_lookup import find_unit

from . import battle_reader, separate_overlaps
from .battle import S, TableState
from .battle_files import BattleFile
from .battle_writer import table_as_file_data
from .hidden_units import Hide, Unhide, hide_units, is_secret_set_up, make_hiding_types
from .lay_out import make_lay_out_types
from .marker_types import MARKER_KINDS, make_marker_types
from .positions import IN_SET_UP
from .terrain import TERRAIN_TYPES

AT = "at"
"""Field of a battle file for a unit's place."""
NOT_NOW = "The battle has begun: /move moves units now, and the umpire corrects with /umpire set."
NOT_YET = "The battle has not begun. Put units where they are to stand with /move; /turn next begins it."
NOT_YET_UNPLACED = f"The battle has not begun. {IN_SET_UP}"


class Deploy(Action):
    """Put a unit anywhere on the table, before the battle begins."""

    is_unit_action = False

    unit: str
    to: str


class TakeOff(Action):
    """Take a unit off the table, before the battle begins."""

    is_unit_action = False

    unit: str


class Begin(Action):
    """End the set-up and begin the battle."""

    is_unit_action = False


SET_UP_KINDS = (Deploy.kind, TakeOff.kind, Begin.kind, Hide.kind, Unhide.kind, "muster", *MARKER_KINDS)
"""Kinds of action allowed during the set-up."""
SET_UP_COMMANDS = {"move": Deploy.kind, "remove_unit": TakeOff.kind, "turn_next": Begin.kind}
"""The kind of set-up action that replaces each kind of battle action during the set-up."""


class ManualSetUpType(UmpireActionType[S]):
    """Type of set-up actions: each side moves its own units, without dice."""

    @override
    def side(self, state: S, action: Action) -> Viewer:
        """Return the unit's side."""
        return str(find_unit(state, action.unit).side)

    @override
    def plan(self, state: S, action: Action) -> tuple[S, Report]:
        """Return the state after the action, and the report. Raises Refused once the battle has begun."""
        if state.setting_up is None:
            raise Refused(NOT_NOW)
        return super().plan(state, action)


class BeginType(SimpleType[S, Begin]):
    """Type of the action that begins the battle, if the table has no faults."""

    action = Begin
    says = "Begin the battle"

    def __init__(self, file_type: type[BattleFile[Any, Any]], open_first_turn: Callable[[S], S]) -> None:
        """Create the type. `open_first_turn` returns the state in its first turn; `file_type` checks the table."""
        self._file_type = file_type
        self._open_first_turn = open_first_turn

    @override
    def side(self, state: S, action: Begin) -> Viewer:
        """Return the umpire, who alone begins a battle."""
        return UMPIRE

    @override
    def check(self, state: S, action: Begin) -> None:
        """Raise Refused with all faults of the table, or if the battle has begun."""
        if state.setting_up is None:
            raise Refused(NOT_NOW)
        if faults := list(self.faults(self._separate_enemies(state)[0])):
            lines = "\n".join(f"- {fault}." for fault in faults)
            raise Refused(f"Before the battle can begin:\n{lines}")

    def faults(self, state: S) -> Iterable[str]:
        """Yield in words which sides have no units, and which faults a battle file of the table would have."""
        for side in state.sides:
            if not state.units_of(side.id):
                yield f"{side:the} have no units: /unit add puts one on"
        data = table_as_file_data(self._file_type, state, state.scenario, state.title or state.scenario, "")
        try:
            file = self._file_type.model_validate_json(to_json(data))
        except ValidationError as error:
            errors = error.errors(include_url=False, include_input=False)
            yield from (why for _, why in battle_reader.make_document_reader(self._file_type).schema_faults(errors))
            return
        yield from _fault_texts(file.entry_faults(), state) or _fault_texts(file.table_faults(), state)

    def _separate_enemies(self, state: S) -> tuple[S, tuple[separate_overlaps.Separation, ...]]:
        """Separate enemies that overlap after a secret set-up. Return the state and the separations."""
        return (
            separate_overlaps.separate_enemies(self._file_type.ways, state) if is_secret_set_up(state) else (state, ())
        )

    @override
    def resolve(self, play: Play[S], plan: Begin) -> None:
        """Fix the starting positions and open the first turn.

        Ambushes are hidden first, because no phase may wait for a unit that other sides do not know.
        """
        separated, moved = self._separate_enemies(play.state)
        ambush = () if separated.setting_up is None else separated.setting_up.in_ambush
        play.state = self._open_first_turn(hide_units(separated, ambush).model_copy(update={"setting_up": None}))
        play.note("Starting positions are fixed", BY_UMPIRE)
        play.say(*separate_overlaps.report_separations(separated, moved))
        play.tell(headline=f"The battle begins. {play.state.turn_title}.")


def _fault_texts(faults: Iterable[Fault], state: TableState[Any]) -> tuple[str, ...]:
    """Return the texts of the faults. In games without positions, leave out faults of places."""
    return tuple(fault.what for fault in faults if state.keeps_positions or fault.place[-1:] != (AT,))


def make_action_types(
    tools: UmpireTools[S],
    battles: ScenarioFiles[Any],
    open_first_turn: Callable[[S], S] = lambda state: state,
    markers_move_in: Collection[str] = (),
) -> tuple[ActionType[Any, Any, Any], ...]:
    """Return the action types that all table systems share.

    `open_first_turn` returns the state in its first turn. Markers move only in the phases `markers_move_in`, or in
    all phases if it is empty.
    """

    def deploy(state: S, action: Deploy) -> tuple[S, Report]:
        unit = find_unit(state, action.unit)
        after, change = tools.put_unit(state, unit.id, action.to)
        step = umpire_step(change)
        return after, Report(headline=f"{unit:are} put on the table.", steps=(step,), units=(unit.id,), side=unit.side)

    def take_off(state: S, action: TakeOff) -> tuple[S, Report]:
        unit = find_unit(state, action.unit)
        change = f"{unit:are} taken off the table"
        step = umpire_step(change, in_headline=True)
        return tools.remove_unit(state, unit.id), Report(headline=f"{change}.", steps=(step,), side=unit.side)

    ways = battles.file_type.ways
    return (
        *tools.action_types,
        *TERRAIN_TYPES,
        *make_lay_out_types(battles),
        *(ManualSetUpType(Deploy, deploy), ManualSetUpType(TakeOff, take_off)),
        BeginType(battles.file_type, open_first_turn),
        *make_hiding_types(tools, ways),
        *make_marker_types(ways, markers_move_in),
    )


BEGIN_PROMPT = Prompt(
    key=Begin.kind,
    unit="",
    side=UMPIRE,
    text="Set-up: place and move units freely. The umpire starts the battle.",
    cite=BY_UMPIRE,
    offers=(Offer(label=BeginType.says, kind=Begin.kind, side=UMPIRE, key=Begin.kind),),
    required=False,
)
"""The prompt during the set-up, with a button that begins the battle."""
