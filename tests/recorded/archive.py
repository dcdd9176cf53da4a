"""The recordings of a system as one packed file: a part each start, game or lot of decisions, a line each thing done.

Every line is a JSON object. The first line of a part says what the part is: `version` (of the system, when recorded),
and for a game its first `state`. The others are:

    starts       scenario, choices, throws, state
    games        kind, args, throws, headline, and state after every so many; or kind, args, refused
    decisions    kind, args, throws, headline, turn, before, decided, after

A state is text as `Ruleset.write_state` writes it; throws are [sides, [faces]] in the order they were thrown.
"""

import json
from pathlib import Path
from typing import Any
from zipfile import ZIP_LZMA, ZipFile, ZipInfo

HERE = Path(__file__).parent
STARTS, GAMES, DECISIONS = "starts", "games", "decisions"
FEW_DECISIONS = "few-decisions/all"
"""A part that repeats some of the decisions, of every sort, to be looked at quickly."""

Line = dict[str, Any]
Parts = dict[str, list[Line]]
"""Parts by name."""


def file_of(system: str) -> Path:
    """Where the recordings of that system lie."""
    return HERE / f"{system}.zip"


def write(system: str, parts: Parts, base: str) -> None:
    """Writes all parts by name; `base` says of which commit they are. The same parts give the same file."""
    with ZipFile(file_of(system), "w", ZIP_LZMA) as packed:
        packed.comment = base.encode()
        for name in sorted(parts):
            text = "\n".join(json.dumps(line, ensure_ascii=False) for line in parts[name])
            packed.writestr(ZipInfo(name), text, ZIP_LZMA)


def base(system: str) -> str:
    """Of which commit the recordings are."""
    with ZipFile(file_of(system)) as packed:
        return packed.comment.decode()


def names(system: str, kind: str = "") -> list[str]:
    """Names of the parts of a kind, or of all, in order."""
    with ZipFile(file_of(system)) as packed:
        return [name for name in packed.namelist() if not kind or name.startswith(f"{kind}/")]


def read(system: str, name: str) -> list[Line]:
    """The lines of a part."""
    with ZipFile(file_of(system)) as packed:
        return [json.loads(line) for line in packed.read(name).decode().split("\n")]
