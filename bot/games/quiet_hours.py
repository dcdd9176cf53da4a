"""Quiet hours: daily hours in one time zone during which no reminders are sent."""

import re
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from bot.errors import UserError
from rules.core import naming

USUAL_ZONE = "UTC"
HOW = "Write quiet hours as 22-7 Europe/Berlin or 23:30-8 UTC, or none."
WORDS = re.compile(r"(\d{1,2})(?::(\d\d))?\s*(?:-|–|to)\s*(\d{1,2})(?::(\d\d))?(?:\s+(\S+))?")


@dataclass(frozen=True)
class QuietHours:
    """Daily hours from `begin` to `end` in a time zone; past midnight if `end` is before `begin`."""

    begin: time
    end: time
    zone: ZoneInfo

    def postpone(self, moment: datetime) -> datetime:
        """Return `moment`, or the end of the quiet hours if `moment` falls within quiet hours."""
        here = moment.astimezone(self.zone)
        now, tonight = here.time(), self.begin > self.end and here.time() >= self.begin
        if not (tonight or (now < self.end and (self.begin > self.end or now >= self.begin))):
            return moment
        day = here.date() + timedelta(days=1) if tonight else here.date()
        ends = (datetime.combine(day, self.end.replace(fold=fold), self.zone).astimezone(UTC) for fold in (0, 1))
        return max(moment, *ends)

    def __str__(self) -> str:
        """Return the setting as typed, such as `22-7 Europe/Berlin`."""
        return f"{_hour(self.begin)}-{_hour(self.end)} {self.zone.key}"


def parse_quiet_hours(words: str) -> QuietHours | None:
    """Parse typed quiet hours; None for `none`. Raises UserError for a wrong form, Refused for an unknown time zone."""
    if words.strip().casefold() in ("", "none"):
        return None
    found = WORDS.fullmatch(words.strip())
    if found is None:
        raise UserError(f"Those are no quiet hours. {HOW}")
    begin, end = _time(found[1], found[2]), _time(found[3], found[4])
    if begin == end:
        raise UserError(f"Those quiet hours begin when they end. {HOW}")
    return QuietHours(begin, end, ZoneInfo(_zone(found[5] or USUAL_ZONE)))


def _time(hour: str, minute: str | None) -> time:
    try:
        return time(int(hour) % 24 if int(hour) <= 24 else int(hour), int(minute or 0))
    except ValueError:
        raise UserError(f"A day has no {hour}:{minute or '00'}. {HOW}") from None


def _zone(words: str) -> str:
    """Return the time zone's exact name. Raises Refused with similar names for an unknown zone."""
    return naming.resolve(words, time_zones(), f"There is no time zone {{}}. {HOW}")


@cache
def time_zones() -> dict[str, str]:
    """Return all time zones: each name by itself, as `naming.one` needs them."""
    return {zone: zone for zone in sorted(available_timezones())}


def _hour(moment: time) -> str:
    return f"{moment.hour}:{moment.minute:02}" if moment.minute else str(moment.hour)
