"""`/terrain`: the umpire adds, moves, turns and removes ground in front of everyone."""

from typing import Any

import pytest

from cogs.kit.cards.card import Card
from cogs.kit.panels.map_preview import PreviewButton
from rules.core.tabletop.terrain import piece_index_by_name

from .table import Answer, Table, custom_ids, labels, text
from .test_opponent import game_of

pytestmark = pytest.mark.usefixtures("real_maps")


HILL = {"kind": "hill", "shape": "ellipse", "at": "C2", "size": "12 x 8", "name": "Kop"}
PUT_LABEL, CANCEL_LABEL = "Put it on the table", "Do not"


async def put_terrain(table: Table, command: str, **options: Any) -> Answer:
    """Give the command and confirm its preview."""
    preview = await table.give(table.umpire, command, **options)
    return await table.press(table.umpire, preview.private[0], PUT_LABEL)


async def test_a_hill_is_added_moved_turned_listed_and_removed(table: Table) -> None:
    await table.start()
    before = (await game_of(table)).state.terrain
    added = await put_terrain(table, "terrain add", **HILL)
    assert "The umpire puts terrain on the table: Kop." in text(added.announced)
    await table.env.settle()
    assert [attachment.filename for attachment in table.newest(table.umpire).attachments] == ["table.png"]
    assert "Kop" in await table.complete(table.umpire, "terrain move", "piece", "Ko")
    assert '**Kop**: hill, 12" x 8", C2' in (await table.give(table.onlooker, "terrain list")).private_text
    await put_terrain(table, "terrain move", piece="Kop", to="30,12")
    await put_terrain(table, "terrain turn", piece="Kop", degrees=90)
    kop = (await game_of(table)).state.terrain[-1]
    xs, ys = zip(*kop.points, strict=True)
    assert (round(max(xs) - min(xs)), round(max(ys) - min(ys))) == (8, 12)
    await table.give(table.umpire, "terrain remove", piece="Kop")
    assert (await game_of(table)).state.terrain == before
    preview = await table.give(table.umpire, "game undo", steps=4)
    await table.press(table.umpire, preview.private[0], "Take it back")
    assert (await game_of(table)).state.terrain == before
    assert "Kop" in (await table.give(table.onlooker, "game log", last=20)).text


async def test_a_preview_of_ground_is_private_and_changes_nothing(table: Table) -> None:
    await table.start()
    before, lines = await game_of(table), len(table.channel.history(viewer=table.onlooker))
    preview = await table.give(table.umpire, "terrain add", **{**HILL, "kind": "wood"})
    assert "Only you see this. Nothing is done before you press *Put it on the table*." in preview.private_text
    assert 'Kop: wood, 12" x 8", C2' in preview.private_text
    assert "movement: formed regulars and guns at ½ (MM-2.9, ruling)" in preview.private_text
    (message,) = preview.private
    assert [attachment.filename for attachment in message.attachments] == ["sketch.png"]
    assert labels(message) == [PUT_LABEL, CANCEL_LABEL]
    puts_it, _ = custom_ids(message)
    after = await game_of(table)
    assert (after.seq, after.state) == (before.seq, before.state)
    assert len(table.channel.history(viewer=table.onlooker)) == lines
    answer = await table.press(table.umpire, message, CANCEL_LABEL)
    assert "Nothing was done." in answer.private_text
    assert labels(message) == []
    late = await table.press_late(table.umpire, message, puts_it)
    assert "can no longer be used" in late.private_text
    assert (await game_of(table)).seq == before.seq


async def test_a_preview_is_confirmed_once_even_after_a_restart(table: Table) -> None:
    await table.start()
    preview = await table.give(table.umpire, "terrain add", **HILL)
    (message,) = preview.private
    puts_it, _ = custom_ids(message)
    await table.restart()
    before = await table.seq()
    pressed = await table.press(table.umpire, message, PUT_LABEL)
    assert "puts terrain on the table: Kop" in text(pressed.announced)
    late = await table.press_late(table.umpire, message, puts_it)
    assert "can no longer be used" in late.private_text
    assert await table.seq() == before + 1


async def test_a_preview_is_refused_if_the_ground_has_changed(table: Table) -> None:
    await table.start()
    await put_terrain(table, "terrain add", **HILL)
    (moved,) = (await table.give(table.umpire, "terrain move", piece="Kop", to="30,12")).private
    await table.give(table.umpire, "terrain remove", piece="Kop")
    assert (
        "No piece of terrain here is called “Kop”" in (await table.press(table.umpire, moved, PUT_LABEL)).private_text
    )
    (added,) = (await table.give(table.umpire, "terrain add", **HILL)).private
    piece = next(iter(piece_index_by_name((await game_of(table)).state.terrain)))
    await table.give(table.umpire, "terrain remove", piece=piece)
    before = await table.seq()
    assert "What you were shown has changed since" in (await table.press(table.umpire, added, PUT_LABEL)).private_text
    assert (labels(moved), labels(added)) == ([], [])
    assert await table.seq() == before


async def test_only_the_newest_preview_can_be_confirmed(table: Table) -> None:
    await table.start()
    first = (await table.give(table.umpire, "terrain add", **HILL)).private[0]
    second = (await table.give(table.umpire, "terrain add", **{**HILL, "name": "Spur"})).private[0]
    before = await table.seq()
    assert "Give the command again." in (await table.press(table.umpire, first, PUT_LABEL)).private_text
    third = (await table.give(table.umpire, "terrain add", **{**HILL, "name": "Ridge"})).private[0]
    assert "Nothing was done." in (await table.press(table.umpire, second, CANCEL_LABEL)).private_text
    assert await table.seq() == before
    assert "Ridge" in text((await table.press(table.umpire, third, PUT_LABEL)).announced)


async def test_only_its_viewer_confirms_a_preview(table: Table) -> None:
    await table.start()
    (preview,) = (await table.give(table.umpire, "terrain add", **HILL)).private
    before, (puts_it, _) = await table.seq(), custom_ids(preview)
    _, _, verb, game, tag = puts_it.split(":")
    button_of_game = PreviewButton(PUT_LABEL, what=verb, game=game, tag=tag)
    cards = [
        Card().buttons([button])
        for button in (button_of_game, PreviewButton("Take it", what="take", game=game, tag=tag))
    ]
    for card, reason in zip(cards, ("Give the command again.", "another version"), strict=True):
        await table.env.bot.get_partial_messageable(table.channel.id).send(view=card.view())
        message = table.newest(table.british)
        assert reason in (await table.press(table.british, message, *labels(message))).private_text
    assert await table.seq() == before


async def test_only_the_umpire_changes_ground_and_never_on_hexes(table: Table) -> None:
    await table.start()
    fields = {"kind": "hill", "shape": "ellipse", "at": "C2", "size": "12 x 8"}
    refused = await table.give(table.british, "terrain add", **fields)
    assert (
        "Only the umpire" in refused.private_text
        or "only for the umpire" in refused.private_text
        or "umpire, ursula" in refused.private_text
    )
    refused = await table.give(table.umpire, "terrain add", **{**fields, "at": "nowhere"})
    assert "nowhere" in refused.private_text
    channel = table.guild.create_text_channel("hexes")
    await table.give(table.umpire, "game new", rules="great_war", scenario="trench", channel=channel)
    refused = await table.give(table.umpire, "terrain list", channel=channel)
    assert "is played on hexes" in refused.private_text


async def test_kinds_of_ground_complete_with_their_effects(table: Table) -> None:
    await table.start()
    choices_offered = await table.umpire.autocomplete(table.channel, "terrain add", "kind", "")
    names = {choice["value"]: choice["name"] for choice in choices_offered}
    assert names["wood"] == "wood · movement: formed regulars and guns at ½; cover: fire is halved"
    assert not {"road", "railway"} & names.keys()
    assert "marsh" in await table.complete(table.umpire, "terrain add", "kind", "mar")


async def test_the_preview_shows_only_the_viewers_knowledge(table: Table) -> None:
    """An umpire who plays the British gets the same preview with and without a hidden unit."""
    fields = {**HILL, "at": "C2", "size": "24 x 20"}
    previews = []
    for command in ("unit hide", "unit remove"):
        channel = table.guild.create_text_channel(command.replace(" ", "-"))
        await table.give(table.umpire, "game new", rules="magdala", scenario="suakin-1885", channel=channel)
        await table.give(table.umpire, "umpire option", name="hidden troops", value="yes", channel=channel)
        await table.give(table.umpire, "terrain list", channel=channel)
        await table.give(table.umpire, command, unit="amarar", channel=channel)
        preview_of_all = await table.give(table.umpire, "terrain add", **fields, channel=channel)
        assert ("Amarar" in preview_of_all.private_text) is (command == "unit hide")
        await table.give(table.umpire, "game join", side="british", channel=channel)
        preview = await table.give(table.umpire, "terrain add", **fields, channel=channel)
        (picture,) = preview.private[0].attachments
        previews.append((preview.private_text, table.env.backend.cdn.get(picture.url)))
    assert previews[0] == previews[1]
