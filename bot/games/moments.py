"""Moments as people write them: `tomorrow 8pm`, `monday`, `24 Dec`, `2 weeks`."""

import re
from datetime import UTC, date, datetime, time, timedelta

from dateutil import parser
from dateutil.relativedelta import relativedelta
from dateutil.rrule import MONTHLY, rrule

from bot.errors import UserError
from rules.core.typed_text import simplify_signs

from .daily_end import find_weekday
from .hour_words import HOUR_PATTERN, parse_hour, replace_hour_words
from .time_zones import Zone

HOW = "Write it as 24 Dec, monday 8pm, tomorrow 20:00, or 2 weeks."
WHICH_HOUR = "At which hour today? Write it as today 20:00, or now."
AT_ONCE = ("now", "at once", "immediately", "back", "i'm back", "i am back", "today", "tonight")
LONGEST = 60
FURTHEST = timedelta(days=366)
"""The furthest moment from now that is accepted."""
LONGEST_MONTH = 31
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_LEADING = re.compile(r"^(?:(?:until|till|from|by|on|in|for|the|to)\s+)+")
FROM_NOW = re.compile(r"^in\s|\sfrom now$")
_PART = re.compile(
    rf"(?P<number>\d{{1,3}}|an?|{'|'.join(NUMBERS)})\s*"
    r"(?P<unit>h|hrs?|hours?|d|days?|w|wks?|weeks?|fortnights?|months?)\b"
)
_NUMBERS = {"a": 1, "an": 1, **{word: number for number, word in enumerate(NUMBERS, 1)}}
_DURATIONS = {
    "h": relativedelta(hours=1),
    "d": relativedelta(days=1),
    "w": relativedelta(weeks=1),
    "f": relativedelta(weeks=2),
    "m": relativedelta(months=1),
}
"""Duration of one unit, by the unit's first letter."""
_HOUR = HOUR_PATTERN.format(1)
_HOUR_LAST = re.compile(rf"^(?P<day>.*?)(?:^|[\s,t])(?:at\s+)?(?P<time>{_HOUR})$", re.IGNORECASE)
_HOUR_FIRST = re.compile(rf"^(?P<time>{_HOUR})(?:\s*,\s*|\s+)(?:on\s+)?(?P<day>.+)$", re.IGNORECASE)
_ORDINAL = re.compile(r"(?P<day>\d{1,2})(?:st|nd|rd|th)")
_DOTTED = re.compile(r"(?P<day>\d{1,2})\.\s?(?P<month>\d{1,2})\.?\s?(?P<year>\d{4})?")
_ISO = re.compile(r"(?P<year>\d{4})-(?P<month>\d{1,2})-(?P<day>\d{1,2})")
_ORDINARY = (datetime(2024, 1, 1, 1, 1), datetime(2028, 2, 2, 2, 2))  # noqa: DTZ001 -- dates without a time zone
"""Default dates from which the parser takes parts that the user did not type. Leap years make 29 Feb valid."""


def parse_moment(
    words: str, now: datetime, zone: Zone, *, begins: bool = False, since: datetime | None = None
) -> datetime:
    """Parse a typed moment, and return it in UTC.

    A day without an hour means the midnight at its beginning in `zone`. With `begins`, `today` means `now`. The
    duration `2 weeks` counts from `since`, `in 2 weeks` always from `now`. Raises UserError if the moment is
    unreadable, ambiguous, past, or more than a year ahead.
    """
    phrase = " ".join(simplify_signs(words).casefold().split())
    text = remove_prepositions(phrase).removesuffix(" from now")
    if not text or len(text) > LONGEST:
        raise UserError(f"That is no day or hour. {HOW}")
    if text in (AT_ONCE if begins else AT_ONCE[:-2]):
        return now
    counts_from = now if since is None or FROM_NOW.search(phrase) else since
    moment = _parse_duration(text, counts_from) or _parse_day_and_hour(text, now, zone)
    if moment is None and not begins:
        raise UserError(WHICH_HOUR)
    moment = moment or now
    if moment < now:
        raise UserError(f"That has passed already. {HOW}")
    if moment > now + FURTHEST:
        raise UserError(f"That is more than a year ahead. {HOW}")
    return moment


def remove_prepositions(text: str) -> str:
    """Return the words without leading prepositions such as `until` or `in`."""
    return _LEADING.sub("", text)


def _parse_duration(text: str, now: datetime) -> datetime | None:
    """Return the moment after a duration such as `1 week 2 days`, or None for other words."""
    parts = [*_PART.finditer(text)]
    if not parts or _PART.sub("", text).replace("and", "").strip(" ,"):
        return None
    for part in parts:
        number = _NUMBERS.get(part["number"]) or int(part["number"])
        now += number * _DURATIONS[part["unit"][0]]
    return now


def _parse_day_and_hour(text: str, now: datetime, zone: Zone) -> datetime | None:
    """Parse a day with or without an hour. Return None for today without an hour. Raises UserError."""
    text = replace_hour_words(text)
    hour, day_words = None, text
    for match in (_HOUR_LAST.fullmatch(text), _HOUR_FIRST.fullmatch(text)):
        if match is not None and (match["half1"] or match["clock1"] or ":" in match["time"]):
            hour, day_words = parse_hour(match["time"]), match["day"].strip(" ,")
            break
    today = now.astimezone(zone.clocks).date()
    day = _parse_day(day_words, today) if day_words else today
    if hour is None and day == today:
        return None
    moment = datetime.combine(day, hour or time(), zone.clocks)
    if not day_words and moment < now:
        moment = datetime.combine(day + timedelta(days=1), hour or time(), zone.clocks)
    return moment.astimezone(UTC)


def _parse_day(text: str, today: date) -> date:
    """Parse a typed day: today, tomorrow, the next weekday of that name, or a date. Raises UserError."""
    if text in ("today", "tonight", "tomorrow", "day after tomorrow"):
        return today + timedelta(days=("tomorrow" in text) + text.startswith("day after"))
    weekday = find_weekday(text.removeprefix("next ").removeprefix("this "))
    if weekday is not None:
        next_day = today + timedelta(days=(weekday - today.weekday()) % 7 or 7)
        if next_day == today + timedelta(days=7) or text.startswith("next "):
            later = next_day if next_day == today + timedelta(days=7) else next_day + timedelta(days=7)
            first = today if next_day == later else next_day
            raise UserError(f"That may be {_format_day(first)} or {_format_day(later)}. Write the date.")
        return next_day
    if match := _ORDINAL.fullmatch(text):
        return _find_next_date(today, int(match["day"]))
    day = _parse_date(text, today)
    weekdays = {find_weekday(word) for word in re.findall(r"(?<![\da-z])[a-z]+", text)} - {None}
    if weekdays and weekdays != {day.weekday()}:
        raise UserError(f"{_format_day(day)} is a {day:%A}. Write the date without the day of the week.")
    return day


def _parse_date(text: str, today: date) -> date:
    """Parse a typed date. Without a year, return its next occurrence. Raises UserError, also for the unclear `3/4`."""
    match = _DOTTED.fullmatch(text) or _ISO.fullmatch(text)
    if match is not None and 1 <= int(match["month"]) <= len(MONTHS):
        text = f"{match['day']} {MONTHS[int(match['month']) - 1]} {match['year'] or ''}"
    by_order = list[date]()
    for day_first in (True, False):
        try:
            moments = [(default, parser.parse(text, dayfirst=day_first, default=default)) for default in _ORDINARY]
        except (parser.ParserError, OverflowError):
            continue
        if any(moment.time() != default.time() for default, moment in moments):  # an hour in an unsupported form
            continue
        dates = [moment.date() for _, moment in moments]
        if len({(day.month, day.day) for day in dates}) == 1:
            by_order.append(dates[0] if dates[0] == dates[1] else _find_next_date(today, dates[0].day, dates[0].month))
    if not by_order:
        raise UserError(f"“{text}” is no day. {HOW}")
    if len({*by_order}) > 1:
        raise UserError(f"“{text}” may be {' or '.join(map(_format_day, by_order))}. Write the month as a word.")
    return by_order[0]


def _find_next_date(today: date, day: int, month: int | None = None) -> date:
    """Return the first date from `today` on with this day of the month (in `month`, if given).

    Raises UserError if no month has this day.
    """
    if not 1 <= day <= LONGEST_MONTH:
        raise UserError(f"That is no day. {HOW}")
    start = datetime.combine(today, time())
    return rrule(MONTHLY, start, bymonth=month, bymonthday=day, count=1)[0].date()


def _format_day(day: date) -> str:
    return f"{day.day} {day:%b %Y}"
