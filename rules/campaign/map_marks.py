"""Marks on a campaign's map: points with their holders, battles, ordered marches, and the marches of the last day."""

from collections.abc import Iterable
from itertools import zip_longest

from rules.core.hexboard.hex_scene import Course, HexNote, NoteKind, Track, TrackStop
from rules.core.hexboard.stacks import unit_hex
from rules.core.wording import count_of

from .forecast import forecast_march
from .model import CampaignState, PointKind
from .open_battles import battle_title


def map_notes(state: CampaignState) -> Iterable[HexNote]:
    """Yield a map mark for each open battle and each point."""
    for battle in state.battles.values():
        words = f"{battle_title(state, battle)}, open since day {battle.day}"
        yield HexNote(hex=battle.at, kind=NoteKind.BATTLE, words=words, battle=battle.id if battle.columns else "")
    for point in state.points.values():
        kinds = ", ".join(kind for kind in PointKind if kind in point.kinds)
        worth = f"{count_of(point.value, 'point')}, " if point.value else ""
        holder = state.power(point.holder) if point.holder else None
        holder_in_words = "nobody" if holder is None else f"the {holder.name}"
        yield HexNote(
            hex=point.at,
            kind=NoteKind.OBJECTIVE,
            text=str(point.value or ""),
            side="" if holder is None else holder.chief,
            words=f"{point.name}: {kinds}; {worth}held by {holder_in_words}",
        )


def march_tracks(state: CampaignState, before: CampaignState | None) -> Iterable[Track]:
    """Yield the marches of the day that ended since `before`; if no day ended, the marches now ordered."""
    if before is not None and before.turn < state.turn:
        yield from _tracks_of_last_day(state, before)
        return
    for column in state.columns:
        if column.orders.way:
            march, stops = forecast_march(state, column), []
            for step, next_step in zip_longest(march, march[1:]):
                ends_day = next_step is None or next_step.day != step.day
                rest = f"day {step.day}" if ends_day else ""
                stops.append(TrackStop(hex=step.hex, time=str(step.impulse), rest=rest))
            yield Course(hexes=(unit_hex(column), *column.orders.way), side=column.side, stops=tuple(stops))


def _tracks_of_last_day(state: CampaignState, before: CampaignState) -> Iterable[Track]:
    """Yield each column's march, and an arrow from its end if the column then moved on or went back."""
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
