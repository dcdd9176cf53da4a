"""Whose consent an undo or redo needs."""

from collections.abc import Sequence

from sqlalchemy import select

from bot.journal.entries import UNDO, UNDONE
from bot.journal.game import Actor, Entry, Game
from bot.journal.ledger import Ledger
from bot.store.tables import ENTRIES
from rules.core.model import PUBLIC, UMPIRE, Viewer

from .undo_candidates import load_newest_first


def describe_required_consent(game: Game, actor: Actor, entries: Sequence[Entry]) -> str:
    """Return a sentence about the consent that the undo needs, or an empty string."""
    viewer = game.viewer(actor.id)
    if game.is_umpire(actor.id):
        return ""
    if viewer == PUBLIC:
        return f"You are an onlooker. Only the players and the umpire, {game.umpire.name}, may undo."
    if has_umpires_action(entries):
        return f"That needs the consent of the umpire, {game.umpire.name}."
    why = _reason_for_consent(actor, entries)
    own = {viewer} if can_allies_consent(game, viewer, entries) else game.state.allies_of(viewer)
    consenters = [
        f"{seat.name} ({game.name_of(seat.side)})" for seat in game.seats if seat.side not in own and not seat.is_bot
    ]
    return why and f"{why}: that needs the consent of {' or '.join((*consenters, f'the umpire, {game.umpire.name}'))}."


def has_umpires_action(entries: Sequence[Entry]) -> bool:
    """Whether the entries include an umpire's action, which only the umpire may undo."""
    return any(entry.side == UMPIRE for entry in entries)


def can_allies_consent(game: Game, viewer: Viewer, entries: Sequence[Entry]) -> bool:
    """Whether a player of an allied side may consent to the undo of these entries.

    Allies may consent if only allied sides acted and no dice were thrown.
    """
    allies = game.state.allies_of(viewer)
    return not any(entry.dice or entry.side not in allies for entry in entries)


def _reason_for_consent(actor: Actor, entries: Sequence[Entry]) -> str:
    """Return why undoing the entries needs consent, or an empty string if the actor needs none."""
    if any(entry.actor.id != actor.id for entry in entries):
        return "Others have acted since"
    if any(entry.dice for entry in entries):
        return "Dice were thrown"
    if have_shown_hidden_facts(entries):
        return "Something hidden was shown"
    return ""


async def describe_redo_consent(ledger: Ledger, game: Game, actor: Actor, seq: int) -> str:
    """Return a sentence about who may redo entry `seq`, or an empty string if the actor may."""
    viewer = game.viewer(actor.id)
    if game.is_umpire(actor.id):
        return ""
    if viewer == PUBLIC:
        return (
            "You are an onlooker. Only the player who took it back, or the umpire, "
            f"{game.umpire.name}, may put it back."
        )
    undos = select(ENTRIES.c.seq, ENTRIES.c.actor, ENTRIES.c.actor_name, ENTRIES.c.action)
    rows = await load_newest_first(ledger, undos.where(ENTRIES.c.game == game.id, ENTRIES.c.kind == UNDO))
    by = next((row for row in rows if seq in row.action.get(UNDONE, ())), None)
    if by is None:
        return f"Only the umpire, {game.umpire.name}, may put that back."
    if by.actor == actor.id:
        return ""
    return f"{by.actor_name} took it back, so {by.actor_name} or the umpire, {game.umpire.name}, may put it back."


def have_shown_hidden_facts(entries: Sequence[Entry]) -> bool:
    """Whether any of the entries showed a hidden fact."""
    return any(entry.report.showed_hidden for entry in entries)
