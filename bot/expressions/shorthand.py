"""What people type around an expression, and what other dice bots call by a name."""

import re
import tomllib
from collections.abc import Iterator, Sequence
from importlib.resources import files

from pydantic import BaseModel, ConfigDict


class Name(BaseModel):
    """A name, as a regular expression, and the expression it stands for."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    typed: str
    means: str


class Advice(BaseModel):
    """Notation of other bots, unsupported here, with a suggested replacement."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    typed: str
    say: str


class _Shorthand(BaseModel):
    model_config = ConfigDict(extra="forbid")

    name: Sequence[Name]
    advice: Sequence[Advice]


_FILE = _Shorthand.model_validate(
    tomllib.loads(files(__package__).joinpath("shorthand.toml").read_text(encoding="utf-8"))
)
_TIMES = re.compile(r"^\s*(\d+)\s+(?=[\d(]|[a-ce-wyz]|d[a-z])", re.IGNORECASE)
"""A number before what is thrown so often, but not before a single die: `6 4d6`, `6 (2d6+1)`, `2 dndstats`."""
_NAMES = [(re.compile(rf"^((?:\s*\d+\s*x)*)\s*(?:{one.typed})(?!\w)", re.IGNORECASE), one.means) for one in _FILE.name]
_ADVICE = [(re.compile(one.typed, re.IGNORECASE), one.say) for one in _FILE.advice]
_REASON = re.compile(r"^\s*\(([^()]*[^\W\d_]{2}[^()]*)\)\s+(?=\S)")
_REMARK = re.compile(r"\s!(.*)$", re.DOTALL)


def readings(text: str) -> Iterator[tuple[str, str]]:
    """Ways to read a text, as an expression and its comment: `2d6 # wind`, or also `(wind) 2d6`, `2d6 ! wind`."""
    formula, _, comment = text.partition("#")
    yield formula, comment.strip()
    reason, remark = _REASON.search(formula), _REMARK.search(formula)
    if reason or remark:
        words = [reason[1] if reason else "", remark[1] if remark else "", comment]
        bare = _REMARK.sub("", _REASON.sub("", formula))
        yield bare, ": ".join(word.strip() for word in words if word.strip())


def written_out(text: str) -> str:
    """Return the expression with each name replaced by its dice, and `6 4d6` as `6x4d6`."""
    text = _TIMES.sub(r"\1x", text)
    for pattern, means in _NAMES:
        if found := pattern.match(text):
            return f"{found[1]}{means.format(**found.groupdict())}{text[found.end() :]}"
    return text


def advice(text: str) -> str:
    """Return the suggested replacement for unsupported notation, or an empty string."""
    return next((say for pattern, say in _ADVICE if pattern.search(text)), "")
