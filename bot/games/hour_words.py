"""Hours of the day as people write them: `20:00`, `8pm`, `20h`, `noon`."""

import re
from datetime import time
from functools import partial

from bot.errors import UserError
from rules.core.number_words import with_digits
from rules.core.typed_text import simplify_signs

NOON = 12
NOTHING = ("", "none", "no", "off", "never", "-")
"""Words that remove a setting."""
NAMED_HOURS = {"noon": "12h", "midday": "12h", "midnight": "0h"}
PARTS_OF_DAY = {
    r"(?<=\d)\s*(?:in\s+the\s+)?morning\b": "am",
    r"(?<=\d)\s*(?:in\s+the\s+)?(?:afternoon|evening)\b": "pm",
    r"(?<=\b[89])\s*at\s+night\b|(?<=\b1[01])\s*at\s+night\b": "pm",
}
"""Patterns for the part of the day after an hour. `2 at night` is not supported."""
PARTS_OF_HOUR = {"half past": (0, 30), "quarter past": (0, 15), "quarter to": (-1, 45)}
"""Hours and minutes to add to the named hour. Used only with am or pm, since `half past eight` may be either."""
HOUR_PATTERN = (
    r"(?P<hour{0}>\d{{1,2}}?)(?:[:.h]?(?P<minute{0}>\d\d))?(?!\d)"
    r"(?:\s?(?P<clock{0}>h|hrs?|hours?|uhr)(?![a-z])|\s?o'?clock(?![a-z]))?"
    r"(?:\s?(?P<half{0}>[ap])\.?(?:m\b\.?|(?![a-z])))?"
)
"""Pattern of one hour. Before use, format the pattern with a number, which is appended to the names of the groups."""
HOW = "Write an hour as 20:00 or 8pm."
_HOUR = re.compile(rf"(?:at\s+)?{HOUR_PATTERN.format(1)}", re.IGNORECASE)
_HOUR_AND_ZONE = re.compile(rf"(?P<hour>{_HOUR.pattern})[\s,]+(?P<zone>[a-z].*)", re.IGNORECASE)


def parse_hour(words: str) -> time:
    """Parse a typed hour. Raises UserError, also for a bare `8`, which may be the morning or the evening."""
    text = " ".join(replace_hour_words(simplify_signs(words)).split())
    match = _HOUR.fullmatch(text)
    if match is None:
        raise UserError(f"That is no hour of the day. {HOW}")
    if not (match["minute1"] or match["half1"] or match["clock1"]) and 0 < int(match["hour1"]) <= NOON:
        raise UserError(f"{text} may be in the morning or in the evening. {HOW}")
    return hour_from_match(match, 1, 1, HOW)


def split_zone(words: str) -> tuple[str, str]:
    """Split typed words into an hour and a time zone: `20:00 London`. If no zone is typed, the zone is empty."""
    text = " ".join(replace_hour_words(simplify_signs(words)).split())
    match = None if _HOUR.fullmatch(text) else _HOUR_AND_ZONE.fullmatch(text)
    return (words, "") if match is None else (match["hour"], match["zone"])


def replace_hour_words(words: str) -> str:
    """Return the text with hours in digits: `noon` becomes `12h`, `half past eight pm` becomes `8:30 pm`."""
    words = with_digits(words)
    named_hours = {rf"\b{name}\b": hour for name, hour in NAMED_HOURS.items()}
    for pattern, replacement in {**named_hours, **PARTS_OF_DAY}.items():
        words = re.sub(pattern, replacement, words, flags=re.IGNORECASE)
    for part, (hours, minutes) in PARTS_OF_HOUR.items():
        words = re.sub(
            rf"\b(?:a\s+)?{part}\s+(\d{{1,2}})(?=\s?[ap]\.?m\b)",
            partial(_replace_part_of_hour, hours, minutes),
            words,
            flags=re.IGNORECASE,
        )
    return words


def _replace_part_of_hour(hours: int, minutes: int, named_hour: re.Match[str]) -> str:
    return f"{(int(named_hour[1]) + hours - 1) % NOON + 1}:{minutes:02}"


def hour_from_match(match: re.Match[str], number: int, other_number: int, how: str) -> time:
    """Return the first or second hour of a match such as `22-7`.

    `other_number` equals `number` for a single hour. Raises UserError, ending with the hint `how`, for an
    impossible hour, or if only the other hour has am or pm.
    """
    hour, minute = int(match[f"hour{number}"]), int(match[f"minute{number}"] or 0)
    half, other_half = match[f"half{number}"], match[f"half{other_number}"]
    hour_text = f"{hour}{f':{minute:02}' if minute else ''}{f'{half.lower()}m' if half else ''}"
    if hour > 24 or minute > 59 or (hour == 24 and minute) or (half in ("a", "A") and hour > NOON):
        raise UserError(f"A day has no {hour_text}. {how}")
    if half is None and other_half is not None and 0 < hour <= NOON and not match[f"clock{number}"]:
        raise UserError(f"{hour} may be in the morning or in the evening: write am or pm with both hours. {how}")
    if half is not None and hour <= NOON:
        hour = hour % NOON + (NOON if half in ("p", "P") else 0)
    return time(hour % 24, minute)
