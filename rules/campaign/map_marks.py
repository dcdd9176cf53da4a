"""Marks on a campaign's map: points with their holders, battles, ordered marches, and the marches of the last day."""

from collections.abc import Iterable, Sequence
from itertools import zip_longest

from rules.core.hexboard.hex_scene import Course, HexNote, NoteKind, Track, TrackStop
from rules.core.hexboard.stacks import unit_hex
from rules.core.wording import count_of

from .forecast import ForecastStep, forecast_march
from .model import CampaignState, Point, PointKind
from .open_battles import battle_title


def map_notes(state: CampaignState) -> Iterable[HexNote]:
    """Yield a mark for each open battle and each point."""
    for battle in state.battles.values():
        words = f"{battle_title(state, battle)}, open since day {battle.day}"
        yield HexNote(hex=battle.at, kind=NoteKind.BATTLE, words=words, battle=battle.id if battle.columns else "")
    for point in state.points.values():
        side = state.power(point.holder).chief if point.holder else ""
        text, words = str(point.value or ""), point_in_words(state, point)
        yield HexNote(hex=point.at, kind=NoteKind.OBJECTIVE, text=text, side=side, words=words)


def point_in_words(state: CampaignState, point: Point) -> str:
    """Return a point with kinds, value and holder in words: `Tamai: town, well; 2 points, held by the Mahdists`."""
    kinds = ", ".join(kind for kind in PointKind if kind in point.kinds)
    worth = f"{count_of(point.value, 'point')}, " if point.value else ""
    holder = f"held by the {state.power(point.holder).name}" if point.holder else "held by nobody"
    return f"{point.name}: {kinds}; {worth}{holder}"


def march_tracks(state: CampaignState, before: CampaignState | None) -> Iterable[Track]:
    """Yield the marches of the day that ended since `before`; if no day ended, the marches ordered from now on."""
    if before is not None and before.turn < state.turn:
        yield from _tracks_of_last_day(state, before)
        return
    for column in state.columns:
        if column.orders.way:
            stops = tuple(_track_stops(forecast_march(state, column)))
            yield Course(hexes=(unit_hex(column), *column.orders.way), side=column.side, stops=stops)


def _track_stops(march: Sequence[ForecastStep]) -> Iterable[TrackStop]:
    """Yield the stops of a march: each hex with its impulse, and with the day if the column ends the day there."""
    for step, next_step in zip_longest(march, march[1:]):
        is_last = next_step is None or next_step.day != step.day
        yield TrackStop(hex=step.hex, time=str(step.impulse), rest=f"day {step.day}" if is_last else "")


def _tracks_of_last_day(state: CampaignState, before: CampaignState) -> Iterable[Track]:
    """Yield for each column its march, and an arrow from the march's end if the column then moved otherwise."""
    for column in state.columns:
        start = before.units[column.id].at if column.id in before.units else None
        if start is None:
            continue
        hexes = (start, *column.today.entered)
        if len(hexes) > 1:
            yield Track(hexes=hexes, kind="move", side=column.side)
        if hexes[-1] != column.at:
            went_back = column.today.stood is not None and column.today.met_enemies
            kind = "retreat" if went_back else "move"
            yield Track(hexes=(hexes[-1], unit_hex(column)), kind=kind, side=column.side)
