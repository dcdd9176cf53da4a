"""Moments as people write them: `tomorrow 8pm`, `monday`, `24 Dec`, `2 weeks`."""

import re
from datetime import UTC, date, datetime, time, timedelta

from dateutil import parser

from bot.errors import UserError
from rules.core.typed_text import fold

from .daily_end import find_weekday
from .hour_words import HOUR_PATTERN, name_hours, parse_hour
from .time_zones import Zone

HOW = "Write it as 24 Dec, monday 8pm, tomorrow 20:00, or 2 weeks."
LONGEST = 60
FURTHEST = timedelta(days=366)
"""The furthest moment from now that is accepted."""
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
SECONDS = {"h": 3600, "d": 86400, "w": 7 * 86400}
"""Seconds of an hour, a day and a week, by their first letter."""
_LEADING = re.compile(r"^(?:(?:until|till|from|by|on|in|for|the|to)\s+)+")
_PART = re.compile(r"(?P<number>\d{1,3}|an?|one|two|three)\s*(?P<unit>h|hrs?|hours?|d|days?|w|wks?|weeks?)\b")
_NUMBERS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3}
_TIME = re.compile(rf"(?:^|[\s,t])(?:at\s+)?(?P<time>{HOUR_PATTERN.format(1)})$", re.IGNORECASE)
_DOTTED = re.compile(r"(?P<day>\d{1,2})\.\s?(?P<month>\d{1,2})\.?\s?(?P<year>\d{4})?")
_ISO = re.compile(r"(?P<year>\d{4})-(?P<month>\d{1,2})-(?P<day>\d{1,2})")
_ORDINARY = (datetime(2024, 1, 1), datetime(2028, 2, 2))  # noqa: DTZ001 -- dates without a time zone
"""Two dates that fill in what a typed date lacks; leap years, so that 29 Feb is a date in both."""


def parse_moment(words: str, now: datetime, zone: Zone) -> datetime:
    """Return the moment that is meant, in UTC; a day without an hour is its beginning by the clocks of `zone`.

    Raises UserError for what is no moment, may be two, has passed, or lies more than a year ahead.
    """
    said = _LEADING.sub("", " ".join(fold(words).casefold().split()))
    if not said or len(said) > LONGEST:
        raise UserError(f"That is no day or hour. {HOW}")
    if said in ("now", "at once"):
        return now
    moment = _parse_duration(said, now) or _parse_day_and_hour(said, now, zone)
    if moment < now:
        raise UserError(f"That has passed already. {HOW}")
    if moment > now + FURTHEST:
        raise UserError(f"That is more than a year ahead. {HOW}")
    return moment


def _parse_duration(said: str, now: datetime) -> datetime | None:
    """Return the moment after a duration such as `1 week 2 days`, or None if the words are no duration."""
    parts = [*_PART.finditer(said)]
    if not parts or _PART.sub("", said).replace("and", "").strip(" ,"):
        return None
    seconds = sum((_NUMBERS.get(one["number"]) or int(one["number"])) * SECONDS[one["unit"][0]] for one in parts)
    return now + timedelta(seconds=seconds)


def _parse_day_and_hour(said: str, now: datetime, zone: Zone) -> datetime:
    """Return the moment of a day with or without an hour. Raises UserError."""
    said = name_hours(said)
    hour, day_words, found = time(0), said, _TIME.search(said)
    if found is not None and (found["half1"] or found["clock1"] or ":" in found["time"]):
        hour, day_words = parse_hour(found["time"]), said[: found.start()].strip(" ,")
    today = now.astimezone(zone.clocks).date()
    day = _parse_day(day_words, today) if day_words else today
    moment = datetime.combine(day, hour, zone.clocks).astimezone(UTC)
    return moment if day_words or moment >= now else moment + timedelta(days=1)


def _parse_day(said: str, today: date) -> date:
    """Return the day that is meant: today, tomorrow, the next weekday of that name, or a date. Raises UserError."""
    if said in ("today", "tonight", "tomorrow"):
        return today + timedelta(days=said == "tomorrow")
    weekday = find_weekday(said.removeprefix("next ").removeprefix("this "))
    if weekday is not None:
        coming = today + timedelta(days=(weekday - today.weekday()) % 7 or 7)
        if coming == today + timedelta(days=7) or said.startswith("next "):
            later = coming if coming == today + timedelta(days=7) else coming + timedelta(days=7)
            first = today if coming == later else coming
            raise UserError(f"That may be {_shown(first)} or {_shown(later)}. Write the date.")
        return coming
    return _parse_date(said, today)


def _parse_date(said: str, today: date) -> date:
    """Return a date; without a year it is the next one. Raises UserError, also for `3/4`, which may be two dates."""
    found = _DOTTED.fullmatch(said) or _ISO.fullmatch(said)
    if found is not None and 1 <= int(found["month"]) <= len(MONTHS):
        said = f"{found['day']} {MONTHS[int(found['month']) - 1]} {found['year'] or ''}"
    by_order = list[date]()
    for day_first in (True, False):
        try:
            read = [parser.parse(said, dayfirst=day_first, default=one).date() for one in _ORDINARY]
        except (parser.ParserError, OverflowError):
            continue
        if len({(one.month, one.day) for one in read}) == 1:
            by_order.append(read[0] if read[0] == read[1] else _next_such_day(read[0], today))
    if not by_order:
        raise UserError(f"“{said}” is no day. {HOW}")
    if len({*by_order}) > 1:
        raise UserError(f"“{said}” may be {' or '.join(map(_shown, by_order))}. Write the month as a word.")
    return by_order[0]


def _next_such_day(day: date, today: date) -> date:
    """Return the first day from `today` on with the month and day of `day`."""
    for year in range(today.year, today.year + 9):
        try:
            found = day.replace(year=year)
        except ValueError:  # 29 February
            continue
        if found >= today:
            return found
    raise UserError(f"That is no day. {HOW}")


def _shown(day: date) -> str:
    return f"{day.day} {day:%b %Y}"
