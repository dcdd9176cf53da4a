"""`/game undo`: preview an undo, confirm it by a button, or ask other players for the consent that it needs."""

import asyncio
import re
from collections.abc import Sequence
from hmac import compare_digest

from bot.errors import NotAllowed, Stale
from bot.games.undo import AFTER_A_LOOK, UndoPreview
from bot.games.undo_consent import have_shown_hidden_facts
from bot.journal.game import Actor, Entry, Game, Played
from cogs.kit import automatic_play, outbox, pressed_message, reply, turn_message, turn_post
from cogs.kit.cards import stale_buttons
from cogs.kit.cards.card import NEUTRAL, Card, safe
from cogs.kit.cards.next_step import NextStep
from cogs.kit.controls.control import LARGEST_ID, UNREADABLE, PersistentButton
from cogs.kit.request import BotChannel, Interaction, actor_of, channel_of, require_game
from cogs.kit.rooms import messages
from rules.core.model import PUBLIC, Viewer

MOST_STEPS = 100
"""Maximum actions in one undo."""
SHOWN = 10
"""Maximum number of entries that a list names. Further entries are only counted."""

PLAYS_ON = (
    "-# The bot is playing on, and what it does next comes before this: ask again once its turn is told. "
    "`/opponent side` with `level:off` stops it first."
)


class UndoButton(PersistentButton, action="undo", fields=("game", "seq", "steps")):
    """The button that performs an undo if nobody's consent is needed."""

    async def handle(self, interaction: Interaction) -> None:
        """Undo the actions. Raises Stale if the game has moved on."""
        progress, steps = parse_progress(self.fields["seq"]), self.number_field("steps", least=1, most=MOST_STEPS)
        await require_game(interaction, self.fields["game"])
        await pressed_message.remove_buttons(interaction)
        await undo_actions(interaction, actor_of(interaction), progress, steps, None)


class AskConsentButton(PersistentButton, action="ask", fields=("game", "seq", "steps")):
    """The button that asks the table for consent to an undo."""

    async def handle(self, interaction: Interaction) -> None:
        """Send everyone a request with the button that consents. Raises Stale."""
        progress, steps = parse_progress(self.fields["seq"]), self.number_field("steps", least=1, most=MOST_STEPS)
        game = await require_game(interaction, self.fields["game"])
        actor = actor_of(interaction)
        preview = await interaction.client.games.undo.preview(game, actor, steps)
        await pressed_message.remove_buttons(interaction)
        card = Card(NEUTRAL).text(f"**{safe(actor.name)}** asks to take back:\n{numbered_entry_lines(preview.entries)}")
        card.text(safe(preview.needs))
        seq = progress.partition("-")[0]
        tag = interaction.client.games.undo.sign_consent_request(game, actor.id, seq, steps)
        card.buttons([ConsentButton("Consent", game=game.id, seq=seq, steps=steps, user=actor.id, tag=tag)])
        await reply.send_to_channel(interaction, card)


class ConsentButton(PersistentButton, action="consent", fields=("game", "seq", "steps", "user", "tag")):
    """The button by which a player consents to another player's undo."""

    async def handle(self, interaction: Interaction) -> None:
        """Undo the actions for the user who asked. Raises NotAllowed if that user presses, Stale for a forged tag."""
        progress, steps = parse_progress(self.fields["seq"]), self.number_field("steps", least=1, most=MOST_STEPS)
        user = self.number_field("user", most=LARGEST_ID)
        game = await require_game(interaction, self.fields["game"])
        tag = interaction.client.games.undo.sign_consent_request(game, user, progress, steps)
        if not compare_digest(tag.encode(), self.fields["tag"].encode()):
            raise Stale(UNREADABLE)
        asker = Actor(id=user, name=game.people.get(user, "a player who has left"))
        if asker.id == interaction.user.id:
            raise NotAllowed("You asked for this yourself: another player or the umpire must consent.")
        await undo_actions(interaction, asker, progress, steps, actor_of(interaction))


def parse_progress(field: str) -> str:
    """Return `field` if it is written like a game's progress, such as `12-3` or `12`. Raises Stale otherwise."""
    if re.fullmatch("[0-9]{1,9}(-[0-9]{1,9})?", field) is None:
        raise Stale(UNREADABLE)
    return field


def numbered_entry_lines(entries: Sequence[Entry], viewer: Viewer = PUBLIC) -> str:
    """Return a line for each entry to undo, newest first, in the viewer's view."""
    lines = []
    for entry in entries[:SHOWN]:
        report = entry.report.view_for(viewer)
        headline = safe(report.headline) if report is not None else "*something secret*"
        lines.append(f"- **{entry.shown_number}** {headline} ({safe(entry.actor.name)})")
    if len(entries) > SHOWN:
        lines.append(f"… and {len(entries) - SHOWN} more")
    return "\n".join(lines)


def undo_preview_card(game: Game, preview: UndoPreview, steps: int, viewer: Viewer) -> Card:
    """Return the preview of an undo, with a button that confirms the undo or asks for consent.

    Raises NotAllowed if the user is an onlooker.
    """
    if viewer == PUBLIC:
        raise NotAllowed(preview.needs)
    card = Card(NEUTRAL).text(f"This takes back:\n{numbered_entry_lines(preview.entries, viewer)}")
    if preview.free:
        return card.buttons([UndoButton("Take it back", game=game.id, seq=game.progress_for(viewer), steps=steps)])
    card.text(safe(preview.needs))
    return card.buttons([AskConsentButton("Ask the table", game=game.id, seq=game.progress_for(viewer), steps=steps)])


async def undo_actions(
    interaction: Interaction, actor: Actor, progress: str, steps: int, consent: Actor | None
) -> None:
    """Undo `steps` actions of the game that the actor saw in the state `progress`, and tell everyone.

    `consent` is the player who agreed, or None. Automatic play halts; else it would repeat the undone actions at once.
    """
    games, channel = interaction.client.games, channel_of(interaction)
    try:
        take_back = games.undo.undo_actions
        work = take_back(channel, actor, steps, progress=progress, consent=consent, interaction=interaction.id)
        played = await reply.carry_out(interaction, work, quietly=True)
        interaction.client.loops.halt(channel)
    except Stale:
        if consent is not None:
            await pressed_message.remove_buttons(interaction)
        raise
    if consent is not None:
        await pressed_message.remove_buttons(interaction)
    undone = await games.undo.load_changed_entries(played, actor)
    card = undone_entries_card(actor, played.game, undone, consent)
    await announce_undo(interaction, card, played.game, undone)


def undone_entries_card(actor: Actor, game: Game, undone: Sequence[Entry], consent: Actor | None = None) -> Card:
    """Return the card that tells everyone which entries the actor undid, newest first."""
    consent_note = f" **{safe(consent.name)}** consents." if consent is not None else ""
    lines = numbered_entry_lines(undone, undo_message_viewer(game, undone, actor))
    card = Card(NEUTRAL).text(f"**{safe(actor.name)}** takes back:\n{lines}").text(consent_note.strip())
    if have_shown_hidden_facts(undone):
        card.text(f"⚠ This was {AFTER_A_LOOK}. The log and the report say so.")
    return card.text(f"-# It is {safe(game.state.turn_title_with_total)} again; the count of the dice goes on.")


async def post_undo_message(context: BotChannel, played: Played, undone: Sequence[Entry]) -> None:
    """Tell the channel and the rooms which entries were undone on the live map, and the next step.

    If the undo is secret, tell only the rooms.
    """
    game, actor = played.game, played.entry.actor
    if is_undo_secret(game, undone):
        messages.tell_rooms(context, played)
        return
    call = await turn_post.make_turn_call(context, played)
    card = undone_entries_card(actor, game, undone).mention(call.users, turn_message.WAITS_FOR_YOU)
    step = await asyncio.to_thread(NextStep.for_game, game)
    message = await outbox.post(context, step.add_to(card), f"{game.id}-{played.entry.name} u")
    stale_buttons.set_live_message(context.client, game.id, game.channel, message)
    messages.tell_rooms(context, played)


def is_undo_secret(game: Game, undone: Sequence[Entry]) -> bool:
    """Whether an undo or redo is secret: no entry is public, and the game may hide units."""
    return game.state.can_have_hidden_units and all(entry.report.view_for(PUBLIC) is None for entry in undone)


def undo_message_viewer(game: Game, undone: Sequence[Entry], actor: Actor) -> Viewer:
    """Return the viewer for a message about `undone`: the actor's view if secret, else the public."""
    return game.viewer(actor.id) if is_undo_secret(game, undone) else PUBLIC


async def announce_undo(interaction: Interaction, card: Card, game: Game, undone: Sequence[Entry]) -> None:
    """Announce an undo or redo, with the next step. If it is secret, tell only the user and the rooms."""
    games = interaction.client.games
    played = await games.find_played_action(channel_of(interaction), interaction.id)
    if is_undo_secret(game, undone):
        await reply.send(interaction, card, private=True)
    else:
        call = turn_message.NOBODY
        if played is not None:
            call = await turn_post.make_turn_call(interaction, played, present=interaction.user.id)
        await turn_post.send_with_next_step(interaction, card, game, call)
    interaction.client.dispatch(automatic_play.RESTS, game)
    if played is not None:
        messages.tell_rooms(interaction, played)
