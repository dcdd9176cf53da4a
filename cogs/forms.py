"""The two ways to ask for a test: of a unit in the channel's game, or ad hoc of a kind of troops, with no game."""

import secrets
from collections.abc import Mapping
from typing import Any

from bot.errors import UserError
from rules.core.ruleset import Ruleset
from rules.core.sealed import SEED_BYTES, SealedDice
from rules.registry import rulesets

from .kit import acting, answer, completion, naming, presenter
from .kit.card import Card
from .kit.interaction import Interaction

OF_GAME = ("unit", "target", "contact", "to")
"""Options that speak of the channel's game."""
AD_HOC = ("rules", "troop", "losses", "figures", "against", "against_figures")
"""Options that speak of troops in general."""

EXAMPLES = {
    "morale": " losses:5",
    "reaction": "",
    "fire": " figures:24 range:10",
    "melee": " figures:24 against:{troop} against_figures:24",
}
"""The options an ad hoc question of a kind is shown with; other kinds are asked of a game."""
AT_ENEMIES = ("fire", "melee")
LOOSE = "-# Thrown outside any game."


def is_ad_hoc(command: str, kind: str, options: Mapping[str, Any]) -> bool:
    """Which way `options` ask. Raises UserError where they mix both, or are neither."""
    of_game = [name for name in OF_GAME if options.get(name) is not None]
    ad_hoc = [name for name in AD_HOC if options.get(name) is not None]
    if of_game and ad_hoc:
        raise UserError(f"{_list(of_game)} and {_list(ad_hoc)} do not go together. {both_ways(command, kind)}")
    if not of_game and not ad_hoc:
        raise UserError(f"Say who it is about. {both_ways(command, kind)}")
    return bool(ad_hoc)


def both_ways(command: str, kind: str) -> str:
    """How each way is written, with an example that can be sent as it stands."""
    of_game = f"/{command} unit:(its name){' target:(an enemy)' if kind in AT_ENEMIES else ''}"
    if kind not in EXAMPLES:
        return f"It is asked of a unit in this channel's game: {of_game}"
    system = next(iter(rulesets().values()))
    troop = next(iter(system.troops.values())).name
    ad_hoc = f"/{command} rules:{system.id} troop:{troop}{EXAMPLES[kind].format(troop=troop)}"
    return f"Either of a unit in this channel's game: {of_game} Or without a game: {ad_hoc}"


def _list(names: list[str]) -> str:
    return " and ".join(f"“{name}”" for name in names)


async def system_of(interaction: Interaction, given: str | None) -> Ruleset[Any]:
    """The system meant: the one named, else that of the channel's game, else the first. Raises UserError."""
    return naming.system_of(given) if given else await completion.system_of(interaction)


async def ask(interaction: Interaction, kind: str, options: Mapping[str, Any]) -> None:
    """Does a test of the game, or throws it ad hoc; answers with the report."""
    if is_ad_hoc(kind, kind, options):
        await throw(interaction, kind, options)
    else:
        await acting.perform(interaction, kind, options)


async def throw(interaction: Interaction, kind: str, options: Mapping[str, Any]) -> None:
    """Throws a test of troops in general: no game is touched, and nothing is kept."""
    system = await system_of(interaction, options.get("rules"))
    state, action = system.ad_hoc(kind, ad_hoc_args(options))
    dice = SealedDice(secrets.token_bytes(SEED_BYTES), system.id, interaction.id, 1)
    _, report = system.act(state, action, dice)
    card = Card()
    for paragraph in presenter.paragraphs(report):
        card.text(paragraph)
    card.text("\n".join(map(presenter.owed_line, report.owed)))
    await answer.send(interaction, card.text(LOOSE), private=bool(options.get("secret")))


def ad_hoc_args(options: Mapping[str, Any]) -> dict[str, Any]:
    """What the system is asked: the options given, without those that are Discord's business."""
    return {name: value for name, value in options.items() if value is not None and name not in ("rules", "secret")}
