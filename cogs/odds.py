"""`/odds`: show an action's exact chances, and a sketch of the table after it, without throwing dice."""

import asyncio
from contextlib import suppress
from typing import Any

from bot.errors import NoGame, UnreadableGame
from bot.games.odds import make_forecast
from render.odds import draw_odds, explain_foreign_words
from rules.core.model import PUBLIC, Viewer
from rules.core.odds import Odds, Outcome
from rules.core.orders import MY_TURN
from rules.core.play import Sketch
from rules.core.wording import as_identifier, as_words, percent_in_words
from rules.registry import rulesets

from . import unit_tests
from .kit import reply
from .kit.cards import pictures, report_card
from .kit.cards.card import Card, Picture, picture_legend_line, safe
from .kit.command_traits import commands_by_kind, mark_as_look_up, offer_everywhere
from .kit.lookup import completion, name_lookup, systems
from .kit.option_types import Name
from .kit.request import Interaction, actor_of, game_of
from .shared_options import Option, Options, command_with_options

NOTHING = "-# Nothing was thrown, and nothing is done."
SURE = "-# Pictured: the table afterwards."
ABOUT = "-# Pictured: about how the table stands afterwards, with dice that fall in the middle."
GOOD = {True: "✅ ", False: "❌ ", None: "▸ "}


MOST_PARTS = 10**6
"""Largest denominator of a chance that is also shown as a fraction."""


def outcome_line(outcome: Outcome) -> str:
    """Return `✅ holds: 91.7% (11/12)`: an outcome with its chance."""
    readable = outcome.chance not in (0, 1) and outcome.chance.denominator <= MOST_PARTS
    exact = f" ({outcome.chance})" if readable else ""
    return f"{GOOD[outcome.good]}{safe(outcome.label)}: **{percent_in_words(outcome.chance)}**{exact}"


def odds_picture(odds: Odds, png: bytes) -> Picture:
    """Return the drawn odds as a picture. Its alternative text tells the odds in words."""
    outcomes = "; ".join(f"{outcome.label} {percent_in_words(outcome.chance)}" for outcome in odds.outcomes)
    scores = ", ".join(f"{score}: {percent_in_words(chance)}" for score, chance in odds.distribution)
    passes = f" Passes from {odds.pass_from}." if odds.pass_from is not None else ""
    alt = f"{odds.question} {outcomes}." + (f" {odds.score_label or 'Score'} {scores}.{passes}" if scores else "")
    return Picture("odds.png", png, alt, picture_legend_line(explain_foreign_words(odds)))


def add_odds(card: Card, odds: Odds, picture: Picture) -> None:
    """Add the question, its steps, the chances, the warnings and the picture to a card."""
    card.text(f"### {safe(odds.question)}")
    if odds.steps:
        card.text("\n".join(report_card.step_line(step) for step in odds.steps))
    card.text("\n".join(map(outcome_line, odds.outcomes)))
    if odds.warnings:
        card.text(report_card.warning_lines(odds.warnings))
    card.picture(picture)


def add_sketch(card: Card, sketch: Sketch[Any], viewer: Viewer, picture: Picture | None, odds: Odds | None) -> None:
    """Add an action's sketch to a card: report and picture. If the card has odds, add only new warnings."""
    report = sketch.report.view_for(viewer)
    if odds is None and report is not None:
        card.text("\n".join(report_card.full_paragraphs(report)))
    elif odds is not None and report is not None:
        card.text(report_card.warning_lines(warning for warning in report.warnings if warning not in odds.warnings))
    if picture is not None:
        card.picture(picture).text(ABOUT if sketch.about else SURE)


async def odds_card(interaction: Interaction, kind: str, options: Options) -> Card:
    """Return the card of an action's odds and sketch, in the user's view. Raises UserError, Refused like the action."""
    run, card = interaction.client.workers.run, Card()
    if await unit_tests.is_ad_hoc_test(interaction, f"odds test:{kind}", kind, options):
        system = await unit_tests.find_test_system(interaction, kind, options.get("rules"))
        odds = system.ad_hoc.odds(kind, unit_tests.ad_hoc_args(options)).view_for(PUBLIC)
        assert odds is not None, "a question without a game has no secrets"
        add_odds(card, odds, odds_picture(odds, await run(draw_odds, odds)))
        return card.text(NOTHING)
    game = await game_of(interaction)
    systems.require_action(game.ruleset, kind)
    viewer = game.viewer(interaction.user.id)
    action = game.ruleset.parse(kind, name_lookup.resolve_names(game, viewer, kind, options))
    result = await asyncio.to_thread(make_forecast, game, actor_of(interaction), action)
    if result.odds is not None:
        add_odds(card, result.odds, odds_picture(result.odds, await run(draw_odds, result.odds)))
    if result.sketch is not None:
        acts, (before, after) = [(kind, result.sketch.report.units)], (result.sketch.before, result.sketch.state)
        drawing = pictures.draw_sketch(interaction.client.workers, game, after, before, acts, viewer)
        add_sketch(card, result.sketch, viewer, await pictures.draw_if_possible(drawing, game), result.odds)
    if result.sight is not None:
        sight_drawing = pictures.draw_sight_lines(interaction.client.workers, game, viewer, result.sight, "sketch.png")
        card.picture(await pictures.draw_if_possible(sight_drawing, game))
    if result.later:
        when = "your next turn" if result.later == MY_TURN else f"your side's next phase “{result.later}”"
        card.text(f"-# Not possible now: these are the chances in {when}.")
    return card.text(NOTHING)


@completion.safe_completer
async def complete_tests(interaction: Interaction, current: str) -> list[completion.Choice]:
    """Complete `test` with the tests that have commands of their own, then with other actions of the game's units."""
    kinds = {*(await completion.find_typed_system(interaction)).kinds_with_odds}
    with suppress(NoGame, UnreadableGame):
        actions = (await game_of(interaction)).ruleset.actions.items()
        kinds |= {kind for kind, action in actions if action.is_unit_action and not action.umpire_only}
    all_kinds = {*kinds}
    if not completion.typed_option(interaction, "rules"):
        all_kinds.update(*(system.ad_hoc.question_fields_by_kind for system in rulesets().values()))
    own = [kind for kind in commands_by_kind(interaction) if kind in all_kinds]
    ordered = [*own, *sorted(kinds - set(own))]
    return completion.match_choices(current, ((kind, as_words(kind)) for kind in ordered))


def typed_test_kind(interaction: Interaction) -> str:
    """Return the typed kind of test, or an empty string."""
    return as_identifier(completion.typed_option(interaction, "test") or "")


@offer_everywhere
@mark_as_look_up
@command_with_options(
    Option("test", Name, "Which test, or other action", complete_tests, is_required=True),
    *("unit", "target", "to", "range", "dice", "contact", "rules", "troop", "state", "losses", "figures", "against"),
    *("against_figures", "with"),
    kind=typed_test_kind,
)
async def odds(interaction: Interaction, values: Options) -> None:
    """Shows what an action would bring, with its exact chances, for your eyes only; throws nothing."""
    options = {name: value for name, value in values.items() if name != "test"}
    await reply.send_privately_when_ready(interaction, odds_card(interaction, as_identifier(values["test"]), options))
