"""The fixed hour of the day at which turns end, in one time zone and on some days of the week."""

import re
from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta

from bot.errors import UserError
from rules.core.typed_text import simplify_signs

from .hour_words import NOTHING, parse_hour
from .time_zones import Zone, parse_stored_zone

WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
"""Names of the days, Monday first, as `datetime.weekday` counts them."""
DAY_NAMES = ("mondays", "tuesdays", "wednesdays", "thursdays", "fridays", "saturdays", "sundays")
IRREGULAR_DAYS = {"weds": 2}
EVERY_DAY, WORKING_DAYS, WEEKEND = frozenset(range(7)), frozenset(range(5)), frozenset((5, 6))
DAY_WORDS = {
    **dict.fromkeys(("", "daily", "all", "every day", "everyday", "any day", "any"), EVERY_DAY),
    **dict.fromkeys(("weekday", "weekdays", "working days", "workdays", "working day"), WORKING_DAYS),
    **dict.fromkeys(("weekend", "weekends"), WEEKEND),
}
HOW_DAYS = "Write days as mon-fri, weekends, mon wed fri, or daily."
NO_DAYS = "For turns that end on any day write days:daily; for turns that end at no fixed hour at:none."
LONGEST = 80
_EACH = re.compile(r"^(?:on\s+|only\s+)*(?:every|each)?\s*(?=(?:mon|tue|wed|thu|fri|sat|sun|work|week))")
"""Matches words that may precede a weekday and are ignored, as in `every monday`."""
_SEPARATOR = re.compile(r"[\s,;/&+.]+|\band\b")
_RANGE = re.compile(r"\s*(?:-|\bto\b|\bthrough\b|\bthru\b|\btill\b|\buntil\b)\s*")


@dataclass(frozen=True)
class DailyTurnEnd:
    """The hour `at` in time zone `zone` at which turns end, on the weekdays `days` (0 is Monday)."""

    at: time
    zone: Zone
    days: frozenset[int] = EVERY_DAY

    def next_turn_end(self, moment: datetime) -> datetime:
        """Return the first end of a turn at or after `moment`, in UTC.

        If summer time skips the fixed hour, the turn ends later by the skipped time. If the hour occurs twice on a
        day, the turn ends at its first occurrence.
        """
        day = moment.astimezone(self.zone.clocks).date() - timedelta(days=1)
        while True:
            end = datetime.combine(day, self.at, self.zone.clocks).astimezone(UTC)
            if day.weekday() in self.days and end >= moment:
                return end
            day += timedelta(days=1)

    def __str__(self) -> str:
        """Return the stored form, which `parse_daily_end` parses: `20:00 mon-fri Europe/London`."""
        return f"{self.at:%H:%M} {format_days(self.days)} {self.zone.name}"


def parse_daily_end(text: str) -> DailyTurnEnd | None:
    """Return a stored fixed hour, or None for an empty text. Raises UserError, and Refused for an unknown zone."""
    if not text:
        return None
    hour, days, zone = text.split(" ", 2)
    return DailyTurnEnd(parse_hour(hour), parse_stored_zone(zone), parse_days(days))


def parse_days(words: str) -> frozenset[int]:
    """Parse the typed weekdays, such as `mon-fri`, `Sat, Sun` or `weekends`. Raises UserError."""
    text = _EACH.sub("", " ".join(simplify_signs(words).casefold().split()))
    if len(text) > LONGEST:
        raise UserError(f"Those are too many words for days. {HOW_DAYS}")
    if text in DAY_WORDS:
        return DAY_WORDS[text]
    if text in NOTHING:
        raise UserError(NO_DAYS)
    days = frozenset[int]()
    for part in filter(None, _SEPARATOR.split(_RANGE.sub("-", text))):
        first, dash, last = part.partition("-")
        if part in DAY_WORDS:
            days |= DAY_WORDS[part]
        else:
            begin, end = _parse_weekday(first), _parse_weekday(last if dash else first)
            days |= {day % 7 for day in range(begin, end + 1 if end >= begin else end + 8)}
    if not days:
        raise UserError(f"Those are no days of the week. {HOW_DAYS}")
    return days


def format_days(days: Collection[int]) -> str:
    """Return weekdays without spaces, such as `daily`, `mon-fri` or `mon,wed,fri`."""
    if len(days) == len(WEEKDAYS):
        return "daily"
    runs = list[list[int]]()
    for day in sorted(days):
        if runs and runs[-1][-1] == day - 1:
            runs[-1].append(day)
        else:
            runs.append([day])
    return ",".join("-".join(WEEKDAYS[day] for day in dict.fromkeys((run[0], run[-1]))) for run in runs)


def find_weekday(word: str) -> int | None:
    """Return the number of the weekday (0 is Monday) whose name begins with `word`, or None.

    `word` needs at least two letters.
    """
    if word in IRREGULAR_DAYS:
        return IRREGULAR_DAYS[word]
    numbers = [number for number, name in enumerate(DAY_NAMES) if len(word) > 1 and name.startswith(word)]
    return numbers[0] if len(numbers) == 1 else None


def _parse_weekday(word: str) -> int:
    """Return the number of a weekday. Raises UserError for a word that names no weekday."""
    number = find_weekday(word)
    if number is None:
        raise UserError(f"“{word}” is no day of the week. {HOW_DAYS}")
    return number
