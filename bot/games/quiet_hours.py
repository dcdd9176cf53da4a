"""Quiet hours: a part of every day, by the clocks of one place, in which nobody is reminded of anything."""

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
class Quiet:
    """From `begin` to `end` every day, by the clocks of `zone`; over midnight where the end is the earlier."""

    begin: time
    end: time
    zone: ZoneInfo

    def over(self, moment: datetime) -> datetime:
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


def quiet_of(words: str) -> Quiet | None:
    """Return the quiet hours that are meant; None for `none`. Raises UserError with how to write them, and Refused."""
    if words.strip().casefold() in ("", "none"):
        return None
    found = WORDS.fullmatch(words.strip())
    if found is None:
        raise UserError(f"Those are no quiet hours. {HOW}")
    begin, end = _time(found[1], found[2]), _time(found[3], found[4])
    if begin == end:
        raise UserError(f"Those quiet hours begin when they end. {HOW}")
    return Quiet(begin, end, ZoneInfo(_zone(found[5] or USUAL_ZONE)))


def _time(hour: str, minute: str | None) -> time:
    try:
        return time(int(hour) % 24 if int(hour) <= 24 else int(hour), int(minute or 0))
    except ValueError:
        raise UserError(f"A day has no {hour}:{minute or '00'}. {HOW}") from None


def _zone(words: str) -> str:
    """Return the time zone of that name. Raises Refused with the nearest."""
    return naming.resolve(words, zones(), f"There is no time zone {{}}. {HOW}")


@cache
def zones() -> dict[str, str]:
    """Return every time zone by its name."""
    return {zone: zone for zone in sorted(available_timezones())}


def _hour(moment: time) -> str:
    return f"{moment.hour}:{moment.minute:02}" if moment.minute else str(moment.hour)
