"""Results of battles as the umpire enters them: who held the field, and each unit's losses (CA-6.5)."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from typing_extensions import override

from rules.core import naming
from rules.core.action_type import ActionType, Caption
from rules.core.model import UMPIRE, Viewer
from rules.core.refusal import Refused, refuse
from rules.core.state import Action
from rules.core.typed_text import normalize_text, simplify_signs

from .battles import BattleOutcome, end_battle
from .columns import Column, ColumnUnit
from .day import finish_day
from .file_faults import SEPARATORS
from .ground import board_of
from .model import Battle, CampaignPlay, CampaignState
from .telling import cite

ENTERED = cite("6.5")
NOBODY = "nobody"
LOSS_PATTERN = re.compile(r"(?P<name>.*\S)\s*:?\s+(?P<figures>\d{1,4}|all)", re.IGNORECASE)
"""A unit with its losses in figures: `Gordons 7`, `Black Watch: all`."""
BETWEEN = re.compile(r"(?:(?<=\d)|(?<=\ball))\s*,|[;\n]+", re.IGNORECASE)
MOST_FAULTS = 8
"""Maximum number of faults in one refusal of a result."""
MOST_LETTERS = 40_000
"""Maximum number of characters of losses, enough for the largest campaign; forms and options take less."""


class BattleResult(Action):
    """End a battle: name its place, the power that held the `field` (or nobody), and losses by unit."""

    umpire_only = True
    is_unit_action = False

    battle: str
    field: str
    lost: str = ""
    """Units with their losses in figures: `Gordons 7, Artega of El Teb all`."""


@dataclass(frozen=True)
class ResultPlan:
    """A battle with its checked result."""

    battle: Battle
    result: BattleOutcome


class BattleResultType(ActionType[CampaignState, BattleResult, ResultPlan]):
    """Action type of entering a battle's result (CA-6.5)."""

    action = BattleResult

    @override
    def side(self, state: CampaignState, action: BattleResult) -> Viewer:
        """Return the umpire."""
        return UMPIRE

    def suggest_actions(self, state: CampaignState) -> Iterable[BattleResult]:
        """Yield results without losses for each battle: either power held the field, or nobody did."""
        for battle in state.battles.values():
            for field in (*(power.name for power in state.powers), NOBODY):
                yield BattleResult(battle=battle.at.label, field=field)

    def plan(self, state: CampaignState, action: BattleResult) -> ResultPlan:
        """Return the checked result. Raises Refused for an unknown battle, power or unit, or for too many losses."""
        battle = find_open_battle(state, action.battle)
        powers = {power.id: power.name for power in state.powers} | {"": NOBODY}
        field = naming.resolve_name(action.field, powers, "Nobody is called {}. Who held the field?")
        columns = [state.unit(column_id) for column_id in battle.columns if column_id in state.units]
        return ResultPlan(battle, BattleOutcome(field=field, lost=_read_losses(columns, action.lost)))

    def caption(self, state: CampaignState, plan: ResultPlan) -> Caption:
        """Return a caption such as `Battle in 2318 (El Teb): the British held the field`."""
        names = {power.id: f"the {power.name}" for power in state.powers} | {"": NOBODY}
        return Caption(f"Battle in {board_of(state).title(plan.battle.at)}: {names[plan.result.field]} held the field")

    def resolve(self, play: CampaignPlay, plan: ResultPlan) -> None:
        """End the battle: subtract the losses, and move the losers back."""
        headline = f"{self.caption(play.state, plan)}."
        was_last = play.state.waits_for_battles
        end_battle(play, plan.battle, plan.result)
        if was_last:
            finish_day(play)
        elif not play.state.acting_sides:
            play.set(done=())  # else nobody is left who could end the day
        play.tell(headline=headline)


def find_open_battle(state: CampaignState, place: str) -> Battle:
    """Return the open battle in a named hex; without a name, the only battle. Raises Refused if there is none."""
    board = board_of(state)
    open_ = ", ".join(board.title(battle.at) for battle in state.battles.values()) or "none"
    refuse(ENTERED, (not state.battles, "No battle is open."))
    if not place and len(state.battles) == 1:
        return next(iter(state.battles.values()))
    refuse(ENTERED, (not place, f"Name the battle. These are open: {open_}."))
    hex_ = board.parse_hexes(place)[-1]
    open_battle = state.battle_in(hex_)
    if open_battle is None:
        raise Refused(f"No battle is open in {board.title(hex_)}. Open are: {open_}.", ENTERED)
    return open_battle


def losses_in_words(state: CampaignState, result: BattleOutcome) -> str:
    """Return a result's losses as users type them: `Gordons 7; Artega of El Teb 12`."""
    names = unit_names_by_key([state.unit(column) for column in result.lost])
    losses = {_unit_key(column, place): loss for column, row in result.lost.items() for place, loss in enumerate(row)}
    return "; ".join(f"{names[key]} {loss}" for key, loss in losses.items() if loss)


def unit_names_by_key(columns: Sequence[Column]) -> Mapping[str, str]:
    """Return the name of each unit in a list of losses, by unit key.

    The key replaces a name that several units share or that contains a separator.
    """
    units = _units_by_key(columns)
    counts = Counter(normalize_text(unit.name) for unit in units.values())
    return {
        key: key if counts[normalize_text(unit.name)] > 1 or {*unit.name} & {*SEPARATORS} else unit.name
        for key, unit in units.items()
    }


def _units_by_key(columns: Sequence[Column]) -> Mapping[str, ColumnUnit]:
    return {_unit_key(column.id, place): unit for column in columns for place, unit in enumerate(column.troops)}


def _unit_key(column: str, place: int) -> str:
    """Return the key of a column's unit with the index `place`: `graham-s-column/3`."""
    return f"{column}/{place}"


def _read_losses(columns: Sequence[Column], text: str) -> Mapping[str, tuple[int, ...]]:
    """Return the losses written in `text`, one number for each unit, by column id. Raises Refused with all faults."""
    refuse(ENTERED, (len(text) > MOST_LETTERS, f"Losses have at most {MOST_LETTERS} characters."))
    units = _units_by_key(columns)
    names = {key: unit.name for key, unit in units.items()}
    losses, faults = dict[str, int](), list[str]()
    for phrase in filter(None, (" ".join(part.split()) for part in BETWEEN.split(simplify_signs(text)))):
        try:
            key, figures = _read_loss(units, names, phrase)
            refuse(ENTERED, (key in losses, f"{names[key]} appears twice."))
            losses[key] = figures
        except Refused as error:
            faults.append(error.why)
    if faults:
        ending = [f"And {len(faults) - MOST_FAULTS} faults more."] if len(faults) > MOST_FAULTS else []
        raise Refused(" ".join([*faults[:MOST_FAULTS], *ending]), ENTERED)
    return {
        column.id: tuple(losses.get(_unit_key(column.id, place), 0) for place in range(len(column.troops)))
        for column in columns
    }


def _read_loss(units: Mapping[str, ColumnUnit], names: Mapping[str, str], phrase: str) -> tuple[str, int]:
    """Return a unit's key and its losses in figures, read from `phrase`. Raises Refused for other words."""
    match = LOSS_PATTERN.fullmatch(phrase)
    if match is None:
        raise Refused(f"“{phrase[:40]}” is no loss. Write the unit and its figures: Gordons 7.", ENTERED)
    key = naming.resolve_name(match["name"], names, "No unit of this battle is called {}.")
    unit = units[key]
    figures = unit.figures if match["figures"].casefold() == "all" else int(match["figures"])
    refuse(ENTERED, (figures > unit.figures, f"{unit.name} had {unit.figures} figures, and cannot lose {figures}."))
    return key, figures


BATTLE_RESULT = BattleResultType()
