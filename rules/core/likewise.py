"""Read orders repeated for further units: `Marines fire at Amarar, Berkshires likewise`, `same for the Surreys`."""

import re
from collections.abc import Callable, Sequence
from typing import Any

from .model import UMPIRE
from .orders import Order
from .refusal import Refused
from .side_units import SideUnitFinder

_BETWEEN = r"(?:\s*[,;.]\s*(?:and\s+)?|\s+(?:and|&|\+)\s+)"
_AFTER = r"likewise|ditto|the\s+same(?:\s+thing)?|same|do(?:es)?\s+(?:likewise|the\s+same(?:\s+thing)?)"
_TOO = r"too|as\s+well|also"
NAMES_FIRST = re.compile(rf"{_BETWEEN}(?P<names>[^,;.].*?)\s+(?:(?P<same>{_AFTER})|{_TOO})\s*[.!]*$", re.IGNORECASE)
WORD_FIRST = re.compile(
    rf"{_BETWEEN}(?:(?:do\s+)?(?:the\s+)?same(?:\s+(?:for|with|goes\s+for|applies\s+to))?|likewise|ditto)"
    r"(?:\s+for)?[\s,:]+(?P<names>\S.*?)\s*[.!]*$",
    re.IGNORECASE,
)
LONGEST = 200
"""Maximum characters of a line that names further units at its end."""
MOST_WORDS = 12
"""Maximum number of words at the beginning of a line that are searched for unit names."""


def rewrite_likewise_line(side: SideUnitFinder[Any], text: str, read: Callable[[str], Sequence[Order]]) -> str:
    """Return `Marines, Berkshires fire at Amarar` for `Marines fire at Amarar, Berkshires likewise`.

    Return an empty string if no units repeat an order. Raises Refused if it is unclear which order they repeat.
    """
    for pattern in (NAMES_FIRST, WORD_FIRST) if len(text) <= LONGEST else ():
        for boundary in re.finditer(_BETWEEN, text, re.IGNORECASE):
            match = pattern.match(text, boundary.start())
            if match is None:
                continue
            says_same = pattern is WORD_FIRST or match["same"]
            if not side.mentions_own_units(match["names"]) or not (says_same or side.viewer != UMPIRE):
                continue
            before = text[: match.start()]
            try:
                orders = read(before)
            except Refused:
                continue
            names = _names_at_start(side, before)
            if not names:
                continue
            if not {unit for order in orders for unit in order.units} <= {*side.find_listed_units(names)}:
                raise Refused("Different units have different orders there. Write what each unit is to do.")
            return f"{names}, {match['names']}{before[len(names) :]}"
    return ""


def _names_at_start(side: SideUnitFinder[Any], text: str) -> str:
    """Return the words at the start of a text that name units, or an empty string."""
    words = list(re.finditer(r"\S+", text))[:MOST_WORDS]
    beginnings = (text[: word.end()].rstrip(",:") for word in reversed(words))
    return next((names for names in beginnings if side.mentions_own_units(names)), "")
