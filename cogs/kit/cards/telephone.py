"""Count a text's lines on a telephone, where lines wrap at 40 characters."""

import re
import textwrap

LINE_LENGTH = 40
"""Characters of a line on a telephone."""
MOST_LINES = 25
"""Maximum lines of a turn's message, before *Details*."""
AT_A_GLANCE = 16
"""Maximum lines of a message that shows each throw of several actions. A longer message is shortened."""
MARKS = re.compile(r"^(?:#+ |-# )|\*\*|\\|`", re.MULTILINE)
MENTION = re.compile(r"<@\d+>")
MOMENT = re.compile(r"<t:\d+:[fF]>")
RELATIVE = re.compile(r"<t:\d+:R>")


def wrap_lines(markdown: str) -> list[str]:
    """Return the lines of a message's text as a telephone wraps them, without Markdown marks."""
    text = MENTION.sub("@somebody", MARKS.sub("", markdown))
    text = RELATIVE.sub("in 2 days", MOMENT.sub("27 November 2026 18:00", text))
    return [line for paragraph in text.splitlines() for line in textwrap.wrap(paragraph, LINE_LENGTH)]
