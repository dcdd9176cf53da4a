"""Compress JSON for the journal, and read states and reports back. All functions can run in a thread."""

import zlib
from typing import Any

from rules.core.report import Report
from rules.core.ruleset import Ruleset
from rules.core.state import State

FASTEST_LEVEL = 1
"""zlib's fastest level. States are repetitive, so it compresses them well enough."""
MAX_SHORT_TEXT = 4096
"""Maximum size in bytes of a text compressed with a small window, such as the report of a throw."""
SHORT_WINDOW = 12
"""Base-two logarithm of the window for a short text. Allocating the usual 32 kB takes longer than compressing."""
SHORT_MEMORY = 5
"""zlib's `memLevel` for a short text."""


def pack(text: str) -> bytes:
    """Compress a text for storage."""
    data = text.encode()
    if len(data) > MAX_SHORT_TEXT:
        return zlib.compress(data, FASTEST_LEVEL)
    packer = zlib.compressobj(FASTEST_LEVEL, zlib.DEFLATED, SHORT_WINDOW, SHORT_MEMORY)
    return packer.compress(data) + packer.flush()


def unpack(packed: bytes) -> str:
    """Decompress a stored text. Raises ValueError for damaged data."""
    try:
        return zlib.decompress(packed).decode()
    except zlib.error as error:
        raise ValueError(f"it cannot be unpacked ({error})") from error


def pack_state(ruleset: Ruleset[Any], state: State) -> bytes:
    """Compress a state for storage."""
    return pack(ruleset.write_state(state))


def read_state(ruleset: Ruleset[Any], packed: bytes) -> State:
    """Decompress and parse a stored state of any version. Raises ValueError for unreadable data."""
    state: State = ruleset.read_state(unpack(packed))
    return state


def read_report(ruleset: Ruleset[Any], packed: bytes, version: int) -> Report:
    """Decompress and parse a report stored by rules version `version`. Raises ValueError for unreadable data."""
    return ruleset.read_report(unpack(packed), version)
