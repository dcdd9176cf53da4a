"""Recordings of a system in one zip file. Each start, game or set of decisions is a part; each action is a line.

Every line is a JSON object. The first line of a part has the `version` of the system when recorded, and for a game its
first `state`. The other lines have these keys:

    starts       scenario, choices, throws, state
    games        kind, args, throws, headline, and state after every few actions; or kind, args, refused
    decisions    kind, args, throws, headline, turn, before, decided, after

States are texts written by `Ruleset.write_state`; throws are [sides, [faces]] in order.
"""

import json
from pathlib import Path
from typing import Any
from zipfile import ZIP_LZMA, ZipFile, ZipInfo

HERE = Path(__file__).parent
STARTS, GAMES, DECISIONS = "starts", "games", "decisions"
FEW_DECISIONS = "few-decisions/all"
"""Name of a part that repeats some decisions of every kind, for quick tests."""

Line = dict[str, Any]
Parts = dict[str, list[Line]]
"""Parts by name."""


def get_path(system: str) -> Path:
    """Return the path of a system's recordings."""
    return HERE / f"{system}.zip"


def write(system: str, parts: Parts, base: str) -> None:
    """Write all parts by name, with the commit `base`. Equal parts give an equal file."""
    with ZipFile(get_path(system), "w", ZIP_LZMA) as packed:
        packed.comment = base.encode()
        for name in sorted(parts):
            text = "\n".join(json.dumps(line, ensure_ascii=False) for line in parts[name])
            packed.writestr(ZipInfo(name), text, ZIP_LZMA)


def read_base(system: str) -> str:
    """Return the commit of a system's recordings."""
    with ZipFile(get_path(system)) as packed:
        return packed.comment.decode()


def list_names(system: str, kind: str = "") -> list[str]:
    """Return the names of all parts, or of the parts of a kind, in order."""
    with ZipFile(get_path(system)) as packed:
        return [name for name in packed.namelist() if not kind or name.startswith(f"{kind}/")]


def read(system: str, name: str) -> list[Line]:
    """Return the lines of a part."""
    with ZipFile(get_path(system)) as packed:
        return [json.loads(line) for line in packed.read(name).decode().split("\n")]
