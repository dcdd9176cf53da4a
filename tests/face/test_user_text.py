"""Text written by users is shown literally everywhere: names, labels, rulings, questions, the log."""

from tests.discord_markdown import read_like_local_table

from .table import TEXT_DISPLAY, Answer, Message, Table, raw

MARKDOWN = "[x](https://y.zz/_a_) <#1> </roll:1> ||s|| <t:1:R> `c`"
BOT_FORMATS = {"heading", "strong_open", "strong_close", "subtext", "code", "bullet_list", "list_item", "timestamp"}
"""Markdown formats that the bot uses itself."""
AS_LABEL = MARKDOWN.replace("|", " ")
"""A label as shown: spaces replace vertical bars."""
USER_NAME = MARKDOWN[:32]
"""A user's name of the maximum length."""
UNIT_NAME = f"Arab {MARKDOWN}"
"""A unit's name of the maximum length."""


def list_paragraphs(messages: list[Message]) -> list[str]:
    """Return every paragraph as sent."""
    parts = [part for message in messages for part in raw(message)]
    paragraphs = []
    while parts:
        part = parts.pop()
        parts += part.get("components", [])
        if part["type"] == TEXT_DISPLAY:
            paragraphs.append(part["content"])
    return paragraphs


def require_literal(answer: Answer, user_text: str = MARKDOWN) -> None:
    """Fail unless the answer contains the text literally, and no formats except the bot's own."""
    texts_read = [read_like_local_table(paragraph) for paragraph in list_paragraphs(answer.messages)]
    assert any(" ".join(user_text.split()) in text_shown for text_shown, _ in texts_read), texts_read
    for text_shown, formats in texts_read:
        assert formats <= BOT_FORMATS, f"{formats} in {text_shown}"


async def test_the_names_of_games_units_and_people_are_literal(table: Table) -> None:
    nasty = table.guild.add_member(table.env.create_user("evil", global_name=USER_NAME))
    require_literal(await table.give(nasty, "game new", rules="magdala", scenario="suakin-1885", name=MARKDOWN))
    require_literal(await table.give(nasty, "game join", side="british"), USER_NAME)
    lancers = await table.give(nasty, "unit add", troop="British lancers, carbines", side="mahdists", name=UNIT_NAME)
    require_literal(lancers, UNIT_NAME)
    for command in ("game status", "unit list"):
        answer = await table.give(table.onlooker, command)
        require_literal(answer)
        require_literal(answer, UNIT_NAME)
    require_literal(await table.give(table.onlooker, "unit show", unit="Arab"), UNIT_NAME)


async def test_labels_questions_and_rulings_are_literal(table: Table) -> None:
    require_literal(await table.give(table.umpire, "roll", dice="2d6", label=MARKDOWN), AS_LABEL)
    require_literal(await table.give(table.umpire, "ruling ask", question=MARKDOWN))
    require_literal(await table.give(table.umpire, "ruling record", text=MARKDOWN))


async def test_the_log_is_literal_in_the_chat_and_as_a_file(table: Table) -> None:
    await table.start()
    nasty = table.guild.add_member(table.env.create_user("evil", global_name=USER_NAME))
    for _ in range(3):
        await table.give(nasty, "roll", dice="1d6", label=MARKDOWN)
    answer = await table.give(table.umpire, "game log", last=2)
    for user_text in (AS_LABEL, USER_NAME):
        require_literal(answer, user_text)
    for _ in range(30):
        await table.give(nasty, "roll", dice="1d6", label=MARKDOWN)
    (message,) = (await table.give(table.umpire, "game log", last=30)).messages
    (file,) = message.attachments
    text_shown, formats = read_like_local_table((await file.read()).decode())
    assert formats <= BOT_FORMATS
    for user_text in (AS_LABEL, USER_NAME):
        assert " ".join(user_text.split()) in text_shown
