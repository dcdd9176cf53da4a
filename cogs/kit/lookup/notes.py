"""Notes behind names in completions, such as `hill · fire is halved`. Discord may send the note with the name."""

import re

NOTE = " · "
BEFORE_NOTE = re.compile(r"\s·\s")
"""Matches the dot between a name and its note, with spaces of any kind around it."""


def add_note(name: str, note: str) -> str:
    """Return the name with the note behind it, such as `hill · fire is halved`."""
    return f"{name}{NOTE}{note}" if note else name


def strip_note(text: str) -> str:
    """Return the name in a typed text that may end with a note."""
    return BEFORE_NOTE.split(text, maxsplit=1)[0].strip() or text
