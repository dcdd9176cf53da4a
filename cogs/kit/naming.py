"""Units by name: what a user typed, found among what they may know of."""

from collections.abc import Mapping, Sequence
from typing import Any

from rapidfuzz import fuzz, process, utils

from bot.errors import UserError
from bot.games import Game
from rules.core.model import Viewer
from rules.core.ruleset import Ruleset
from rules.core.state import State, UnitCard
from rules.registry import rulesets

UNIT_OPTIONS = ("unit", "target", "by", "parent", "general", "friend")
"""Options that name a unit of the game."""
SIDE_OPTION = "side"
SURE = 90.0
NEAR = 50.0


def resolved(game: Game, viewer: Viewer, args: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments with units and sides by id. Raises UserError with the nearest names."""
    roster = game.ruleset.roster(game.state, viewer)

    def known(name: str, value: Any) -> Any:
        if name in UNIT_OPTIONS and isinstance(value, str):
            return unit_id(roster, value)
        return side_id(game.state, value) if name == SIDE_OPTION and isinstance(value, str) else value

    return {name: known(name, value) for name, value in args.items()}


def unit_id(roster: Sequence[UnitCard], text: str) -> str:
    """The id of the unit meant by `text`: its id, its name, or a name that only it comes close to.

    Ids come first: a unit that bears another's id as its name hides nobody.
    """
    wanted = text.strip().casefold()
    if by_id := [card.id for card in roster if wanted == card.id.casefold()]:
        return by_id[0]
    exact = [card.id for card in roster if wanted == card.name.casefold()]
    if len(exact) == 1:
        return exact[0]
    if exact:
        raise UserError(f"There are {len(exact)} units named “{text[:60]}”. Choose one from the list as you type.")
    ranked = process.extract(
        wanted, {card.id: card.name for card in roster}, scorer=fuzz.WRatio, processor=utils.default_process, limit=4
    )
    sure = [key for _, score, key in ranked if score >= SURE]
    if len(sure) == 1:
        return sure[0]
    near = [name for name, score, _ in ranked if score >= NEAR]
    hint = f"The nearest: {', '.join(near)}." if near else "/unit list shows them all."
    raise UserError(f"No unit here is called “{text[:60]}”. {hint}")


def system_of(text: str) -> Ruleset[Any]:
    """The system meant by id or title. Raises UserError with those there are."""
    names = {system.id: system.title for system in rulesets().values()}
    return rulesets()[one_of(names, text, "rules")]


def one_of(names: Mapping[str, str], text: str, noun: str) -> str:
    """The key of the name meant. Raises UserError with the names there are."""
    wanted = text.strip().casefold()
    for key, name in names.items():
        if wanted in (key.casefold(), name.casefold()):
            return key
    best = process.extractOne(wanted, names, scorer=fuzz.WRatio, processor=utils.default_process, score_cutoff=SURE)
    if best is not None:
        return str(best[2])
    raise UserError(f"There is no {noun} “{text[:60]}”. There are: {', '.join(names.values())}.")


def side_id(state: State, text: str) -> str:
    """The side meant by id or name. Raises UserError with the sides there are."""
    return one_of({side.id: side.name for side in state.sides}, text, "side")
