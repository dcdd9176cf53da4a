"""Quiet hours: a part of each day, in one time zone, without reminders."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta

from bot.errors import UserError
from rules.core.typed_text import simplify_signs

from .hour_words import HOUR_PATTERN, NOON, NOTHING, hour_from_match, replace_hour_words
from .time_zones import Zone, parse_stored_zone, parse_zone

USUAL_ZONE = "UTC"
USUAL_HOURS, USUAL_END = "22-7", "7:00"
"""Suggested quiet hours, and the end suggested for a typed beginning.

The suggested end has minutes, so it needs neither am nor pm.
"""
HOW = "Write quiet hours as 22-7 Europe/Berlin, 10pm-7am New York or 23:30-8 UTC+2, or none."
LONGEST = 100
FILLING = re.compile(
    r"\b(?:from|between|at|in|quiet|hours?|daily|every day|timezone|time zone)\b|[(),;]", re.IGNORECASE
)
_TO = r"\s*(?:-|to|until|till|and|bis)\s*"
RANGE = re.compile(rf"(?<![\d:+-]){HOUR_PATTERN.format(1)}{_TO}{HOUR_PATTERN.format(2)}(?![\d:+-])", re.IGNORECASE)
BEGUN = re.compile(rf"(?P<begin>{HOUR_PATTERN.format(1)})(?:{_TO})?(?=\s|$)", re.IGNORECASE)
"""Beginning of quiet hours whose end has not been typed yet."""


@dataclass(frozen=True)
class QuietHours:
    """Daily hours without reminders, from `begin` to `end` in `zone`.

    If `end` is earlier than `begin`, the quiet hours last past midnight.
    """

    begin: time
    end: time
    zone: Zone

    def postpone(self, moment: datetime) -> datetime:
        """Return `moment`, or the end of the quiet hours if `moment` falls within quiet hours."""
        local_moment = moment.astimezone(self.zone.clocks)
        now, tonight = local_moment.time(), self.begin > self.end and local_moment.time() >= self.begin
        if not (tonight or (now < self.end and (self.begin > self.end or now >= self.begin))):
            return moment
        day = local_moment.date() + timedelta(days=1) if tonight else local_moment.date()
        ends = (datetime.combine(day, self.end.replace(fold=fold), self.zone.clocks).astimezone(UTC) for fold in (0, 1))
        return max(moment, *ends)

    def __str__(self) -> str:
        """Return the setting as typed, such as `22-7 Europe/Berlin`. Write `10:00-7:00` for an ambiguous `10-7`."""
        is_doubtful = 0 < self.end.hour < self.begin.hour <= NOON
        begin, end = (f"{hour:%H:%M}" if is_doubtful else _format_hour(hour) for hour in (self.begin, self.end))
        return f"{begin}-{end} {self.zone.name}"


def parse_quiet_hours(words: str) -> QuietHours | None:
    """Parse typed quiet hours. Return None for `none`.

    Raises UserError for unreadable hours, and for `10-7`, which may begin in the morning or in the evening. Raises
    Refused for an unknown or ambiguous time zone.
    """
    match = RANGE.fullmatch(split_hours_and_zone(" ".join(simplify_signs(words).split()))[0])
    if match and not any(match[f"{part}{number}"] for part in ("minute", "clock", "half") for number in (1, 2)):
        begin, end = int(match["hour1"]), int(match["hour2"])
        if 0 < end < begin <= NOON:
            how = f"Write {begin}{'a' if begin == NOON else 'p'}m-{end}am, or {begin}:00-{end}:00."
            raise UserError(f"{begin} may be in the morning or in the evening. {how}")
    return _parse_hours_and_zone(words, parse_zone)


def _parse_hours_and_zone(words: str, parse: Callable[[str], Zone]) -> QuietHours | None:
    """Parse quiet hours, with `parse` for the time zone. Return None for `none`.

    Raises UserError, and any error of `parse`.
    """
    text = " ".join(simplify_signs(words).split())
    if text.partition(":")[0].casefold() in NOTHING:
        return None
    hours, zone = split_hours_and_zone(text)
    match = RANGE.fullmatch(hours)
    if match is None or len(text) > LONGEST:
        raise UserError(f"Those are no quiet hours. {HOW}")
    begin, end = hour_from_match(match, 1, 2, HOW), hour_from_match(match, 2, 1, HOW)
    if begin == end:
        raise UserError(f"Those quiet hours begin when they end. {HOW}")
    return QuietHours(begin, end, parse(zone or USUAL_ZONE))


def parse_stored_quiet_hours(words: str) -> QuietHours | None:
    """Parse stored quiet hours, even with a time zone that became ambiguous. Raises UserError, Refused."""
    return _parse_hours_and_zone(words, parse_stored_zone)


def split_hours_and_zone(words: str) -> tuple[str, str]:
    """Split typed words into hours, such as `22:00-7am`, and the remaining words for the time zone.

    The hours are empty if none are found. `words` must be simplified by `simplify_signs`, with single spaces.
    """
    words = replace_hour_words(words)
    match = RANGE.search(words)
    if match is None:
        return "", words
    zone = FILLING.sub(" ", f"{words[: match.start()]} {words[match.end() :]}")
    return match[0], " ".join(zone.split())


def lacks_zone(words: str) -> bool:
    """Whether the words are hours without a time zone."""
    hours, zone = split_hours_and_zone(" ".join(simplify_signs(words).split()))
    return bool(hours) and not zone


def suggest_hours(words: str) -> tuple[str, str]:
    """Return the hours and the time zone to suggest to a user who is typing `words`.

    If only the first hour is typed, add the usual end; without any hour, suggest the usual hours.
    """
    text = " ".join(simplify_signs(words).split())
    hours, zone = split_hours_and_zone(text)
    if hours:
        return hours, zone
    if match := BEGUN.match(text):
        return f"{match['begin']}-{USUAL_END}", text[match.end() :].strip()
    return USUAL_HOURS, text


def _format_hour(moment: time) -> str:
    return f"{moment.hour}:{moment.minute:02}" if moment.minute else str(moment.hour)
