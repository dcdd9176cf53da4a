"""Errors at start: one sentence with the remedy, without a traceback."""

import asyncio
import os
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import aiohttp
import discord
import pytest

from bot import __main__ as command
from bot import program
from bot.errors import BadSettings, CannotStart
from bot.program import explain_connection_error
from bot.runtime.health import Heartbeat
from bot.runtime.settings import load_settings
from bot.store import Store
from tests import databases

from .conftest import name_own_database

TOKEN = "abc.def.ghi"
LINES = f"DISCORD_TOKEN={TOKEN}\r\nUMPIRE_LOG=json\r\n"


@pytest.fixture(autouse=True)
def _clean(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in list(os.environ):
        if name.startswith(("DISCORD_", "UMPIRE_")):
            monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)


def get_error_output(capsys: pytest.CaptureFixture[str], code: int) -> str:
    """Return the error output of `python -m bot`. Fails unless it exits with `code`."""
    assert command.main() == code
    error = capsys.readouterr().err
    assert "Traceback" not in error
    first, _, why = error.partition("\n")
    assert first == "Umpire cannot start."
    assert why.strip().endswith((".", "…"))
    return why


@pytest.mark.parametrize(
    "content",
    [
        LINES.encode(),
        b"\xef\xbb\xbf" + LINES.encode(),
        b"\xff\xfe" + LINES.encode("utf-16-le"),
        b"\xfe\xff" + LINES.encode("utf-16-be"),
    ],
    ids=["UTF-8", "UTF-8 of Notepad", "UTF-16 of PowerShell", "UTF-16 the other way round"],
)
def test_an_env_file_is_read_however_windows_saves_it(tmp_path: Path, content: bytes) -> None:
    (tmp_path / ".env").write_bytes(content)
    settings = load_settings()
    assert settings.discord_token is not None
    assert settings.discord_token.get_secret_value() == TOKEN
    assert settings.log == "json"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (LINES.encode("utf-16-le"), "no plain text.*UTF-8"),
        ("# für uns\n".encode("latin-1"), "no plain text.*UTF-8"),
        (b"\x89PNG\r\n\x1a\n\0\0", "no plain text.*UTF-8"),
        (b"UMPIRE_LOG=json\n\nwhat is this\n", "Line 3 of .env sets nothing"),
        (b"DISCORD_TOKEN: " + TOKEN.encode(), "Line 1 of .env sets nothing.*NAME=value"),
        (TOKEN.encode(), "Line 1 of .env sets nothing.*NAME=value"),
    ],
)
def test_an_unreadable_env_file_is_explained(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes, words: str
) -> None:
    (tmp_path / ".env").write_bytes(content)
    why = get_error_output(capsys, 2)
    with pytest.raises(BadSettings, match=words):
        load_settings()
    assert TOKEN not in why, "a token that is written wrong is a secret, too"


def test_an_env_file_that_is_a_folder_is_explained(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / ".env").mkdir()
    assert ".env is a folder" in get_error_output(capsys, 2)


def test_an_env_file_without_permission_is_explained(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(_: Path) -> bytes:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_bytes", refused)
    assert ".env cannot be read: Permission denied" in get_error_output(capsys, 2)


@pytest.mark.parametrize(
    ("variable", "value", "words"),
    [
        ("DISCORD_TOKEN", "tökén", "DISCORD_TOKEN is no token"),
        ("DISCORD_TOKEN", "abc\ndef", "DISCORD_TOKEN is no token"),
        ("DISCORD_TOKEN", "my token", "DISCORD_TOKEN is no token"),
        ("DISCORD_API_BASE", "https://[::1/api", "DISCORD_API_BASE is no address"),
        ("DISCORD_API_BASE", "https://127.0.0.1:99999/api", "DISCORD_API_BASE is no address"),
        ("DISCORD_GATEWAY", "wss://[::1", "DISCORD_GATEWAY is no address"),
        ("UMPIRE_DATABASE_URL", "sqlite:///:memory:", "UMPIRE_DATABASE_URL names no file"),
        ("UMPIRE_DATABASE_URL", "sqlite:///file::memory:?uri=true", "UMPIRE_DATABASE_URL names no file"),
        ("UMPIRE_HEARTBEAT", "/no/such/folder/beat", "UMPIRE_HEARTBEAT names no file"),
        ("UMPIRE_HEARTBEAT", ".", "UMPIRE_HEARTBEAT names no file"),
    ],
)
def test_an_unusable_setting_is_explained(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], variable: str, value: str, words: str
) -> None:
    monkeypatch.setenv(variable, value)
    assert words in get_error_output(capsys, 2)


def test_sslmode_is_understood_as_hosts_of_postgresql_write_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UMPIRE_DATABASE_URL", "postgres://u:p@host/db?sslmode=require&channel_binding=require")
    assert load_settings().database_url == "postgresql+asyncpg://u:p@host/db?ssl=require"


async def get_open_error(url: str) -> str:
    """Return the error message for a database that cannot be opened."""
    store = Store(url)
    with pytest.raises(CannotStart, match="UMPIRE_DATABASE_URL") as stopped:
        await store.open()
    await store.close()
    assert "secret" not in str(stopped.value)
    return str(stopped.value)


def execute_in_sqlite(file: Path, *statements: str) -> None:
    """Execute statements on a SQLite file."""
    with sqlite3.connect(file) as connection:
        for statement in statements:
            connection.execute(statement)
    connection.close()


async def test_a_file_that_is_no_database_is_explained(tmp_path: Path) -> None:
    file = tmp_path / "umpire.db"
    file.write_bytes(b"The orders of the day. " * 500)
    assert "not a database" in await get_open_error(databases.sqlite_url(file))
    assert "unable to open" in await get_open_error(databases.sqlite_url(tmp_path))


async def test_a_database_of_another_program_is_explained_and_unchanged(tmp_path: Path) -> None:
    file = tmp_path / "other.db"
    execute_in_sqlite(file, "CREATE TABLE games (name TEXT)")
    assert "already exists" in await get_open_error(databases.sqlite_url(file))
    execute_in_sqlite(file, "CREATE TABLE alembic_version (something TEXT)")
    assert "cannot be opened" in await get_open_error(databases.sqlite_url(file))
    with sqlite3.connect(file) as connection:
        tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
    connection.close()
    assert tables == {"games", "alembic_version"}


async def test_a_read_only_database_is_explained_at_start(tmp_path: Path) -> None:
    file = tmp_path / "umpire.db"
    databases.create_database(file)
    url = f"sqlite+aiosqlite:///file:{file}?mode=ro&uri=true"
    assert "readonly" in await get_open_error(url)


async def test_a_postgresql_login_failure_is_explained(postgres: Any) -> None:
    address = postgres.get_uri(driver="asyncpg").partition("?")[2]
    url = f"postgresql+asyncpg://nobody:secret@/postgres?{address}"
    assert "nobody" in await get_open_error(url)
    missing = postgres.get_uri(database="no_such_database", driver="asyncpg")
    assert "no_such_database" in await get_open_error(missing)
    assert "nonsense" in await get_open_error(f"{postgres.get_uri(driver='asyncpg')}&nonsense=1")
    setting_url = f"{postgres.get_uri(database=name_own_database(), driver='asyncpg')}&server_settings=1"
    assert "cannot be opened" in await get_open_error(setting_url)


async def test_a_read_only_postgresql_is_explained_at_start(postgres: Any) -> None:
    url = postgres.get_uri(database=name_own_database(), driver="asyncpg")
    postgres.psql(f"ALTER DATABASE {name_own_database()} SET default_transaction_read_only = on;")
    try:
        assert "read-only" in await get_open_error(url)
    finally:
        postgres.psql(f"ALTER DATABASE {name_own_database()} RESET default_transaction_read_only;")


def create_close_error(code: int) -> discord.ConnectionClosed:
    """Return the error of a gateway closed with this code."""

    class Socket:
        close_code = code

    return discord.ConnectionClosed(Socket(), shard_id=None)  # type: ignore[arg-type]


class Response:
    """The part of a Discord response that its errors read."""

    status, reason = 503, "Service Unavailable"


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (discord.LoginFailure("no"), "Copy the bot's token anew"),
        (create_close_error(4004), "copy the bot's token anew"),
        (create_close_error(4010), "UMPIRE_SHARDS"),
        (create_close_error(4014), "intents"),
        (create_close_error(1000), "in a few minutes"),
        (discord.PrivilegedIntentsRequired(None), "intents"),
        (discord.DiscordServerError(Response(), "down"), "in a few minutes"),  # type: ignore[arg-type]
        (discord.RateLimited(60.0), "in a few minutes"),
        (aiohttp.InvalidURL("https://x"), "DISCORD_API_BASE"),
        (ConnectionRefusedError(111, "Connection refused"), "Check the network"),
    ],
)
def test_a_refusal_by_discord_is_explained(
    error: Exception, words: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Bot:
        def add_listener(self, *_: object) -> None:
            """Do nothing: the bot never becomes ready."""

        async def start(self, _: str) -> None:
            raise error

        async def close(self) -> None:
            """Do nothing: no connection is open."""

    assert words in explain_connection_error(error)
    monkeypatch.setenv("DISCORD_TOKEN", TOKEN)
    monkeypatch.setattr(program, "make_bot", lambda _: Bot())
    monkeypatch.setattr(program, "set_up_logs", lambda _: None)
    assert words in get_error_output(capsys, 1)


def run_python(*arguments: str, home: Path) -> "subprocess.CompletedProcess[str]":
    """Run Python with the program on its path."""
    env = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
    return subprocess.run([sys.executable, *arguments], cwd=home, env=env, capture_output=True, text=True, timeout=60)


def test_a_library_that_is_not_installed_is_named(tmp_path: Path) -> None:
    hidden = "import sys; sys.modules['discord'] = None; from bot.__main__ import main; sys.exit(main())"
    process = run_python("-c", hidden, home=tmp_path)
    assert (process.returncode, process.stderr.splitlines()) == (
        1,
        ["Umpire cannot start.", "The library discord is not installed. In the folder of Umpire: pip install ."],
    )


def test_a_part_of_the_program_that_is_missing_is_our_mistake(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "bot.program", None)
    with pytest.raises(ModuleNotFoundError):
        command.main()


def test_an_old_python_is_explained(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "version_info", (3, 10, 4))
    assert "needs Python 3.11" in get_error_output(capsys, 1)


def test_ctrl_c_ends_it_without_a_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped() -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(program, "run", stopped)
    assert command.main() == 0


async def test_a_heartbeat_that_cannot_be_touched_is_logged_and_tried_again(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    folder = tmp_path / "gone"
    heartbeat = Heartbeat(folder / "beat")
    heartbeat.start(lambda: True)
    while "cannot be touched" not in caplog.text:  # noqa: ASYNC110
        await asyncio.sleep(0)
    assert "Traceback" not in caplog.text
    heartbeat.stop()
