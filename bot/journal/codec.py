"""Long JSON as the journal keeps it: compressed, and read again as states and reports.

All of it works on plain bytes, so that there is a place for it off the event loop.
"""

import zlib
from typing import Any

from rules.core.report import Report
from rules.core.ruleset import Ruleset
from rules.core.state import State

FAST = 1
"""zlib's quickest level: states repeat themselves so much that it is enough."""
SHORT = 4096
"""Bytes of a text that needs no large window, such as the report of a throw."""
SHORT_WINDOW = 12
"""Base-two logarithm of the window for a short text: setting up the usual 32 kB takes longer than compressing it."""
SHORT_MEMORY = 5
"""zlib's `memLevel` for a short text."""


def pack(text: str) -> bytes:
    """Compress a text for storage."""
    data = text.encode()
    if len(data) > SHORT:
        return zlib.compress(data, FAST)
    packer = zlib.compressobj(FAST, zlib.DEFLATED, SHORT_WINDOW, SHORT_MEMORY)
    return packer.compress(data) + packer.flush()


def unpack(packed: bytes) -> str:
    """Return the text that was packed. Raises ValueError when it is damaged."""
    try:
        return zlib.decompress(packed).decode()
    except zlib.error as error:
        raise ValueError(f"it cannot be unpacked ({error})") from error


def pack_state(ruleset: Ruleset[Any], state: State) -> bytes:
    """Compress a state for storage."""
    return pack(ruleset.write_state(state))


def read_state(ruleset: Ruleset[Any], packed: bytes) -> State:
    """Return the state that was kept, by any version. Raises ValueError when it cannot be read."""
    state: State = ruleset.read_state(unpack(packed))
    return state


def read_report(ruleset: Ruleset[Any], packed: bytes, version: int) -> Report:
    """Return the report that an entry of that version kept. Raises ValueError when it cannot be read."""
    return ruleset.read_report(unpack(packed), version)
