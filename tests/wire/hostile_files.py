"""Hostile files, which take much time and memory to read."""

import json
from collections.abc import Mapping
from typing import Any

SYSTEM = "magdala"


def make_dotted_key(parts: int = 45_000) -> bytes:
    """Return TOML with a single key of many parts; the time of tomllib grows with their square."""
    return b".".join([b"a"] * parts) + b"=1"


def make_nested_lists(levels: int = 45_000) -> bytes:
    """Return TOML with deeply nested lists."""
    return b"a=" + b"[" * levels


def make_large_export(exported: bytes, entries: int = 6000) -> bytes:
    """Return an exported game, extended to `entries` entries with a state each, and an invalid seat at the end."""
    file: dict[str, Any] = json.loads(exported)
    last: Mapping[str, Any] = {**file["entries"][-1], "report": {"headline": "x"}}
    for seq in range(len(file["entries"]) + 1, entries + 1):
        blank = {"seq": seq, "number": seq, "interaction": 0, "dice": [], "acts": False, "kind": "note", "state": None}
        file["entries"].append({**last, **blank, "changes": [[["turn"], 1 + seq % 6]]})
    seats = [{"user": 1, "name": "x", "side": "nobody's"}]
    return json.dumps({**file, "head": entries, "seats": seats}).encode()


def make_faulty_scenario(tables: int = 6000) -> bytes:
    """Return a scenario with an error in every table, so that the list of errors is long."""
    return b"[[terrain]]\nx=1\n" * tables
