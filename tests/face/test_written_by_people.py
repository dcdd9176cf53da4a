"""What people write is shown as they wrote it, wherever it turns up: names, labels, rulings, questions, the log."""

from tests.discord_markdown import read_like_local_table

from .table import TEXT_DISPLAY, Answer, Message, Table, raw

NASTY = "[x](https://y.zz/_a_) <#1> </roll:1> ||s|| <t:1:R> `c`"
OURS = {"heading", "strong_open", "strong_close", "subtext", "code", "bullet_list", "list_item", "timestamp"}
"""Formats of the bot's own."""
AS_LABEL = NASTY.replace("|", " ")
"""A label is hashed without bars."""
PERSON = NASTY[:32]
"""As long as the name of a person may be."""
UNIT = f"Arab {NASTY}"
"""As long as the name of a unit may be."""


def paragraphs(messages: list[Message]) -> list[str]:
    """Every paragraph as it is sent."""
    parts = [part for message in messages for part in raw(message)]
    found = []
    while parts:
        part = parts.pop()
        parts += part.get("components", [])
        if part["type"] == TEXT_DISPLAY:
            found.append(part["content"])
    return found


def check(answer: Answer, written: str = NASTY) -> None:
    """The text stands in the answer word for word, and nothing is formatted that the bot does not format itself."""
    read = [read_like_local_table(paragraph) for paragraph in paragraphs(answer.messages)]
    assert any(" ".join(written.split()) in shown for shown, _ in read), read
    for shown, formats in read:
        assert formats <= OURS, f"{formats} in {shown}"


async def test_the_names_of_games_units_and_people_are_literal(table: Table) -> None:
    nasty = table.guild.add_member(table.env.create_user("evil", global_name=PERSON))
    check(await table.give(nasty, "game new", rules="magdala", scenario="suakin-1885", name=NASTY))
    check(await table.give(nasty, "game join", side="british"), PERSON)
    lancers = await table.give(nasty, "unit add", troop="British lancers, carbines", side="mahdists", name=UNIT)
    check(lancers, UNIT)
    for command in ("game status", "unit list"):
        answer = await table.give(table.onlooker, command)
        check(answer)
        check(answer, UNIT)
    check(await table.give(table.onlooker, "unit show", unit="Arab"), UNIT)


async def test_labels_questions_and_rulings_are_literal(table: Table) -> None:
    check(await table.give(table.umpire, "roll", dice="2d6", label=NASTY), AS_LABEL)
    check(await table.give(table.umpire, "ruling ask", question=NASTY))
    check(await table.give(table.umpire, "ruling record", text=NASTY))


async def test_the_log_is_literal_in_the_chat_and_as_a_file(table: Table) -> None:
    await table.start()
    nasty = table.guild.add_member(table.env.create_user("evil", global_name=PERSON))
    for _ in range(3):
        await table.give(nasty, "roll", dice="1d6", label=NASTY)
    told = await table.give(table.umpire, "game log", last=2)
    for written in (AS_LABEL, PERSON):
        check(told, written)
    for _ in range(30):
        await table.give(nasty, "roll", dice="1d6", label=NASTY)
    (message,) = (await table.give(table.umpire, "game log", last=30)).messages
    (file,) = message.attachments
    shown, formats = read_like_local_table((await file.read()).decode())
    assert formats <= OURS
    for written in (AS_LABEL, PERSON):
        assert " ".join(written.split()) in shown
