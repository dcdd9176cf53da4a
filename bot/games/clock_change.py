"""Changes of a game's clock, as the umpire types them, and the clock in words."""

from collections.abc import Callable
from datetime import time
from typing import Any, TypedDict, cast

from bot.errors import UserError
from rules.core.typed_text import simplify_signs

from .daily_end import EVERY_DAY, DailyTurnEnd, format_days, parse_days
from .hour_words import NOTHING, parse_hour, split_zone
from .missed_turns_setting import MissedTurnsSetting, parse_missed_turns_setting
from .quiet_hours import QuietHours, parse_quiet_hours
from .time_zones import Zone, parse_zone
from .turn_time import Clock

LEAST_HOURS_TO_FIXED_HOUR = 12
"""Minimum hours of a turn if the umpire gives only a fixed hour."""
NO_CLOCK = "This game has no clock. The umpire sets one with /game clock hours:48 or at:20:00 zone:London."
NO_ZONE = "By whose clocks is that hour? Give zone as well, as zone:London."
NO_FIXED_HOUR = "Turns end at no fixed hour here: give at as well, as at:20:00."


class ClockChange(TypedDict, total=False):
    """The umpire's change of a clock, as parsed values. An omitted setting stays unchanged."""

    hours: int
    quiet: QuietHours | None
    at: time | None
    zone: Zone
    days: frozenset[int]
    days_away: int
    after_missed: MissedTurnsSetting | None


def apply_clock_change(before: Clock | None, change: ClockChange) -> Clock:
    """Return the changed clock. Raises UserError without a clock to change, or for a fixed hour without a time zone."""
    if before is None and change.get("hours", 0) <= 0 and change.get("at") is None:
        raise UserError(NO_CLOCK)
    old = before or Clock(LEAST_HOURS_TO_FIXED_HOUR)
    return Clock(
        hours=change.get("hours", old.hours),
        quiet=change.get("quiet", old.quiet),
        daily_end=_change_daily_end(old, change),
        days_away=change.get("days_away", old.days_away),
        after_missed=change.get("after_missed", old.after_missed),
    )


def _change_daily_end(old: Clock, change: ClockChange) -> DailyTurnEnd | None:
    """Return the changed fixed hour. Raises UserError for an hour without a zone, or days without an hour."""
    before = old.daily_end
    at = change.get("at", before.at if before else None)
    if at is None:
        if "at" not in change and ("zone" in change or "days" in change):
            raise UserError(NO_FIXED_HOUR)
        return None
    zone = change.get("zone", before.zone if before else old.quiet.zone if old.quiet else None)
    if zone is None:
        raise UserError(NO_ZONE)
    return DailyTurnEnd(at, zone, change.get("days", before.days if before else EVERY_DAY))


def parse_clock_change(
    *,
    hours: int | None = None,
    quiet: str | None = None,
    at: str | None = None,
    zone: str | None = None,
    days: str | None = None,
    days_away: int | None = None,
    missed: str | None = None,
) -> ClockChange:
    """Parse the typed settings of a clock. A setting that is None stays unchanged.

    If `zone` is None, a time zone may follow the hour in `at`. Raises UserError, Refused.
    """
    if at is not None and zone is None:
        at, behind = split_zone(at)
        zone = behind or None
    settings: dict[str, tuple[Any, Callable[[Any], Any]]] = {
        "hours": (hours, int),
        "quiet": (quiet, parse_quiet_hours),
        "at": (at, _parse_fixed_hour),
        "zone": (zone, parse_zone),
        "days": (days, parse_days),
        "days_away": (days_away, int),
        "after_missed": (missed, parse_missed_turns_setting),
    }
    return cast(ClockChange, {name: parse(words) for name, (words, parse) in settings.items() if words is not None})


def _parse_fixed_hour(words: str) -> time | None:
    return None if simplify_signs(words).strip().casefold() in NOTHING else parse_hour(words)


def format_turn_time(clock: Clock) -> str:
    """Return the time for a turn: `48 hours`, or `until 20:00 mon-fri Europe/London, at least 24 hours`."""
    if clock.daily_end is None:
        return format_hours(clock.hours)
    end = clock.daily_end
    days = "" if end.days == EVERY_DAY else f" {format_days(end.days)}"
    return f"until {end.at:%H:%M}{days} {end.zone.name}, at least {format_hours(clock.hours)}"


def format_hours(hours: int) -> str:
    """Return a number of hours in words: `1 hour`, `48 hours`."""
    return f"{hours} hour{'s' * (hours != 1)}"


def describe_clock_settings(clock: Clock) -> str:
    """Return sentences about reminders, missed turns and absences, or an empty string for a stopped clock."""
    if not clock.hours:
        return ""
    but = f", not from {clock.quiet}" if clock.quiet else ""
    missed = f" {clock.after_missed.description}" if clock.after_missed else ""
    return f"Reminders come at half and at nine tenths of the time{but}.{missed} {describe_absence_limit(clock)}"


def describe_absence_limit(clock: Clock) -> str:
    """Return a sentence about how long absences hold up the game."""
    if not clock.days_away:
        return "No deadline waits for absent players."
    return f"Deadlines wait for a player's absence, {clock.days_away} day{'s' * (clock.days_away != 1)} in all at most."
