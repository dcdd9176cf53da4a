"""Quiet hours: a part of every day, by the clocks of one place, in which nobody is reminded of anything."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta

from bot.errors import UserError
from rules.core.typed_text import fold

from .time_zones import Zone, kept_zone, zone_of

USUAL_ZONE = "UTC"
USUAL_HOURS, USUAL_END = "22-7", "7:00"
"""Hours that are offered, and the end that is offered for a typed beginning; minutes keep it from being am or pm."""
HOW = "Write quiet hours as 22-7 Europe/Berlin, 10pm-7am New York or 23:30-8 UTC+2, or none."
LONGEST = 100
NOTHING = ("", "none", "no", "off", "never", "-")
NOON = 12
NAMED_HOURS = {"noon": "12h", "midday": "12h", "midnight": "0h"}
FILLING = re.compile(
    r"\b(?:from|between|at|in|quiet|hours?|daily|every day|timezone|time zone)\b|[(),;]", re.IGNORECASE
)
_HOUR = (
    r"(?P<hour{0}>\d{{1,2}}?)(?:[:.h]?(?P<minute{0}>\d\d))?(?!\d)"
    r"(?:\s?(?P<clock{0}>h|hrs?|hours?|uhr)(?![a-z])|\s?o'?clock(?![a-z]))?"
    r"(?:\s?(?P<half{0}>[ap])\.?(?:m\b\.?|(?![a-z])))?"
)
_TO = r"\s*(?:-|to|until|till|and|bis)\s*"
RANGE = re.compile(rf"(?<![\d:+-]){_HOUR.format(1)}{_TO}{_HOUR.format(2)}(?![\d:+-])", re.IGNORECASE)
BEGUN = re.compile(rf"(?P<begin>{_HOUR.format(1)})(?:{_TO})?(?=\s|$)", re.IGNORECASE)
"""Begin of quiet hours whose end has not been typed yet."""


@dataclass(frozen=True)
class QuietHours:
    """From `begin` to `end` every day, by the clocks of `zone`; over midnight where the end is the earlier."""

    begin: time
    end: time
    zone: Zone

    def postpone(self, moment: datetime) -> datetime:
        """Return `moment`, or the end of the quiet hours if `moment` falls within quiet hours."""
        here = moment.astimezone(self.zone.clocks)
        now, tonight = here.time(), self.begin > self.end and here.time() >= self.begin
        if not (tonight or (now < self.end and (self.begin > self.end or now >= self.begin))):
            return moment
        day = here.date() + timedelta(days=1) if tonight else here.date()
        ends = (datetime.combine(day, self.end.replace(fold=fold), self.zone.clocks).astimezone(UTC) for fold in (0, 1))
        return max(moment, *ends)

    def __str__(self) -> str:
        """Return the setting as typed, such as `22-7 Europe/Berlin`."""
        return f"{_shown(self.begin)}-{_shown(self.end)} {self.zone.name}"


def parse_quiet_hours(words: str, zone_named: Callable[[str], Zone] = zone_of) -> QuietHours | None:
    """Return the quiet hours that are meant; None for `none`. Raises UserError with how to write them, and Refused."""
    said = " ".join(fold(words).split())
    if said.partition(":")[0].casefold() in NOTHING:
        return None
    hours, zone = split_hours(said)
    found = RANGE.fullmatch(hours)
    if found is None or len(said) > LONGEST:
        raise UserError(f"Those are no quiet hours. {HOW}")
    begin, end = _hour(found, 1, 2), _hour(found, 2, 1)
    if begin == end:
        raise UserError(f"Those quiet hours begin when they end. {HOW}")
    return QuietHours(begin, end, zone_named(zone or USUAL_ZONE))


def kept_quiet_of(words: str) -> QuietHours | None:
    """Return stored quiet hours, also in a zone that is asked about today. Raises UserError, Refused."""
    return parse_quiet_hours(words, kept_zone)


def split_hours(words: str) -> tuple[str, str]:
    """Split folded words into hours, `22:00-7am`, and the zone before or behind them; hours are empty if not found."""
    for name, hour in NAMED_HOURS.items():
        words = re.sub(rf"\b{name}\b", hour, words, flags=re.IGNORECASE)
    found = RANGE.search(words)
    if found is None:
        return "", words
    zone = FILLING.sub(" ", f"{words[: found.start()]} {words[found.end() :]}")
    return found[0], " ".join(zone.split())


def lacks_zone(words: str) -> bool:
    """Whether the words are hours without a time zone."""
    hours, zone = split_hours(" ".join(fold(words).split()))
    return bool(hours) and not zone


def begun_hours(words: str) -> tuple[str, str]:
    """Return the hours to offer for words still being typed, and the words for the zone; the usual end if it lacks."""
    said = " ".join(fold(words).split())
    hours, zone = split_hours(said)
    if hours:
        return hours, zone
    if begun := BEGUN.match(said):
        return f"{begun['begin']}-{USUAL_END}", said[begun.end() :].strip()
    return USUAL_HOURS, said


def _hour(found: re.Match[str], which: int, other: int) -> time:
    """Return the begin or end of a range. Raises UserError for an impossible hour, or if am or pm is missing."""
    hour, minute = int(found[f"hour{which}"]), int(found[f"minute{which}"] or 0)
    half, other_half = found[f"half{which}"], found[f"half{other}"]
    shown = f"{hour}{f':{minute:02}' if minute else ''}{f'{half.lower()}m' if half else ''}"
    if hour > 24 or minute > 59 or (hour == 24 and minute) or (half in ("a", "A") and hour > NOON):
        raise UserError(f"A day has no {shown}. {HOW}")
    if half is None and other_half is not None and 0 < hour <= NOON and not found[f"clock{which}"]:
        raise UserError(f"{hour} may be in the morning or in the evening: write am or pm with both hours. {HOW}")
    if half is not None and hour <= NOON:
        hour = hour % NOON + (NOON if half in ("p", "P") else 0)
    return time(hour % 24, minute)


def _shown(moment: time) -> str:
    return f"{moment.hour}:{moment.minute:02}" if moment.minute else str(moment.hour)
