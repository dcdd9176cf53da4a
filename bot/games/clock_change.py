"""Changes of a game's clock, as the umpire types them, and the clock in words."""

from dataclasses import dataclass
from datetime import time
from enum import Enum

from bot.errors import UserError
from rules.core.typed_text import fold

from .after_missed import AfterMissed, parse_after_missed
from .daily_end import EVERY_DAY, DailyEnd, format_days, parse_days
from .hour_words import NOTHING, parse_hour, split_zone
from .quiet_hours import QuietHours, parse_quiet_hours
from .time_zones import Zone, zone_of
from .turn_time import Clock

LEAST_HOURS_TO_FIXED_HOUR = 12
"""Minimum hours of a turn if only a fixed hour was given."""
NO_CLOCK = "This game has no clock. The umpire sets one with /game clock hours:48 or at:20:00 zone:London."
NO_ZONE = "By whose clocks is that hour? Give zone as well, as zone:London."
NO_FIXED_HOUR = "Turns end at no fixed hour here: give at as well, as at:20:00."


class Unchanged(Enum):
    """The value of a setting that a change leaves alone."""

    UNCHANGED = "unchanged"


UNCHANGED = Unchanged.UNCHANGED


@dataclass(frozen=True)
class ClockChange:
    """What the umpire changes of a clock, as parsed values; a field that is UNCHANGED keeps its old value."""

    hours: int | Unchanged = UNCHANGED
    quiet: QuietHours | Unchanged | None = UNCHANGED
    at: time | Unchanged | None = UNCHANGED
    zone: Zone | Unchanged = UNCHANGED
    days: frozenset[int] | Unchanged = UNCHANGED
    days_away: int | Unchanged = UNCHANGED
    after_missed: AfterMissed | Unchanged | None = UNCHANGED

    def apply(self, before: Clock | None) -> Clock:
        """Return the changed clock. Raises UserError if there is none to change, or a fixed hour lacks its zone."""
        gives_hours = self.hours is not UNCHANGED and self.hours > 0
        if before is None and not (gives_hours or isinstance(self.at, time)):
            raise UserError(NO_CLOCK)
        old = before or Clock(LEAST_HOURS_TO_FIXED_HOUR)
        return Clock(
            hours=old.hours if self.hours is UNCHANGED else self.hours,
            quiet=old.quiet if self.quiet is UNCHANGED else self.quiet,
            daily_end=self._daily_end(old),
            days_away=old.days_away if self.days_away is UNCHANGED else self.days_away,
            after_missed=old.after_missed if self.after_missed is UNCHANGED else self.after_missed,
        )

    def _daily_end(self, old: Clock) -> DailyEnd | None:
        """Return the fixed hour after the change. Raises UserError if it lacks its zone, or days lack an hour."""
        before = old.daily_end
        kept = before.at if before else None
        at = kept if self.at is UNCHANGED else self.at
        if at is None:
            if self.at is UNCHANGED and (self.zone is not UNCHANGED or self.days is not UNCHANGED):
                raise UserError(NO_FIXED_HOUR)
            return None
        known = before.zone if before else old.quiet.zone if old.quiet else None
        zone = known if self.zone is UNCHANGED else self.zone
        if zone is None:
            raise UserError(NO_ZONE)
        usual = before.days if before else EVERY_DAY
        return DailyEnd(at, zone, usual if self.days is UNCHANGED else self.days)


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
    """Return the change that is meant; None keeps a setting. The zone may also stand behind the hour in `at`.

    Raises UserError, Refused for what cannot be read.
    """
    if at is not None and zone is None:
        at, behind = split_zone(at)
        zone = behind or None
    return ClockChange(
        hours=UNCHANGED if hours is None else hours,
        quiet=UNCHANGED if quiet is None else parse_quiet_hours(quiet),
        at=UNCHANGED if at is None else None if fold(at).strip().casefold() in NOTHING else parse_hour(at),
        zone=UNCHANGED if zone is None else zone_of(zone),
        days=UNCHANGED if days is None else parse_days(days),
        days_away=UNCHANGED if days_away is None else days_away,
        after_missed=UNCHANGED if missed is None else parse_after_missed(missed),
    )


def format_clock(clock: Clock) -> str:
    """Return `48 hours`, or `until 20:00 mon-fri Europe/London, at least 24 hours`."""
    if clock.daily_end is None:
        return format_hours(clock.hours)
    end = clock.daily_end
    days = "" if end.days == EVERY_DAY else f" {format_days(end.days)}"
    return f"until {end.at:%H:%M}{days} {end.zone.name}, at least {format_hours(clock.hours)}"


def format_hours(hours: int) -> str:
    """Return `1 hour` or `48 hours`."""
    return f"{hours} hour{'s' * (hours != 1)}"


def describe_clock(clock: Clock) -> str:
    """Return sentences about reminders, missed turns and absences, or an empty string for a stopped clock."""
    if not clock.hours:
        return ""
    but = f", not from {clock.quiet}" if clock.quiet else ""
    missed = f" {clock.after_missed.words}" if clock.after_missed else ""
    return f"Reminders come at half and at nine tenths of the time{but}.{missed} {describe_limit(clock)}"


def describe_limit(clock: Clock) -> str:
    """Return a sentence about how long absences hold up the game."""
    if not clock.days_away:
        return "No deadline waits for absent players."
    return f"Deadlines wait for a player's absence, {clock.days_away} day{'s' * (clock.days_away != 1)} in all at most."
