"""`/game brief`: what a player must know to take over a seat: aim, units, enemies, recent events, rulings."""

import asyncio
from collections.abc import Sequence

from discord import app_commands
from discord.ext import commands

from bot.games.brief import SeatBrief
from bot.games.rulings import Ruling
from bot.journal.game import Entry, Game
from bot.order_sheets.model import Sheet
from cogs.kit import reply
from cogs.kit.cards import report_card, unit_list
from cogs.kit.cards.card import Card, Picture, fit_lines, safe
from cogs.kit.cards.turn_account import account_button
from cogs.kit.order_sheets.standing_lines import standing_answer_lines
from cogs.kit.request import Interaction, actor_of, game_of, storage_key_of
from rules.core.fields import value_in_words
from rules.core.model import UMPIRE
from rules.core.ruleset import describe_tally
from rules.core.tabletop.battle import TableState
from rules.core.wording import as_words

from .catch_up import draw_changes, entry_line
from .clock import add_clock_lines

MOST_EVENTS, MOST_UNITS = 900, 900
"""Maximum letters of all lines about events, and of the list of units."""
MOST_RULINGS = 3


class BriefCommand(commands.Cog):
    """The command `/game brief`."""

    @app_commands.command()
    async def brief(self, interaction: Interaction) -> None:
        """What you must know to take over: aim, units, enemies, the last turns, what is open, rulings."""
        games = interaction.client.games

        async def make_brief_card() -> Card:
            game = await game_of(interaction)
            brief = await games.briefs.load_brief(game, actor_of(interaction))
            rulings = await interaction.client.rulings.load_newest_rulings(storage_key_of(interaction), MOST_RULINGS)
            maps = await draw_changes(interaction, game, brief.before, brief.viewer)
            own = (await games.sheets.load_own_sheet(game, actor_of(interaction))).sheet
            card = await asyncio.to_thread(brief_card, game, brief, own, rulings, maps)
            await add_clock_lines(interaction, card, game)
            return card

        await reply.send_privately_when_ready(interaction, make_brief_card())


def brief_card(
    game: Game, brief: SeatBrief, own_sheet: Sheet, rulings: Sequence[Ruling], maps: Sequence[Picture]
) -> Card:
    """Return the card of a brief. The card lists the standing answers on `own_sheet`, the user's order sheet."""
    viewer, state = brief.viewer, game.state
    title = "the umpire" if viewer == UMPIRE else game.the_side(viewer)
    card = Card(report_card.turn_colour(state)).text(f"### Brief for {safe(title)}\n-# {safe(game.name)}")
    status = f"{safe(state.turn_title_with_total)}. {safe(describe_tally(game.ruleset, state))}"
    card.text(f"**The aim.** {safe(briefing_and_objectives(game))}\n{status}")
    own = viewer if viewer != UMPIRE else None
    card.text(shorten_lines("\n".join(unit_list.side_paragraphs(game, viewer, own)), MOST_UNITS))
    if own is not None:
        others = (side.id for side in state.sides if side.id != own)
        units = (part for side in others for part in unit_list.side_paragraphs(game, viewer, side))
        sightings = (f"- {safe(sighting.name)}: {safe(sighting.place)}" for sighting in brief.seen_now)
        enemies = "\n".join(units if game.ruleset.enemies_seen is None else sightings)
        card.text(f"**Enemies seen now**\n{shorten_lines(enemies, MOST_UNITS)}" if enemies else "No enemy is in sight.")
    lines = "\n".join(f"- {safe(seen.name)}: {safe(seen.place)}, turn {seen.turn}" for seen in brief.last_seen)
    card.text(f"**Out of sight, last seen**\n{shorten_lines(lines, MOST_EVENTS)}" if lines else "")
    events = "\n".join(event_lines(game, brief.entries))
    card.text(f"**The last turns**\n{events}" if events else "")
    for words, picture in zip(("Before:", "Now:"), maps, strict=False):
        card.text(f"-# {words}").picture(picture)
    turn_ends = [entry for entry in brief.entries if entry.report.opens_turn and game.ruleset.turn_accounts is not None]
    card.buttons([account_button(game, turn_ends[-1])] if turn_ends and own is not None else [])
    report_card.add_private_prompts(card, game, viewer, game.ruleset.open_prompts(state))
    if answers := standing_answer_lines(game, viewer, own_sheet):
        card.text("**Standing answers**\n" + "\n".join(f"- {line}" for line in answers))
    agreed = (*(safe(ruling.text) for ruling in rulings), *changed_option_lines(game))
    lines = "\n".join(f"- {line}" for line in agreed)
    return card.text(f"**House rulings here**\n{lines}" if lines else "")


def event_lines(game: Game, entries: Sequence[Entry]) -> Sequence[str]:
    """Return lines about entries, oldest first, in at most MOST_EVENTS characters. A last line counts omitted entries.

    Actions with a target are kept first, because the map already shows moves; then newer actions.
    """
    at_target = {kind for kind, action in game.ruleset.actions.items() if "target" in action.model_fields}
    lines: dict[int, str] = {}
    for entry in sorted(entries, key=lambda entry: (entry.kind in at_target, entry.seq), reverse=True):
        line = entry_line(entry)
        if sum(map(len, lines.values())) + len(line) <= MOST_EVENTS:
            lines[entry.seq] = line
    omitted = len(entries) - len(lines)
    return [*(lines[seq] for seq in sorted(lines)), *([f"-# … and {omitted} more: `/game log`"] if omitted else [])]


def shorten_lines(text: str, most: int) -> str:
    """Return the text, or its first lines and an ellipsis if the text has more than `most` characters."""
    return text if len(text) <= most else f"{fit_lines(text, most)}\n…"


def briefing_and_objectives(game: Game) -> str:
    """Return the scenario's briefing, and the objectives."""
    scenario = game.ruleset.scenarios.get(game.state.scenario)
    briefing = scenario.briefing.strip() if scenario is not None else ""
    goals = game.state.objectives if isinstance(game.state, TableState) else ()
    goal_lines = [f"{game.state.side(goal.side):The} must hold {goal.name}." for goal in goals]
    return " ".join(filter(None, (briefing, *goal_lines))) or "As you agreed: no aim is written down."


def changed_option_lines(game: Game) -> Sequence[str]:
    """Return a line for each option that the umpire has changed."""
    options = game.state.options
    usual = type(options)()
    changed = [name for name in game.ruleset.option_fields if getattr(options, name) != getattr(usual, name)]
    return [f"{as_words(name)}: {safe(value_in_words(getattr(options, name)))}" for name in changed]
