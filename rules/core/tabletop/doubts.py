"""Lines of typed text that cannot be read, or could mean two things."""

from collections.abc import Sequence
from dataclasses import dataclass

from rules.core.refusal import Refused


@dataclass(frozen=True)
class Doubt:
    """An unreadable or ambiguous line: its number, counted from 1, its text, and the reason."""

    number: int
    text: str
    why: str


def require_no_doubts(doubts: Sequence[Doubt]) -> None:
    """Raise Refused with every doubtful line, if there are any."""
    if doubts:
        reasons = "\n".join(f"- line {doubt.number}, “{doubt.text[:60]}”: {doubt.why}" for doubt in doubts)
        raise Refused(f"Some lines are not clear:\n{reasons}")
