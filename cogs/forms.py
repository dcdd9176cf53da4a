"""The two ways to ask for a test: of a unit in the channel's game, or ad hoc of a kind of troops, with no game."""

import secrets
from collections.abc import Mapping
from typing import Any

from bot.errors import UserError
from rules.core.ruleset import Ruleset
from rules.core.sealed import SEED_BYTES, SealedDice

from .kit import acting, answer, naming, presenter, systems
from .kit.card import Card
from .kit.interaction import Interaction

OF_GAME = ("unit", "target", "contact", "to")
"""Options that speak of the channel's game."""
AD_HOC = ("rules", "troop", "state", "losses", "figures", "against", "against_figures")
"""Options that speak of troops in general."""
AT_ENEMIES = ("fire", "melee")
LOOSE = "-# Thrown outside any game."


async def is_ad_hoc(interaction: Interaction, command: str, kind: str, options: Mapping[str, Any]) -> bool:
    """Which way `options` ask. Raises UserError, with how each is written, where they mix both, or are neither."""
    of_game = [name for name in OF_GAME if options.get(name) is not None]
    ad_hoc = [name for name in AD_HOC if options.get(name) is not None]
    if bool(of_game) is not bool(ad_hoc):
        return bool(ad_hoc)
    system = await system_of(interaction, kind, options.get("rules"))
    amiss = f"{_list(of_game)} and {_list(ad_hoc)} do not go together." if of_game else "Say who it is about."
    raise UserError(f"{amiss} {both_ways(command, kind, system)}")


def both_ways(command: str, kind: str, system: Ruleset[Any]) -> str:
    """How each way is written, with an example that can be sent as it stands."""
    of_game = f"/{command} unit:(its name){' target:(an enemy)' if kind in AT_ENEMIES else ''}"
    known = (systems.example(one, kind, command) for one in (system, *systems.knowing(kind)))
    ad_hoc = next((example for example in known if example), "")
    if not ad_hoc:
        return f"It is asked of a unit in this channel's game: {of_game}"
    return f"Either of a unit in this channel's game: {of_game} Or without a game: {ad_hoc}"


def _list(names: list[str]) -> str:
    return " and ".join(f"“{name}”" for name in names)


async def system_of(interaction: Interaction, kind: str, given: str | None) -> Ruleset[Any]:
    """The system meant: the one named, else that of the channel's game, else the first that has it. Raises UserError.

    One that is named, and has no such action where others have, is refused.
    """
    if given is None:
        return await systems.meant(interaction, kind)
    system = naming.system_of(given)
    systems.require(system, kind)
    return system


async def ask(interaction: Interaction, kind: str, options: Mapping[str, Any]) -> None:
    """Does a test of the game, or throws it ad hoc; answers with the report."""
    if await is_ad_hoc(interaction, kind, kind, options):
        await throw(interaction, kind, options)
    else:
        await acting.perform(interaction, kind, options)


async def throw(interaction: Interaction, kind: str, options: Mapping[str, Any]) -> None:
    """Throws a test of troops in general: no game is touched, and nothing is kept."""
    system = await system_of(interaction, kind, options.get("rules"))
    state, action = system.ad_hoc(kind, ad_hoc_args(options))
    dice = SealedDice(secrets.token_bytes(SEED_BYTES), system.id, interaction.id, 1)
    _, report = system.act(state, action, dice)
    card = Card()
    for paragraph in presenter.paragraphs(report):
        card.text(paragraph)
    card.text("\n".join(presenter.prompt_line(prompt) for prompt in report.prompts if prompt.required))
    await answer.send(interaction, card.text(LOOSE), private=bool(options.get("secret")))


def ad_hoc_args(options: Mapping[str, Any]) -> dict[str, Any]:
    """What the system is asked: the options given, without those that are Discord's business."""
    return {name: value for name, value in options.items() if value is not None and name not in ("rules", "secret")}
