"""Questions asked without a game: of conduct, fire, melee and critical hits."""

from collections.abc import Callable, Mapping
from typing import Any

from pydantic import ValidationError

from rules.core.invalid import why_invalid
from rules.core.ruleset import Refused
from rules.core.state import Action

from .fighting import ad_hoc as fighting
from .model import EmpireState

Ask = Callable[[str, Mapping[str, Any], tuple[str, ...]], tuple[EmpireState, Action]]

PACKAGES = (fighting,)
ASKED: Mapping[str, Ask] = {kind: each.ask for each in PACKAGES for kind in each.TAKES}
TAKES: Mapping[str, tuple[str, ...]] = {kind: takes for each in PACKAGES for kind, takes in each.TAKES.items()}
WORDS: Mapping[str, tuple[str, ...]] = {kind: words for each in PACKAGES for kind, words in each.WORDS.items()}


def ask(kind: str, args: Mapping[str, Any], words: tuple[str, ...]) -> tuple[EmpireState, Action]:
    """The table and the action of a question. Raises Refused on what is missing, unknown or absurd."""
    given = {name: value for name, value in args.items() if value is not None}
    if kind not in ASKED:
        raise Refused(f"Without a game you can ask for {', '.join(ASKED)}. For {kind}, begin one with /game new.")
    try:
        return ASKED[kind](kind, given, words)
    except ValidationError as error:
        first = error.errors()[0]
        raise Refused(f"“{first['loc'][0]}”: {why_invalid(first)} Change it and try again.") from None
