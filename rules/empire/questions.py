"""Questions asked without a game: of conduct, fire, melee and critical hits."""

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from rules.core.amiss import amiss
from rules.core.ruleset import Refused
from rules.core.state import Action

from .conduct import ad_hoc as conduct
from .fighting import ad_hoc as fighting
from .firing import ad_hoc as firing
from .model import EmpireState

PACKAGES = (conduct, firing, fighting)
TAKES: Mapping[str, tuple[str, ...]] = {kind: takes for each in PACKAGES for kind, takes in each.TAKES.items()}
WORDS: Mapping[str, tuple[str, ...]] = {kind: words for each in PACKAGES for kind, words in each.WORDS.items()}


def ask(kind: str, args: Mapping[str, Any], words: tuple[str, ...]) -> tuple[EmpireState, Action]:
    """The table and the action of a question. Raises Refused on what is missing, unknown or absurd."""
    given = {name: value for name, value in args.items() if value is not None}
    if kind not in TAKES:
        raise Refused(f"Without a game you can ask for {', '.join(TAKES)}. For {kind}, begin one with /game new.")
    for name in given:
        if name not in TAKES[kind]:
            taken = ", ".join((*TAKES[kind], "with"))
            raise Refused(f"Without a game, {kind} takes {taken}. Leave out “{name}”.")
    package = next(each for each in PACKAGES if kind in each.TAKES)
    try:
        return package.ask(kind, given, words)
    except ValidationError as error:
        first = error.errors()[0]
        raise Refused(f"“{first['loc'][0]}”: {amiss(first)} Change it and try again.") from None
