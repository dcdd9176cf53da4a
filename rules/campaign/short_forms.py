"""Expand short forms of order lines before parsing: `if enemy seen: halt`, `split Gordons as Left wing`."""

import re
from collections.abc import Mapping
from functools import partial

from rules.core import naming
from rules.core.model import Viewer
from rules.core.refusal import Refused
from rules.core.typed_text import simplify_signs

from .columns import Column
from .ground import board_of
from .model import CampaignState

ENEMY = r"(?:(?:the|an|any|some)\s+)?(?:enemy(?:\s+(?:column|force|troops))?|enemies|foes?|hostiles)"
_SEEN = (
    r"(?:(?:is|are|comes?|gets?|appears?)\s+)?(?:seen|sighted|spotted|visible|in\s+(?:sight|view)|near(?:by)?|close)"
)
SIGHT = (
    rf"(?:(?:if|when|whenever|once|as\s+soon\s+as|in\s+case)\s+(?:(?:we|you|they|it|he)\s+(?:see|spot|sight|meet|encounter)s?\s+{ENEMY}"
    rf"|(?:seeing|spotting|sighting|meeting)\s+{ENEMY}|{ENEMY}\s+{_SEEN}|{ENEMY}\s+appears?)"
    rf"|(?:on|at|upon)\s+(?:the\s+)?(?:first\s+)?(?:sight|sighting)(?:\s+of\s+{ENEMY})?|on\s+(?:seeing|sighting)\s+{ENEMY})"
)
"""Pattern of a player's words for the condition of CA-1.5: the column sees an enemy."""
HALT = r"(?:halt|stop|hold|stand\s+(?:fast|still))(?:\s+(?:there|at\s+once|immediately))?"
_AWAY = r"(?:(?:fall|pull|go|come)\s+back|retire|withdraw|retreat|return)"
BACK = rf"{_AWAY}\s+(?:to|on|into|towards?)\s+(?:the\s+)?"
GO_ON = r"(?:carry\s+on|keep\s+(?:going|marching)|(?:march|go|press|push)\s+on|continue|ignore\s+(?:it|them|him))"
_END = r"(?=\s*(?:$|[,:;\ue000\ue001]|\b(?:and|with|then|by\s+road|on\s+sight|if|when)\b))"
_PLACE = r"(?:(?!\b(?:to|via|through|and|with|then)\b)[^,:;\ue000\ue001])+?"
VIA = r"(?:via|through|by\s+way\s+of|passing(?:\s+through)?)"


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text, re.IGNORECASE)


HALT_MARK, BACK_MARK = "\ue000", "\ue001"
"""Placeholders for expanded words. They keep later patterns from expanding these words again."""
MARKS = {HALT_MARK: "halt on sight", BACK_MARK: "on sight back to"}
CONDUCT: tuple[tuple[re.Pattern[str], str], ...] = (
    (_pattern(r"\s*;\s*"), ", "),
    (_pattern(r"\bhalt\s+on\s+sight\b(?!\s+of\b)"), HALT_MARK),
    (_pattern(r"\bon\s+sight\s+back\s+to\b"), BACK_MARK),
    (_pattern(r"\b(\d{4})\s*(?:[-=]*>|to|,?\s*then(?:\s+to)?)\s*(?=\d{4}\b)"), r"\1 "),
    (_pattern(rf",?\s*\b{SIGHT}\s*[:,]?\s*(?:then\s+)?{BACK}"), f", {BACK_MARK} "),
    (_pattern(rf",?\s*\b{SIGHT}\s*[:,]?\s*(?:then\s+)?{HALT}{_END}"), f", {HALT_MARK}"),
    (_pattern(rf",?\s*\b{SIGHT}\s*[:,]?\s*(?:then\s+)?{GO_ON}{_END}"), ", carry on"),
    (_pattern(rf",?\s*(?:\band\s+)?\b{BACK}(?P<place>{_PLACE})\s*,?\s*{SIGHT}{_END}"), rf", {BACK_MARK} \g<place>"),
    (_pattern(rf",?\s*(?:\band\s+)?\b{HALT}\s*,?\s*{SIGHT}{_END}"), f", {HALT_MARK}"),
    (_pattern(rf",?\s*(?:\band\s+)?\b{GO_ON}\s+(?:even\s+)?{SIGHT}{_END}"), ", carry on"),
)
"""Patterns of short forms for conduct on sight of the enemy, each with the expanded words."""
WAIT = _pattern(r"\bwait\s+(?:(?:un)?till?|for|to)\s+(?:the\s+)?(?:day\s+(?P<day>\d+)|(?P<tomorrow>tomorrow))\b")
WAIT_DAYS = _pattern(r"\bwait\s+(?:for\s+)?(?P<days>\d+|an?|one|two|three)\s+days?\b")
QUOTES = "\"'“”„‘’ "
NUMBERS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3}
WAYS = (
    _pattern(rf"\b(?:to|for)\s+(?P<goal>{_PLACE})\s+{VIA}\s+(?P<by>{_PLACE}(?:\s+and\s+{_PLACE})?){_END}"),
    _pattern(rf"\b{VIA}\s+(?P<by>{_PLACE}(?:\s+and\s+{_PLACE})?)\s+to\s+(?P<goal>{_PLACE}){_END}"),
)
THEN_ON = _pattern(
    rf"\bto\s+(?P<by>{_PLACE})\s*,?\s*(?:and\s+)?then\s+(?:on\s+)?(?:(?:march|go|move)\s+)?(?:to\s+)?(?P<goal>{_PLACE}){_END}"
)
THEN_STAYS = _pattern(r"\bthen\s+(?P<task>dig(?:\s+in)?|entrench|fortify|rest|recover|refit|wait)\b")
LASTS = _pattern(r"\b(?P<task>rest|dig\s+in|entrench)\s+(?:un)?till?\b")
ATTACKS = _pattern(rf"\battack\s+{ENEMY}\s+(?:at|in|on)\s+")
STOPS_THERE = _pattern(
    rf"(?P<to>\b(?:to|for)\s+{_PLACE})\s*,?\s*\b(?:and|then)\s+(?:stop|halt|stay)(?:\s+there)?\s*[.!]*$"
)
"""Pattern of a march with a halt at its goal: `to Tamai and stop`."""
HALTS_AT = _pattern(rf"\b(?:halt|stop)\s+(?:at|in)\s+(?P<place>{_PLACE}){_END}")
"""Pattern of a halt at a named goal: `halt at Tamai`."""
TWO_GOALS = _pattern(rf"\bto\s+{_PLACE}\s*(?:,|\band\b)\s*(?:and\s+)?to\s+{_PLACE}{_END}")
TO_AND_TO = _pattern(rf"\bto\s+(?P<by>{_PLACE})\s+to\s+(?P<goal>{_PLACE}){_END}")
THEN = _pattern(r"\bwait until day (?P<day>\d+)\s*,?\s*(?:(?:and\s+)?then|and)\s+(?P<rest>[^:;]+)$")
IMPOSSIBLE = _pattern(
    rf"{SIGHT}\s*[:,]?\s*(?:then\s+)?(?:attack|fight|charge|engage|(?:fall|pull)\s+back|retire|withdraw|retreat)\b(?!\s+(?:to|on|into)\b)"
)
NO_NAME = _pattern(r"(?:(?P<who>[^:]+?)\s*:?\s+)??(?:split|detach)s?\s+(?:off\s+)?(?P<units>[^:]+)")
SPLIT = _pattern(
    r"(?:(?P<who>[^:]+?)\s*:?\s+)??(?:split|detach)s?\s+(?:off\s+)?(?:the\s+)?(?P<units>[^:]+?)"
    r"(?:\s+(?:from|off|of)\s+(?P<of>[^:]+?))?\s+(?:as|into|to\s+form|named|called)\s+(?:an?\s+|the\s+)?(?P<name>[^:]+)"
)
LIST = re.compile(r"\s*(?:,|\band\b)\s*", re.IGNORECASE)


def expand_short_forms(state: CampaignState, side: Viewer, line: str) -> str:
    """Return a line of orders with its short forms expanded. Raises Refused for orders that no column can follow."""
    text = simplify_signs(line).strip()
    if match := SPLIT.fullmatch(text.rstrip(".! ")):
        return _expand_split(state, side, text, match)
    _refuse_misread_orders(text)
    for pattern, words in CONDUCT:
        text = pattern.sub(words, text)
    if IMPOSSIBLE.search(text):
        raise Refused("On sight of the enemy a column can halt, fall back to a place that you name, or carry on.")
    text = WAIT_DAYS.sub(lambda match: f"wait until day {state.turn + _read_number(match['days'])}", text)
    text = WAIT.sub(lambda match: f"wait until day {match['day'] or state.turn + 1}", text)
    text = HALTS_AT.sub(r"to \g<place>", STOPS_THERE.sub(r"\g<to>", ATTACKS.sub("attack ", text)))
    if TWO_GOALS.search(text):
        raise Refused(f"Those are two goals. Write the way as {_example_way(state)}.")
    for way in (*WAYS, THEN_ON, TO_AND_TO):
        text = way.sub(partial(_expand_way, state), text)
    text = THEN.sub(r"\g<rest> wait until day \g<day>", text)
    if re.search(r"\S\s+then\b", text, re.IGNORECASE):
        raise Refused(
            f"Orders hold from now on; none waits for another. Write one per line, and a way as {_example_way(state)}."
        )
    own = [*state.units_of(side)][:1]
    if own and text.lstrip(", ").startswith(tuple(MARKS)):  # conduct on sight of the enemy, in place of a column
        raise Refused(f"Who is to do that? Begin with a column: “{own[0].name}: {line.strip()}”.")
    for mark, words in MARKS.items():
        text = text.replace(mark, words)
    return re.sub(r"^[\s,]+", "", re.sub(r":\s*,\s*", ": ", text)) if text != simplify_signs(line).strip() else line


def _example_way(state: CampaignState) -> str:
    """Return an example of a way on the map, by names or else by hex numbers: `“to El Teb via Tokar”`."""
    goal, by, *_ = (*board_of(state).spec.names.values(), "0203", "0202")
    return f"“to {goal} via {by}”"


def _refuse_misread_orders(text: str) -> None:
    """Raise Refused for impossible orders that the parser would misread."""
    if match := THEN_STAYS.search(text):
        task = " ".join(match["task"].split())
        raise Refused(f"Orders hold from now on, so it would {task} at once. Order the march now, and “{task}” later.")
    if match := LASTS.search(text):
        task = " ".join(match["task"].split())
        raise Refused(f"“{task.capitalize()}” lasts until you order something else. Write it without a day.")
    if (match := NO_NAME.fullmatch(text.rstrip(".! "))) and " units " not in text:
        units = re.sub(r"\s+(?:as|into|named|called)$", "", match["units"].strip())
        raise Refused(
            f"Name the new column: “{(match['who'] or '').strip()} split {units} as Flying column”.".replace("“ ", "“")
        )


def _read_number(word: str) -> int:
    return NUMBERS.get(word.casefold(), 0) or int(word)


def _expand_way(state: CampaignState, match: re.Match[str]) -> str:
    """Return a matched way with hex numbers in place of names; unchanged if a name is unknown."""
    parse_hexes, by = board_of(state).parse_hexes, LIST.split(match["by"])
    for count in range(len(by), 0, -1):  # in `through El Teb and attack` the last word is no place
        try:
            hexes = [hex_ for place in (*by[:count], match["goal"]) for hex_ in parse_hexes(place)]
        except Refused:
            continue
        return " and ".join((f"to {' '.join(hex_.label for hex_ in hexes)}", *by[count:]))
    return match[0]


def _expand_split(state: CampaignState, side: Viewer, text: str, match: re.Match[str]) -> str:
    """Return the full order for the short form of a split.

    If the order names no column, add the side's only column that has the first unit; without one, return `text`.
    """
    units = ", ".join(unit for unit in LIST.split(match["units"]) if unit)
    columns = {column.id: column for command in state.sides_represented_by(side) for column in state.units_of(command)}
    column_name = match["who"] or match["of"] or _only_column_with_unit(columns, units.partition(",")[0])
    name, with_wagon, _ = re.split(
        r"(\s+(?:and|with)\s+(?:the|its)\s+wagon)?$", match["name"], maxsplit=1, flags=re.IGNORECASE
    )
    wagon = " wagon yes" if with_wagon else ""
    return f"{column_name} split {name.strip(QUOTES)} units {units}{wagon}" if column_name else text


def _only_column_with_unit(columns: Mapping[str, Column], unit: str) -> str:
    """Return the name of the column with a unit called `unit`; empty unless exactly one column has such a unit."""
    holders = [
        column.name
        for column in columns.values()
        if naming.find_matches(unit, {str(place): troops.name for place, troops in enumerate(column.troops)})
    ]
    return holders[0] if len(holders) == 1 else ""
