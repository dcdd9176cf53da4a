"""Other users receive the same texts in games that differ only in a side's standing answers and conditions."""

import secrets
from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest

from bot.runtime.client import UmpireBot, make_bot
from rules.core import sealed_dice
from rules.registry import rulesets
from tests.databases import create_database
from tests.leaks import IDS, MOMENTS, ignore_interaction

from .conftest import usual_settings
from .env import Env
from .table import Answer, Table, custom_ids, text

WHEN = "Fire at chargers before a melee"
WORLDS = {"always": "always fire", "never": "always hold fire", "at least 50%": "fire if the chance is at least 50%"}
"""Each world's typed answer, and its wording on its own side's card."""
SHEETS = {
    "always": "1st Berkshires: fire Amarar if an enemy is within 3",
    "never": "5th Lancers: forward 2 unless Amarar are routed, then turn left 45",
    "at least 50%": "",
}
"""Conditional orders on the sheet of each world."""
ASKED: tuple[tuple[str, dict[str, str]], ...] = (
    *((name, {}) for name in ("game status", "turn status", "turn orders", "turn standing", "game brief", "game log")),
    *((name, {}) for name in ("game since", "game mine", "map", "game export", "unit list", "game clock")),
    ("unit show", {"unit": "Royal Marine Light Infantry"}),
    ("odds", {"test": "melee", "unit": "Amarar", "target": "Royal Marine Light Infantry"}),
    ("turn orders", {"text": "Amarar: forward 3"}),
    ("turn standing", {"when": WHEN, "answer": "at least 10%"}),
    ("move", {"unit": "Amarar", "to": "forward 1"}),
    ("game substitute", {}),
)


def answer_parts(answer: Answer) -> list[str]:
    """Return the texts, custom ids and files of an answer."""
    return [
        part
        for message in answer.messages
        for part in (
            text(message),
            *custom_ids(message),
            *(f"{attachment.filename} {attachment.size}" for attachment in message.attachments),
        )
    ]


async def read_as_others(new_bot: Callable[[], UmpireBot], words: str) -> list[str]:
    """Return all texts that the enemy and an onlooker can read while the British have this standing answer."""
    env = Env(new_bot(), check_errors=False, settle_timeout=60.0)
    await env.start()
    try:
        table = Table.create(env, new_bot)
        await table.start(at_once=True)
        own = (await table.give(table.british, "turn standing", when=WHEN, answer=words)).private_text
        if SHEETS[words]:
            sheet = (await table.give(table.british, "turn orders", text=SHEETS[words])).private_text
            assert " if " in sheet, sheet
        texts = []
        for actor in (table.mahdist, table.onlooker):
            for command, options in ASKED:
                texts += [command, *answer_parts(await table.give(actor, command, **options))]
            texts += [*table.read_by(actor)]
            for option in ("when", "answer", "unit"):
                texts += await table.complete(actor, "turn standing", option, when=WHEN)
        assert f"**{WHEN}**: {WORLDS[words]}" in own
        return [IDS.sub("<id>", MOMENTS.sub("<time>", part)) for part in texts]
    finally:
        await env.shutdown()
        assert isinstance(env.bot, UmpireBot)
        await env.bot.store.close()


async def test_others_cannot_tell_a_sides_standing_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = count(1)
    monkeypatch.setattr(sealed_dice, "compute_faces", ignore_interaction(sealed_dice.compute_faces))

    def maker() -> Callable[[], UmpireBot]:
        counter = count(1)
        monkeypatch.setattr(secrets, "token_bytes", lambda size=32: bytes([next(counter) % 256]) * size)
        monkeypatch.setattr(secrets, "token_hex", lambda size=8: f"{next(counter):0{2 * size}x}")
        url = create_database(tmp_path / f"umpire-{next(numbers)}.db", rulesets())
        settings = usual_settings().model_copy(update={"database_url": url})
        return lambda: make_bot(settings)

    first, *other_readings = [await read_as_others(maker(), words) for words in WORLDS]
    assert len(first) > 60
    for reading in other_readings:
        assert reading == first
