"""Show order sheets in a new message or in the pressed one: the user's own, and those of the same side."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace

import discord

from bot.errors import Stale, UserError
from bot.journal.game import Game
from bot.order_sheets.model import StoredSheet
from bot.order_sheets.preview import Prospect
from bot.order_sheets.sheet_changes import SheetChange, make_order_addition
from bot.order_sheets.store import OldSheet, SheetResult
from cogs.kit import reply
from cogs.kit.cards import pictures
from cogs.kit.cards.button_removal import uploaded_file_name
from cogs.kit.cards.card import LEGEND_PREFIX, Card, Picture, discord_link
from cogs.kit.controls.control import UNREADABLE, parse_number
from cogs.kit.request import Interaction, actor_of, channel_of, game_of, require_game
from cogs.kit.rooms import messages
from rules.core.order_book import OrderBook

from .sheet_card import SheetView

GameAndSheet = tuple[Game, StoredSheet]
ROOM_POST_FAILED = "Your sheet could not be posted in the room of your side. The umpire can repair it: /umpire rooms."
MOST_LOST = 3000
"""Maximum characters of the user's rejected text that a note repeats."""
MOST_PLAYERS = 3
"""Maximum number of buttons for the sheets of other players of the side."""
TRIES = 3


async def load_own_sheet(interaction: Interaction, game_id: str | None = None) -> GameAndSheet:
    """Return the channel's game and the user's sheet. Raises NoGame, NotAllowed, Stale if `game_id` is another game."""
    game = await (game_of(interaction) if game_id is None else require_game(interaction, game_id))
    return game, await interaction.client.games.sheets.load_own_sheet(game, actor_of(interaction))


async def show_own_sheet(
    interaction: Interaction, game_id: str | None = None, *, note: str = "", anew: bool = False
) -> None:
    """Show the user's own sheet: replace the pressed sheet, or with `anew` send a new message."""
    await show_sheet(interaction, load_own_sheet(interaction, game_id), note=note, anew=anew)


async def show_sheet_of_player(interaction: Interaction, game_id: str, owner: int) -> None:
    """Show the sheet of `owner`, another player of the user's side. Raises NotAllowed."""

    async def load_players_sheet() -> GameAndSheet:
        game, _ = await load_own_sheet(interaction, game_id)
        return game, await interaction.client.games.sheets.load_readable_sheet(game, actor_of(interaction), owner)

    await show_sheet(interaction, load_players_sheet(), anew=True)


async def add_orders(interaction: Interaction, text: str) -> None:
    """Add the orders in `text`, separated by lines or semicolons, to the user's sheet, and show the sheet."""
    for attempt in range(1, TRIES + 1):
        game, stored = await load_own_sheet(interaction)
        try:
            change = make_order_addition(interaction.user.id, text)
            await change_sheet(interaction, game.id, stored.revision, change, raise_if_old=True)
            return
        except OldSheet:
            if attempt == TRIES:
                raise


def sheet_text_and_examples(game: Game, stored: StoredSheet) -> tuple[str, Sequence[str]]:
    """Return the sheet as text, unreadable lines included, and example orders from this game."""
    book = OrderBook(game.ruleset, game.ruleset.view(game.state, stored.side), stored.side)
    lines = [*map(book.write, stored.sheet.orders), *(wrong.text for wrong in stored.sheet.wrong)]
    return "\n".join(lines), book.examples()


async def change_sheet(
    interaction: Interaction, game_id: str, revision: int, change: SheetChange, *, raise_if_old: bool = False
) -> None:
    """Change the user's sheet by `change` and show it. If `revision` is old, only show the present sheet.

    With `raise_if_old`, raise OldSheet instead.
    """
    games, channel, actor = interaction.client.games, channel_of(interaction), actor_of(interaction)

    async def apply_change() -> GameAndSheet:
        result = await games.sheets.revise(channel, actor, game_id, revision, change, interaction=interaction.id)
        return result.game, result.stored

    try:
        await show_sheet(interaction, apply_change())
    except OldSheet as old:
        if raise_if_old:
            raise
        await show_own_sheet(interaction, game_id, note=str(old))


async def change_sheet_by_form(
    interaction: Interaction,
    words: Mapping[str, str],
    make_change: Callable[[str], SheetChange],
    fails: type[Exception],
) -> None:
    """Change the user's sheet by the text typed into a form, and show the sheet.

    If the sheet has changed meanwhile, or the change raises `fails`, show the unchanged sheet with a note that repeats
    the text.
    """
    name, text = next(iter(words.items()), ("", ""))
    game_id, _, number = name.partition(":")
    revision = parse_number(number)
    if revision is None:
        raise Stale(UNREADABLE)
    try:
        await change_sheet(interaction, game_id, revision, make_change(text), raise_if_old=True)
        return
    except OldSheet:
        why = "Your sheet had changed meanwhile."
    except fails as error:
        why = str(error)
    await show_own_sheet(interaction, game_id, note=f"{why} So this was not taken over: {text.strip()[:MOST_LOST]}")


async def post_sheet_in_room(interaction: Interaction, game_id: str) -> None:
    """Post the user's own sheet, without buttons, in the room of the user's side. Raises UserError if that fails."""

    async def post_sheet() -> str:
        game, stored = await load_own_sheet(interaction, game_id)
        thread = interaction.client.rooms.existing_rooms(game).get(stored.side)
        if thread is None:
            raise UserError("Your side has no room. The umpire opens one by /umpire rooms.")
        name = interaction.user.display_name
        prospect = await asyncio.to_thread(Prospect.for_sheet, game, stored.side, stored.sheet.orders)
        view = SheetView(game, stored, prospect, owner=name)
        picture = await pictures.draw_if_possible(_draw_sheet(interaction, view), game)
        card = await asyncio.to_thread(view.card, picture)
        if await messages.post_in_room(interaction.client, thread, card, str(interaction.id)) is None:
            raise UserError(ROOM_POST_FAILED)
        return discord_link(game.guild, thread)

    way = await reply.wait_for(interaction, post_sheet(), private=True)
    await reply.send(interaction, Card().text(f"Your side reads your sheet as it is now: {way}"), private=True)


async def remaining_sheet(result: SheetResult) -> GameAndSheet:
    """Return the game, and the sheet with the orders that were not carried out."""
    return result.game, result.stored


def is_pressed_message_private(interaction: Interaction) -> bool:
    """Whether the pressed message is private. A private message is edited to show the sheet."""
    return interaction.message is not None and interaction.message.flags.ephemeral


async def show_sheet(
    interaction: Interaction, work: Awaitable[GameAndSheet], *, note: str = "", anew: bool = False
) -> None:
    """Show the sheet that `work` returns, then add its map. With `anew`, send the sheet as a new message."""
    in_place = is_pressed_message_private(interaction) and not anew

    async def build_view_and_card() -> tuple[SheetView, Picture | None, Card]:
        game, stored = await work
        view = await asyncio.to_thread(_make_sheet_view, game, stored, interaction.user.id, note)
        before = _picture_on_pressed_message(interaction, view.picture_name) if in_place else None
        return view, before, await asyncio.to_thread(view.card, before)

    view, before, card = await reply.wait_for(interaction, build_view_and_card(), private=True, quietly=in_place)
    if in_place:
        message, kept_map = None, discord.utils.MISSING
        await reply.edit_pressed_message(interaction, view=card.view(), attachments=[] if before is None else kept_map)
    else:
        message = await reply.send(interaction, card, private=True)
    if before is not None or not (in_place or message):
        return
    picture = await pictures.draw_if_possible(_draw_sheet(interaction, view), view.game)
    if picture is None:
        return
    card = await asyncio.to_thread(view.card, picture)
    await reply.use_palette_of_user(interaction, card)
    if message is None:
        await interaction.edit_original_response(view=card.view(), attachments=card.files())
    else:
        await message.edit(view=card.view(), attachments=card.files())


def _make_sheet_view(game: Game, stored: StoredSheet, user: int, note: str) -> SheetView:
    """Return the user's view of a sheet. Only the owner gets menus and buttons."""
    prospect = Prospect.for_sheet(game, stored.side, stored.sheet.orders)
    if stored.owner != user:
        owner = next((seat.name for seat in game.seats if seat.user == stored.owner), "")
        return SheetView(game, stored, prospect, owner=owner, note=note)
    people = [seat for seat in game.seats if seat.side == stored.side and not seat.is_bot]
    other_players = [(seat.user, seat.name) for seat in people if seat.user != user]
    return SheetView(game, stored, prospect, other_players[:MOST_PLAYERS], note=note)


async def _draw_sheet(interaction: Interaction, view: SheetView) -> Picture | None:
    """Draw each order as an arrow on the table. Without orders, draw the whole table. Return None without a map."""
    workers, prospect, game = interaction.client.workers, view.prospect, view.game
    if acts := prospect.acts:
        sketch = await pictures.draw_sketch(workers, game, prospect.state, prospect.before, acts, prospect.viewer)
        if sketch is not None:
            return replace(sketch, name=view.picture_name)
    table = await pictures.draw_table(workers, game, prospect.viewer)
    return None if table is None else replace(table, name=view.picture_name)


def _picture_on_pressed_message(interaction: Interaction, name: str) -> Picture | None:
    """Return the map on the pressed message, or None if the map is out of date.

    The map is up to date if its file is called `name`, because this name depends on the orders.
    """
    assert interaction.message is not None
    view = discord.ui.LayoutView.from_message(interaction.message, timeout=None)
    view.stop()
    galleries = (item for item in view.walk_children() if isinstance(item, discord.ui.MediaGallery))
    items = (item for gallery in galleries for item in gallery.items)
    map_item = next((item for item in items if uploaded_file_name(item.media.url) == name), None)
    if map_item is None:
        return None
    texts = (item.content for item in view.walk_children() if isinstance(item, discord.ui.TextDisplay))
    key = next((text for text in texts if text.startswith(LEGEND_PREFIX)), "")
    return Picture(name, b"", map_item.description or "", key)
