"""Tests by command: for a unit of the channel's game, or ad hoc for any troops, without a game."""

import secrets
from collections.abc import Sequence
from typing import Any

from bot.errors import UserError
from rules.core.ruleset import Ruleset
from rules.core.sealed_dice import SEED_BYTES, SealedDice

from .kit import game_actions, illustration
from .kit.cards import pictures, report_card
from .kit.cards.card import Card, Picture
from .kit.lookup import name_lookup, systems
from .kit.request import Interaction
from .shared_options import Options

GAME_OPTIONS = ("unit", "target", "contact", "to")
"""Options of a test in the channel's game."""
AD_HOC_OPTIONS = ("rules", "troop", "state", "losses", "figures", "against", "against_figures")
"""Options of an ad hoc test, for any troops."""
AT_ENEMIES = ("fire", "melee")


async def is_ad_hoc_test(interaction: Interaction, command: str, kind: str, options: Options) -> bool:
    """Whether `options` ask for an ad hoc test. Raises UserError, with examples, if that is unclear."""
    of_game = [name for name in GAME_OPTIONS if options.get(name) is not None]
    ad_hoc = [name for name in AD_HOC_OPTIONS if options.get(name) is not None]
    if bool(of_game) is not bool(ad_hoc):
        return bool(ad_hoc)
    system = await find_test_system(interaction, kind, options.get("rules"))
    wrong = "Say which unit or which troops."
    if of_game:
        game_names, ad_hoc_names = (" and ".join(f"“{name}”" for name in names) for names in (of_game, ad_hoc))
        wrong = f"{game_names} and {ad_hoc_names} do not go together. Leave one out."
    raise UserError(f"{wrong} {example_commands(command, kind, system)}")


def example_commands(command: str, kind: str, system: Ruleset[Any]) -> str:
    """Return a hint with complete example commands, for a test in the game and for a test without a game."""
    of_game = f"/{command} unit:(its name){' target:(an enemy)' if kind in AT_ENEMIES else ''}"
    able_systems = (system, *systems.systems_with_action(kind))
    examples = (systems.example_command(ruleset, kind, command) for ruleset in able_systems)
    ad_hoc = next(filter(None, examples), "")
    without_game = f" Or ask without a game: {ad_hoc}" if ad_hoc else ""
    return f"Give a unit of this channel's game: {of_game}{without_game}"


async def find_test_system(interaction: Interaction, kind: str, name: str | None) -> Ruleset[Any]:
    """Return the rule system called `name`. For None, return the game's system or the first system with this test.

    Raises Refused for an unknown name, UserError if only other systems have the test.
    """
    if name is None:
        return await systems.find_system(interaction, kind)
    system = name_lookup.find_system_by_name(name)
    systems.require_action(system, kind)
    return system


async def run_test(interaction: Interaction, kind: str, options: Options) -> None:
    """Carry out a test with the command's options, in the game or ad hoc, and answer with its report."""
    if await is_ad_hoc_test(interaction, kind, kind, options):
        await run_ad_hoc_test(interaction, kind, options)
    else:
        await game_actions.perform_action(interaction, kind, options, opens_form=True)


async def run_ad_hoc_test(interaction: Interaction, kind: str, options: Options) -> None:
    """Carry out a test for any troops, without a game, and show the result. Nothing is stored."""
    system = await find_test_system(interaction, kind, options.get("rules"))
    dice = SealedDice(secrets.token_bytes(SEED_BYTES), system.id, interaction.id, 1)
    after, report = system.ad_hoc.answer(kind, ad_hoc_args(options), dice)

    def make_test_card(dice_pictures: Sequence[Picture]) -> Card:
        card = Card()
        for picture in dice_pictures:
            card.picture(picture)
        card.paragraphs(report_card.full_paragraphs(report))
        return card.text("\n".join(map(report_card.prompt_line, report.prompts))).text("-# Not part of a game.")

    drawing = pictures.draw_dice(interaction.client.workers, after.shown_dice)
    await illustration.send_with_pictures(interaction, drawing, make_test_card, private=bool(options.get("secret")))


def ad_hoc_args(options: Options) -> dict[str, Any]:
    """Return the given options that an ad hoc test takes: all except `rules` and `secret`."""
    return {name: value for name, value in options.items() if value is not None and name not in ("rules", "secret")}
