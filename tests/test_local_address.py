"""URLs of the local table: stable, secret, and different for each channel."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import AsyncMock

import pytest

from bot.local import table
from bot.local.address import KEY_FILE, load_or_create_key, page_token
from bot.runtime.settings import Settings


def test_the_key_is_kept_beside_the_database_for_its_owner_alone(tmp_path: Path) -> None:
    key = load_or_create_key(tmp_path / "umpire.db")
    assert load_or_create_key(tmp_path / "umpire.db") == key
    assert (tmp_path / KEY_FILE).stat().st_mode & 0o777 == 0o600
    assert load_or_create_key(None) != key


def test_a_spoiled_key_is_not_used_and_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / KEY_FILE).write_bytes(b"short")
    assert len(load_or_create_key(tmp_path / "umpire.db")) == 32
    assert (tmp_path / KEY_FILE).read_bytes() == b"short"


def test_a_folder_that_cannot_be_written_gives_another_key_each_time(tmp_path: Path) -> None:
    path = tmp_path / "gone" / "umpire.db"
    assert load_or_create_key(path) != load_or_create_key(path)


def test_every_channel_has_a_token_of_its_own() -> None:
    tokens = {page_token(b"key", channel) for channel in ("table-1", "table-2")}
    assert len(tokens) == 2
    assert page_token(b"key", "table-1") in tokens
    assert page_token(b"other", "table-1") not in tokens


@pytest.mark.parametrize(("url", "starts"), [(None, 1), ("http://localhost:8430", 0)])
async def test_the_map_is_started_once(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, url: str | None, starts: int
) -> None:
    async def closed() -> None:
        return None

    page = SimpleNamespace(url="http://127.0.0.1", wait_closed=closed)
    opened: Any = SimpleNamespace(
        open=AsyncMock(), close=AsyncMock(), channels=[SimpleNamespace(name="a")], pages=[page]
    )
    monkeypatch.setattr(table, "LocalTable", lambda *_: opened)
    bot: Any = SimpleNamespace(live_map_url=url, start_live_map=AsyncMock())
    await table.run_local_table(lambda _: bot, Settings(database_url=f"sqlite:///{tmp_path}/u.db", open_browser=False))
    assert bot.start_live_map.await_count == starts
