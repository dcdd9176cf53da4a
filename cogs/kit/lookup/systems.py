"""Find the rule system of a question, and examples of questions without a game."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from bot.errors import NoGame, UnreadableGame, UserError
from cogs.kit.request import Interaction, channel_of
from rules.core.ruleset import Refused, Ruleset, Troop
from rules.core.wording import as_words, join_with_and
from rules.registry import rulesets

THE_TROOP = "{troop}"
EXAMPLES: Mapping[str, Mapping[str, Any]] = {
    "morale": {"losses": 5},
    "reaction": {},
    "fire": {"figures": 6, "range": 4},
    "melee": {"figures": 12, "against": THE_TROOP, "against_figures": 12},
    "conduct": {"state": "steady"},
    "rally": {"state": "shaken"},
    "critical": {},
}
"""Options of example questions without a game, by kind of action. A system gets only the options that it takes."""
TEST_KINDS = ("morale", "reaction", "conduct", "rally", "critical")
"""Kinds of tests. If a system lacks one of these tests, the error suggests the tests that the system has."""


def systems_with_action(kind: str) -> Sequence[Ruleset[Any]]:
    """Return the systems with this kind of action, first those that answer questions about it without a game."""
    systems = [
        system for system in rulesets().values() if kind in system.actions and not system.actions[kind].umpire_only
    ]
    return sorted(systems, key=lambda system: kind not in system.ad_hoc.question_fields_by_kind)


async def find_system(interaction: Interaction, kind: str | None = None) -> Ruleset[Any]:
    """Return the game's system. Without a game, or if the system lacks this kind of action, return one that has it."""
    able_systems = systems_with_action(kind) if kind is not None else ()
    try:
        of_game = (await interaction.client.games.running_game(channel_of(interaction))).ruleset
    except (NoGame, UnreadableGame):
        return next(iter(able_systems or rulesets().values()))
    return of_game if not able_systems or of_game.id in (system.id for system in able_systems) else able_systems[0]


def require_action(system: Ruleset[Any], kind: str) -> None:
    """Raise UserError if only other systems have this kind of action, and name these systems.

    A kind that no system has passes this check, and is refused by the parser.
    """
    others = systems_with_action(kind)
    if kind in system.actions or not others:
        return
    words = as_words(kind)
    titles = ", ".join(other.title for other in others)
    examples = filter(None, (example_command(other, kind) for other in others))
    other_example = next((f" Without a game: {command}" for command in examples), "")
    own = join_with_and(f"/{test}" for test in TEST_KINDS if test in system.actions)
    uses = f" It uses {own}." if own and kind in TEST_KINDS else ""
    raise UserError(f"{system.title} has no {words}.{uses} These do: {titles}.{other_example}")


def example_command(system: Ruleset[Any], kind: str, command: str | None = None) -> str:
    """Return an example of a complete command for a question without a game, or an empty string."""
    troops = askable_troops(system, kind)
    troop = next((troop for troop in troops if system.allows(*_example_question(system, kind, troop))), None)
    if kind not in system.ad_hoc.question_fields_by_kind or troop is None:
        return ""
    options = {"rules": system.id, "troop": troop.name, **_example_options(system, kind, troop)}
    return " ".join((f"/{command or kind}", *(f"{name}:{value}" for name, value in options.items())))


@cache
def askable_troops(system: Ruleset[Any], kind: str) -> tuple[Troop, ...]:
    """Return the troops about which the system answers questions of this kind without a game."""
    return tuple(troop for troop in system.troops.values() if _has_example(system, kind, troop))


def _has_example(system: Ruleset[Any], kind: str, troop: Troop) -> bool:
    try:
        _example_question(system, kind, troop)
    except Refused:
        return False
    return True


def _example_question(system: Ruleset[Any], kind: str, troop: Troop) -> tuple[Any, Any]:
    """Set up an example question without a game: return its temporary state and its action. Raises Refused."""
    return system.ad_hoc.set_up(kind, {"troop": troop.name, **_example_options(system, kind, troop)})


def _example_options(system: Ruleset[Any], kind: str, troop: Troop) -> dict[str, Any]:
    """Return the options of an example command that the system accepts, besides `troop`."""
    accepted = system.ad_hoc.question_fields_by_kind.get(kind, ())
    values = EXAMPLES.get(kind, {})
    return {name: troop.name if value == THE_TROOP else value for name, value in values.items() if name in accepted}
