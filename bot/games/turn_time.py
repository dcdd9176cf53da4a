"""The time for a turn: when it ends, and when the clock is stopped."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from rules.core.model import Viewer

from .daily_end import DailyTurnEnd
from .missed_turns_setting import MissedTurnsSetting
from .quiet_hours import QuietHours

USUAL_DAYS_AWAY, MOST_DAYS_AWAY = 14, 60
"""Days for which one player's absences may hold up a game: the default, and the maximum."""


@dataclass(frozen=True)
class Clock:
    """The umpire's setting of a game's clock: the `hours` of each side's turn.

    With `daily_end`, the turn then lasts until the next fixed hour of the day. The absences of one player hold up
    the game for at most `days_away` days in all.
    """

    hours: int
    quiet: QuietHours | None = None
    daily_end: DailyTurnEnd | None = None
    days_away: int = USUAL_DAYS_AWAY
    after_missed: MissedTurnsSetting | None = None


@dataclass(frozen=True, order=True)
class ClockStop:
    """A period in which a clock is stopped, from `begins` to `ends`. If `ends` is None, the end is not known yet."""

    begins: datetime
    ends: datetime | None

    def covers(self, moment: datetime) -> bool:
        """Whether the clock is stopped at the moment."""
        return self.begins <= moment and (self.ends is None or moment < self.ends)


@dataclass(frozen=True)
class Deadline:
    """The time of a side's turn, from `began` to `ends`.

    The time began with the public entry number `since`. The side's clock is stopped during `stops`.
    """

    side: Viewer
    since: int
    began: datetime
    ends: datetime
    stops: tuple[ClockStop, ...] = ()

    def moment_after_share(self, share: float) -> datetime:
        """Return the moment at which `share` (0-1) of the allowed time has passed."""
        if share >= 1:
            return self.ends
        moment = add_running_time(self.began, running_time(self.began, self.ends, self.stops) * share, self.stops)
        return self.ends if moment is None else moment


def compute_deadline(
    began: datetime, hours: int, daily_end: DailyTurnEnd | None, stops: Sequence[ClockStop]
) -> datetime | None:
    """Return when the time of a turn ends, or None if a stop has no known end.

    The turn lasts `hours`, not counting stops, and then until the next fixed hour outside of stops.
    """
    end = add_running_time(began, timedelta(hours=hours), stops)
    while end is not None and daily_end is not None:
        end = daily_end.next_turn_end(end)
        stop = next((stop for stop in merge_stops(stops) if stop.covers(end)), None)
        if stop is None:
            break
        end = stop.ends
    return end


def add_running_time(moment: datetime, duration: timedelta, stops: Iterable[ClockStop]) -> datetime | None:
    """Return the moment at which `duration` has passed after `moment`, not counting stops.

    Return None if a stop before then has no known end.
    """
    for stop in merge_stops(stops):
        if stop.ends is not None and stop.ends <= moment:
            continue
        if stop.begins >= moment + duration:
            break
        duration -= max(stop.begins - moment, timedelta())
        if stop.ends is None:
            return None
        moment = max(moment, stop.ends)
    return moment + duration


def running_time(began: datetime, ends: datetime, stops: Iterable[ClockStop]) -> timedelta:
    """Return the time between two moments, not counting stops."""
    stopped_time = timedelta()
    for stop in merge_stops(stops):
        begin, end = max(stop.begins, began), ends if stop.ends is None else min(stop.ends, ends)
        stopped_time += max(end - begin, timedelta())
    return ends - began - stopped_time


def merge_stops(stops: Iterable[ClockStop]) -> tuple[ClockStop, ...]:
    """Return the stops in order of time, with overlapping or adjacent stops joined."""
    merged = list[ClockStop]()
    for stop in sorted(stops, key=lambda stop: stop.begins):
        last = merged[-1] if merged else None
        if last is None or (last.ends is not None and last.ends < stop.begins):
            merged.append(stop)
        elif last.ends is not None:
            ends = None if stop.ends is None else max(last.ends, stop.ends)
            merged[-1] = ClockStop(last.begins, ends)
    return tuple(merged)


def intersect_stops(first: Iterable[ClockStop], second: Iterable[ClockStop]) -> tuple[ClockStop, ...]:
    """Return the periods covered by stops of both sequences."""
    both = list[ClockStop]()
    for stop in merge_stops(first):
        for other in merge_stops(second):
            known_ends = [end for end in (stop.ends, other.ends) if end is not None]
            begins, ends = max(stop.begins, other.begins), min(known_ends) if known_ends else None
            if ends is None or begins < ends:
                both.append(ClockStop(begins, ends))
    return tuple(both)


def limit_absences(absences: Iterable[ClockStop], most: timedelta) -> tuple[ClockStop, ...]:
    """Return the absences in order of time, cut off where the total duration reaches `most`."""
    limited = list[ClockStop]()
    for absence in merge_stops(absences):
        allowed = absence.begins + most
        ends = allowed if absence.ends is None else min(absence.ends, allowed)
        if ends > absence.begins:
            limited.append(ClockStop(absence.begins, ends))
            most -= ends - absence.begins
    return tuple(limited)
