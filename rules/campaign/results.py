"""The umpire's word on how a battle ended: who held the field, and what each unit lost (CA-6.5)."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from typing_extensions import override

from rules.core import naming
from rules.core.action_type import ActionType, Caption
from rules.core.model import UMPIRE, Viewer
from rules.core.refusal import Refused, refuse
from rules.core.state import Action
from rules.core.typed_text import fold

from .battles import Result, end_battle
from .day import finish_day
from .ground import board_of
from .model import Battle, CampaignPlay, CampaignState, Column, Troops
from .telling import cite

ENTERED = cite("6.5")
NOBODY = "nobody"
LOSS = re.compile(r"(?P<name>.*\S)\s*:?\s+(?P<figures>\d{1,4}|all)", re.IGNORECASE)
"""A unit with the figures that it lost: `Gordons 7`, `Black Watch: all`."""
BETWEEN = re.compile(r"(?:(?<=\d)|(?<=\ball))\s*,|[;\n]+", re.IGNORECASE)
MOST_LETTERS = 2000


class BattleResult(Action):
    """The end of a battle: its place, the power that held the `field` (or nobody), and losses by unit."""

    umpire_only = True
    by_unit = False

    battle: str
    field: str
    lost: str = ""
    """Units with the figures that they lost: `Gordons 7, Artega of El Teb all`."""


@dataclass(frozen=True)
class ResultPlan:
    """A settled result of a battle."""

    battle: Battle
    result: Result


class BattleResultType(ActionType[CampaignState, BattleResult, ResultPlan]):
    """The result of a battle as the umpire enters it (CA-6.5)."""

    action = BattleResult

    @override
    def side(self, state: CampaignState, action: BattleResult) -> Viewer:
        """Return the umpire."""
        return UMPIRE

    def suggest_actions(self, state: CampaignState) -> Iterable[BattleResult]:
        """Yield, for each battle, that either power or nobody held the field, without losses."""
        for battle in state.battles.values():
            for field in (*(power.name for power in state.powers), NOBODY):
                yield BattleResult(battle=battle.at.label, field=field)

    def plan(self, state: CampaignState, action: BattleResult) -> ResultPlan:
        """Return the settled result. Raises Refused for an unknown battle, power or unit, or too great a loss."""
        battle = find_battle(state, action.battle)
        powers = {power.id: power.name for power in state.powers} | {"": NOBODY}
        field = naming.resolve(action.field, powers, "Nobody is called {}. Who held the field?")
        columns = [state.unit(one) for one in battle.columns if one in state.units]
        lost = _read_losses(columns, action.lost)
        return ResultPlan(battle, Result(field=field, lost=lost))

    def caption(self, state: CampaignState, plan: ResultPlan) -> Caption:
        """Return a caption such as `Battle in 2318 (El Teb): the British held the field`."""
        names = {power.id: f"the {power.name}" for power in state.powers} | {"": NOBODY}
        return Caption(f"Battle in {board_of(state).title(plan.battle.at)}: {names[plan.result.field]} held the field")

    def resolve(self, play: CampaignPlay, plan: ResultPlan) -> None:
        """Take the losses off, and send the losers back."""
        headline = f"{self.caption(play.state, plan)}."
        was_last = play.state.waits_for_battles
        end_battle(play, plan.battle, plan.result)
        if was_last:
            finish_day(play)
        elif not play.state.acting_sides:
            play.set(done=())  # else nobody is left who could end the day
        play.tell(headline=headline)


def find_battle(state: CampaignState, place: str) -> Battle:
    """Return the open battle in a named hex; the only one without a name. Raises Refused."""
    board = board_of(state)
    open_ = ", ".join(board.title(battle.at) for battle in state.battles.values()) or "none"
    refuse(ENTERED, (not state.battles, "No battle is open."))
    if not place and len(state.battles) == 1:
        return next(iter(state.battles.values()))
    refuse(ENTERED, (not place, f"Name the battle. These are open: {open_}."))
    hex_ = board.hexes_named(place)[-1]
    found = state.battle_in(hex_)
    if found is None:
        raise Refused(f"No battle is open in {board.title(hex_)}. Open are: {open_}.", ENTERED)
    return found


def write_losses(state: CampaignState, result: Result) -> str:
    """Return the losses of a result as they are typed: `Gordons 7; Artega of El Teb 12`."""
    lost = [
        f"{unit.name} {figures}"
        for column, losses in result.lost.items()
        for unit, figures in zip(state.unit(column).troops, losses, strict=True)
        if figures
    ]
    return "; ".join(lost)


def _read_losses(columns: Sequence[Column], text: str) -> Mapping[str, tuple[int, ...]]:
    """Return the losses of each unit by column. Raises Refused."""
    refuse(ENTERED, (len(text) > MOST_LETTERS, f"Losses have at most {MOST_LETTERS} characters."))
    units = {f"{column.id}/{place}": unit for column in columns for place, unit in enumerate(column.troops)}
    names = {key: unit.name for key, unit in units.items()}
    lost: dict[str, int] = {}
    for said in filter(None, (part.strip() for part in BETWEEN.split(fold(text)))):
        found = LOSS.fullmatch(said)
        if found is None:
            raise Refused(f"“{said[:40]}” is no loss. Write the unit and its figures: Gordons 7.", ENTERED)
        key = naming.resolve(found["name"], names, "No unit of this battle is called {}.")
        refuse(ENTERED, (key in lost, f"{names[key]} appears twice."))
        lost[key] = _figures(units[key], found["figures"])
    return {
        column.id: tuple(lost.get(f"{column.id}/{place}", 0) for place in range(len(column.troops)))
        for column in columns
    }


def _figures(unit: Troops, said: str) -> int:
    figures = unit.figures if said.casefold() == "all" else int(said)
    refuse(ENTERED, (figures > unit.figures, f"{unit.name} had {unit.figures} figures. Give its losses anew."))
    return figures


BATTLE_RESULT = BattleResultType()
