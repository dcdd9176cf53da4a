"""`/umpire event`: a line written by the umpire in the log and the report."""

from base64 import b64encode
from io import BytesIO

import pytest
from PIL import Image, PngImagePlugin

from render.photograph import is_jpeg
from rules.registry import rulesets

from .table import Answer, Table, text


def make_png() -> bytes:
    """Return a PNG picture with a hidden comment in its metadata."""
    info, out = PngImagePlugin.PngInfo(), BytesIO()
    info.add_text("Comment", "secret")
    Image.new("RGB", (300, 200), "navy").save(out, "PNG", pnginfo=info)
    return out.getvalue()


PNG = make_png()
RAIN = "A cloudburst soaks the powder of both sides."


@pytest.mark.parametrize("rules", ["magdala", "empire", "charge", "great_war", "tanga"])
async def test_an_event_is_told_logged_and_undone(table: Table, rules: str) -> None:
    await table.give(table.umpire, "game new", rules=rules, scenario=next(iter(rulesets()[rules].scenarios)))
    before = (await table.env.bot.games.running_game(table.channel.id)).state
    answer = await table.give(table.umpire, "umpire event", text=RAIN)
    assert RAIN in "\n".join(map(text, answer.public))
    assert (await table.env.bot.games.running_game(table.channel.id)).state == before
    assert RAIN in (await table.give(table.onlooker, "game log")).private_text
    preview = await table.give(table.umpire, "game undo")
    await table.press(table.umpire, preview.private[0], "Take it back")
    assert "taken back" in (await table.give(table.onlooker, "game log")).private_text


async def test_only_the_umpire_adds_an_event_of_one_line(table: Table) -> None:
    await table.start()
    assert "ursula" in (await table.give(table.british, "umpire event", text=RAIN)).private_text
    assert "Say what happens" in (await table.give(table.umpire, "umpire event", text="   ")).private_text


async def tell_with_picture(table: Table, data: bytes, name: str = "rain.png", words: str = RAIN) -> Answer:
    return await table.give(table.umpire, "umpire event", text=words, picture=(name, data))


async def test_an_events_picture_is_in_answer_log_and_report(table: Table) -> None:
    await table.start()
    answer = await tell_with_picture(table, PNG)
    await table.env.settle()
    (attachment,) = table.now(answer.announced).attachments
    assert (attachment.filename, attachment.description) == (f"event-{await table.seq()}.jpg", RAIN)
    jpeg = table.env.backend.cdn.get(attachment.url)
    assert is_jpeg(jpeg)
    assert b"secret" not in jpeg
    assert "with a picture" in (await table.give(table.onlooker, "game log")).private_text
    details = await table.press(table.onlooker, answer.announced, "Details")
    assert [attachment.filename for attachment in details.private[0].attachments] == [attachment.filename]
    report = (await table.give(table.onlooker, "game report")).messages[0].attachments[0]
    page = table.env.backend.cdn.get(report.url).decode()
    assert b64encode(jpeg).decode() in page
    assert f'alt="{RAIN}"' in page
    preview = await table.give(table.umpire, "game undo")
    await table.press(table.umpire, preview.private[0], "Take it back")
    report = (await table.give(table.onlooker, "game report")).messages[0].attachments[0]
    assert b64encode(jpeg).decode() not in table.env.backend.cdn.get(report.url).decode()
    await table.give(table.umpire, "game redo")
    report = (await table.give(table.onlooker, "game report")).messages[0].attachments[0]
    assert b64encode(jpeg).decode() in table.env.backend.cdn.get(report.url).decode()


@pytest.mark.parametrize(
    ("file", "refusal"),
    [(b"", "no picture"), (b"{}", "no picture"), (b"\xff\xd8\xff" * 99, "no picture"), (bytes(40_000_000), "limit")],
    ids=["empty", "JSON", "broken", "40 MB"],
)
async def test_a_file_that_is_no_picture_adds_no_event(table: Table, file: bytes, refusal: str) -> None:
    await table.start()
    before = await table.seq()
    reply = (await tell_with_picture(table, file)).private_text
    assert refusal in reply
    assert "Nothing was changed." in reply
    assert await table.seq() == before


async def test_only_the_umpire_adds_a_picture_with_one_line(table: Table) -> None:
    await table.start()
    before = await table.seq()
    refused = await table.give(table.british, "umpire event", text=RAIN, picture=("rain.png", PNG))
    assert "Only the umpire, ursula, may tell of what happens." in refused.private_text
    assert "Say what happens" in (await tell_with_picture(table, PNG, words="   ")).private_text
    assert await table.seq() == before


@pytest.mark.parametrize("rules", ["magdala", "empire", "charge"])
async def test_the_umpire_asks_a_die_during_the_set_up_and_undoes_it(table: Table, rules: str) -> None:
    opened = await table.give(table.umpire, "game new", rules=rules, scenario="own")
    fields = [part["component"] for part in opened.result.modal["components"]]
    await table.umpire.submit_modal(opened.result, {field["custom_id"]: field.get("value", "") for field in fields})
    before = (await table.env.bot.games.running_game(table.channel.id)).state
    assert before.setting_up is not None
    answer = await table.give(table.umpire, "ruling ask", question="Is the *khor* dry?", odds="35 %")
    assert "Yes on 35%" in text(answer.announced).replace("\\", "")
    assert (await table.env.bot.games.running_game(table.channel.id)).state == before
    log = (await table.give(table.onlooker, "game log")).private_text.replace("\\", "")
    assert "The umpire asks: Is the *khor* dry?" in log
    assert "yes on 35%" in log
    assert "all are as they were shown" in (await table.give(table.onlooker, "dice verify")).text
    preview = await table.give(table.umpire, "game undo")
    await table.press(table.umpire, preview.private[0], "Take it back")
    assert "taken back" in (await table.give(table.onlooker, "game log")).private_text


async def test_a_players_question_is_logged_as_his_roll(table: Table) -> None:
    await table.start()
    await table.give(table.british, "ruling ask", question="Is it dry?")
    assert "bertie rolls Is it dry?" in (await table.give(table.onlooker, "game log")).private_text
