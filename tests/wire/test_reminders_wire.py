"""Reminders on the wire: of two processes one sends each, and the bytes mention whose turn it is and nobody else."""

import json
import sqlite3
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path

from .loopback import Loopback
from .process import Process
from .waiting import quiet, until
from .world import CHANNELS, GORDON, KITCHENER, ONLOOKER

TABLE = CHANNELS[0]


def let_pass(home: Path, hours: float) -> None:
    """As if all had been done so many hours earlier."""
    with closing(sqlite3.connect(home / "umpire.db")) as database, database:
        for seq, at in database.execute("SELECT seq, at FROM entries").fetchall():
            earlier = datetime.fromisoformat(at) - timedelta(hours=hours)
            database.execute("UPDATE entries SET at = ? WHERE seq = ?", (str(earlier), seq))


async def test_one_of_two_processes_reminds_whose_turn_it_is(discord: Loopback, tmp_path: Path) -> None:
    processes = [Process(discord, tmp_path, ("-m", "tests.wire.hasty"), UMPIRE_WORKERS="0") for _ in range(2)]
    for process in processes:
        await process.start()
    one = discord.link.sessions[-1]
    await discord.ask("game new", GORDON, TABLE, heard_by=one, rules="magdala", scenario="suakin-1885").done()
    await discord.ask("game join", KITCHENER, TABLE, heard_by=one, side="mahdists").done()
    await discord.ask("game join", ONLOOKER, TABLE, heard_by=one, side="british").done()
    await discord.ask("game clock", GORDON, TABLE, heard_by=one, hours=10).done()
    asked = len(discord.sent)
    let_pass(tmp_path, 5)
    await discord.ask("roll", GORDON, TABLE, heard_by=one, dice="d6").done()
    await until(lambda: discord.posted, "the reminder")
    await quiet(0.6)
    let_pass(tmp_path, 5)
    await discord.ask("roll", GORDON, TABLE, heard_by=one, dice="d6").done()
    await until(lambda: len(discord.posted) > 1, "that time is up")
    await quiet(0.6)
    assert len(discord.posted) == 2
    sent = [json.loads(one.raw) for one in discord.sent[asked:] if one.path.endswith("/messages")]
    assert [body["allowed_mentions"]["users"] for body in sent] == [[KITCHENER.id], [KITCHENER.id, GORDON.id]]
    assert [body["allowed_mentions"]["parse"] for body in sent] == [[], []]
    assert all(body["enforce_nonce"] and body["nonce"] for body in sent)
    assert f"<@{ONLOOKER.id}>" not in json.dumps(sent)
    for process in processes:
        assert await process.stop() == 0
        assert "Traceback" not in process.said, process.said
