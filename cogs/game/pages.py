"""Texts and cards about a game: its state, its seats and its log."""

from collections.abc import Sequence

from bot.journal.game import Entry, Game
from cogs.kit.cards import report_card, unit_list
from cogs.kit.cards.card import Card, safe
from rules.core.model import Viewer
from rules.core.ruleset import describe_tally

LONGEST_LOG = 3500
"""Maximum characters of a log in a message; a longer log is a file."""


def seat_lines(game: Game) -> str:
    """Return a line for the umpire, and a line for each side with its players."""
    lines = [f"Umpire: {safe(game.umpire.name)}"]
    for side in game.state.sides:
        lines.append(f"{safe(side.name)}: {safe(game.names_of_players(side)) or 'nobody yet'}")
    return "\n".join(lines)


def result_in_words(game: Game) -> str:
    """Return how the game ended, or an empty string for a game that goes on."""
    over = game.state.over
    if over is None:
        return ""
    return f"**{safe(game.state.result)}.** {safe(over.why)}"


def seal_line(game: Game) -> str:
    """Return the seals of the dice, and explain how players verify throws with the seals."""
    hidden = next((seed.seal for seed in reversed(game.seeds) if seed.hidden), "")
    secretly = f", hidden throws with `{hidden}`" if hidden else ""
    return f"-# Dice sealed with `{game.seal}`{secretly}. `/dice verify` recomputes every throw."


def game_heading(game: Game) -> str:
    """Return the heading of a card, with the game's name, rule system and turn."""
    return f"### {safe(game.name)}\n-# {safe(game.ruleset.title)} · {safe(game.state.turn_title)}"


def status_card(game: Game, viewer: Viewer) -> Card:
    """Return the card of the game's state, without buttons. If the game is over, the result comes first."""
    card = Card(report_card.turn_colour(game.state))
    card.text(result_in_words(game)).text(game_heading(game))
    card.text(safe(describe_tally(game.ruleset, game.state))).text(seat_lines(game))
    return card.paragraphs(unit_list.side_paragraphs(game, viewer))


def entry_text(entry: Entry) -> str:
    """Return a journal entry in words, with its whole report, number, time and user."""
    footer = f"-# {entry.shown_number} · <t:{int(entry.at.timestamp())}:t> · {safe(entry.actor.name)}"
    if entry.undone:
        return f"~~{safe(entry.report.headline)}~~ *taken back*\n{footer}"
    return "\n".join((f"**{safe(entry.report.headline)}**", *report_card.calculation_paragraphs(entry.report), footer))


def journal_card(game: Game, entries: Sequence[Entry]) -> Card:
    """Return the card of entries, oldest first. A text too long for a message is attached as a file."""
    text = "\n\n".join(entry_text(entry) for entry in entries)
    card = Card().text(f"### {safe(game.name)}")
    if len(text) <= LONGEST_LOG:
        return card.text(text or "Nothing has happened yet.")
    card.text(entry_text(entries[-1])[:LONGEST_LOG])
    return card.attach(f"log-{game.id}.md", text.encode())


def public_seeds_line(game: Game) -> str:
    """Return a sentence with the public seeds of the dice, or an empty string if none is public."""
    seeds = [f"`{seed.secret}`" for seed in game.seeds if seed.secret and not seed.hidden]
    return f"Seed of the dice: {', '.join(seeds)}. `/dice verify` recomputes every throw." if seeds else ""
