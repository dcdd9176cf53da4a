"""Files made so that reading them takes as long, and as much memory, as can be."""

import json
from collections.abc import Mapping
from typing import Any

SYSTEM = "magdala"


def dotted(parts: int = 45_000) -> bytes:
    """Return TOML with a single key of so many parts: tomllib takes time by the square of them."""
    return b".".join([b"a"] * parts) + b"=1"


def bracketed(levels: int = 45_000) -> bytes:
    """Return TOML with so many lists inside each other."""
    return b"a=" + b"[" * levels


def with_states(exported: bytes, entries: int = 6000) -> bytes:
    """Return an export of a game with so many entries, each with a state of its own, and at its end a fault."""
    file: dict[str, Any] = json.loads(exported)
    last: Mapping[str, Any] = {**file["entries"][-1], "report": {"headline": "x"}}
    for seq in range(len(file["entries"]) + 1, entries + 1):
        blank = {"seq": seq, "number": seq, "interaction": 0, "dice": [], "acts": False, "kind": "note", "state": None}
        file["entries"].append({**last, **blank, "changes": [[["turn"], 1 + seq % 6]]})
    seats = [{"user": 1, "name": "x", "side": "nobody's"}]
    return json.dumps({**file, "head": entries, "seats": seats}).encode()


def faulty(tables: int = 6000) -> bytes:
    """Return a scenario whose every table is at fault, which is told line by line."""
    return b"[[terrain]]\nx=1\n" * tables
