"""Settings: unset ones have sensible defaults, wrong ones are explained with the variable's name."""

import json
import logging
import os
import subprocess
import sys
from pathlib import Path

import pytest
import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route

from bot.__main__ import main
from bot.errors import BadSettings
from bot.program import use_proxy
from bot.runtime.health import find_health_problem
from bot.runtime.logs import JsonLineFormatter
from bot.runtime.settings import Settings, load_settings
from web.server import Address


@pytest.fixture(autouse=True)
def _clean(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in list(os.environ):
        if name.startswith(("DISCORD_", "UMPIRE_")):
            monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)


def test_all_settings_are_optional() -> None:
    settings = load_settings()
    assert settings.discord_token is None
    assert settings.database_url == "sqlite+aiosqlite:///umpire.db"
    assert (settings.shards, settings.shard_count, settings.log) == ((), None, "plain")


def test_an_empty_variable_is_an_unset_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", "")
    assert load_settings().discord_token is None


def test_a_file_provides_settings_missing_in_the_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("DISCORD_TOKEN=from-file\nUMPIRE_LOG=JSON\nSOMETHING_ELSE=1\n")
    monkeypatch.setenv("DISCORD_TOKEN", "from-environment")
    settings = load_settings()
    assert settings.discord_token is not None
    assert settings.discord_token.get_secret_value() == "from-environment"
    assert settings.log == "json"


def test_the_token_is_never_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", "very-secret")
    assert "very-secret" not in repr(load_settings())


@pytest.mark.parametrize(
    ("typed", "driven"),
    [
        ("postgresql://user:pw@host/db", "postgresql+asyncpg://user:pw@host/db"),
        ("postgres://host/db", "postgresql+asyncpg://host/db"),
        ("postgresql+asyncpg://host/db", "postgresql+asyncpg://host/db"),
        ("sqlite:///games.db", "sqlite+aiosqlite:///games.db"),
    ],
)
def test_a_plain_database_address_gets_its_driver(monkeypatch: pytest.MonkeyPatch, typed: str, driven: str) -> None:
    monkeypatch.setenv("UMPIRE_DATABASE_URL", typed)
    assert load_settings().database_url == driven


@pytest.mark.parametrize(
    ("typed", "sent"),
    [
        ("https://Umpire.Example/", "https://umpire.example"),
        ("HTTPS://umpire.example:443", "https://umpire.example"),
        ("https://umpire.example:8443", "https://umpire.example:8443"),
        ("https://bücher.example", "https://xn--bcher-kva.example"),
        ("http://localhost:80", "http://localhost"),
        ("http://[::1]:8430", "http://[::1]:8430"),
    ],
)
def test_the_address_of_the_map_is_written_as_browsers_send_it(
    monkeypatch: pytest.MonkeyPatch, typed: str, sent: str
) -> None:
    monkeypatch.setenv("UMPIRE_WEB_URL", typed)
    address = load_settings().web_url
    assert address == sent
    assert Address(address, "127.0.0.1", 8430).origin == sent


@pytest.mark.parametrize("host", ["0.0.0.0", "::1", "localhost", "umpire-host.example"])
def test_the_map_listens_at_an_address_or_a_name(monkeypatch: pytest.MonkeyPatch, host: str) -> None:
    monkeypatch.setenv("UMPIRE_WEB_HOST", host)
    assert load_settings().web_host == host


def test_shards_are_a_list_by_comma(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UMPIRE_SHARDS", "0, 2")
    monkeypatch.setenv("UMPIRE_SHARD_COUNT", "4")
    settings = load_settings()
    assert (settings.shards, settings.shard_count) == ((0, 2), 4)


@pytest.mark.parametrize(
    ("variable", "value", "words"),
    [
        ("UMPIRE_DATABASE_URL", "games.db", "UMPIRE_DATABASE_URL.*no database address"),
        ("UMPIRE_DATABASE_URL", "mysql://host/db", "UMPIRE_DATABASE_URL.*mysql"),
        ("UMPIRE_DATABASE_URL", "sqlite://", "UMPIRE_DATABASE_URL.*no file"),
        ("UMPIRE_DATABASE_URL", "postgresql://host:many/db", "UMPIRE_DATABASE_URL.*cannot be read"),
        ("UMPIRE_LOG", "loud", "UMPIRE_LOG.*plain"),
        ("UMPIRE_WORKERS", "-1", "UMPIRE_WORKERS.*Give 0 to 64"),
        ("UMPIRE_WORKERS", "many", "UMPIRE_WORKERS"),
        ("UMPIRE_LOCAL_PORT", "99999", "UMPIRE_LOCAL_PORT.*no port"),
        ("UMPIRE_LOCAL_PORT", "many", "UMPIRE_LOCAL_PORT"),
        ("UMPIRE_SHARDS", "one", "UMPIRE_SHARDS"),
        ("UMPIRE_SHARDS", "0,1", "UMPIRE_SHARD_COUNT"),
        ("UMPIRE_SHARD_COUNT", "0", "UMPIRE_SHARD_COUNT"),
        ("DISCORD_API_BASE", "proxy", "DISCORD_API_BASE.*no address"),
        ("DISCORD_API_BASE", "http://proxy.example/api", "DISCORD_API_BASE.*unencrypted"),
        ("DISCORD_GATEWAY", "gopher://x", "DISCORD_GATEWAY.*no address"),
        ("UMPIRE_WEB_HOST", "127.0.0.1:8430", "UMPIRE_WEB_HOST.*no host"),
        ("UMPIRE_WEB_HOST", "http://localhost", "UMPIRE_WEB_HOST.*no host"),
        ("UMPIRE_WEB_HOST", "[::1]", "UMPIRE_WEB_HOST.*no host"),
        ("UMPIRE_WEB_HOST", "300.0.0.1", "UMPIRE_WEB_HOST.*no host"),
        ("UMPIRE_WEB_PORT", "99999", "UMPIRE_WEB_PORT.*no port"),
        ("UMPIRE_WEB_PORT", "-1", "UMPIRE_WEB_PORT.*no port"),
        ("UMPIRE_WEB_PORT", "many", "UMPIRE_WEB_PORT"),
        ("UMPIRE_WEB_URL", "umpire.example", "UMPIRE_WEB_URL.*no address of a site"),
        ("UMPIRE_WEB_URL", "https://umpire.example/map", "UMPIRE_WEB_URL.*no address of a site"),
        ("UMPIRE_WEB_URL", "https://umpire.example/#map", "UMPIRE_WEB_URL.*no address of a site"),
        ("UMPIRE_WEB_URL", "https://umpire.example?", "UMPIRE_WEB_URL.*no address of a site"),
        ("UMPIRE_WEB_URL", "https://user:pw@umpire.example", "UMPIRE_WEB_URL.*no address of a site"),
        ("UMPIRE_WEB_URL", "https:// umpire.example", "UMPIRE_WEB_URL.*no address of a site"),
        ("UMPIRE_WEB_URL", "https://umpire.example:0", "UMPIRE_WEB_URL.*no address of a site"),
        ("UMPIRE_WEB_URL", "https://umpire.example:99999", "UMPIRE_WEB_URL.*no address of a site"),
        ("UMPIRE_WEB_URL", "http://umpire.example", "UMPIRE_WEB_URL.*unencrypted"),
    ],
)
def test_an_error_names_the_wrong_setting(
    monkeypatch: pytest.MonkeyPatch, variable: str, value: str, words: str
) -> None:
    monkeypatch.setenv(variable, value)
    with pytest.raises(BadSettings, match=words):
        load_settings()


def test_every_wrong_setting_is_named_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UMPIRE_LOG", "loud")
    monkeypatch.setenv("UMPIRE_DATABASE_URL", "x")
    with pytest.raises(BadSettings, match=r"UMPIRE_DATABASE_URL[^\n]*\n.*UMPIRE_LOG"):
        load_settings()


def test_a_wrong_setting_ends_the_program_with_2_and_no_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("UMPIRE_LOG", "loud")
    assert main() == 2
    errors = capsys.readouterr().err
    assert "UMPIRE_LOG" in errors
    assert "Traceback" not in errors


def test_discord_is_reached_by_the_addresses_of_the_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Route, "BASE", Route.BASE)
    monkeypatch.setattr(DiscordWebSocket, "DEFAULT_GATEWAY", DiscordWebSocket.DEFAULT_GATEWAY)
    monkeypatch.setenv("DISCORD_API_BASE", "http://127.0.0.1:1234/api/v10/")
    monkeypatch.setenv("DISCORD_GATEWAY", "ws://127.0.0.1:1234/gateway")
    use_proxy(load_settings())
    assert Route("GET", "/gateway").url == "http://127.0.0.1:1234/api/v10/gateway"
    assert yarl.URL("ws://127.0.0.1:1234/gateway") == DiscordWebSocket.DEFAULT_GATEWAY


def test_a_line_of_the_json_log_is_json() -> None:
    try:
        raise RuntimeError("broken")
    except RuntimeError:
        record = logging.LogRecord("bot", logging.ERROR, "", 0, "it %s", ("fell",), sys.exc_info())
    line = json.loads(JsonLineFormatter().format(record))
    assert (line["level"], line["logger"], line["message"]) == ("error", "bot", "it fell")
    assert "RuntimeError: broken" in line["error"]


def test_health_is_the_age_of_the_heartbeat(tmp_path: Path) -> None:
    beat = tmp_path / "beat"
    assert "UMPIRE_HEARTBEAT" in find_health_problem(None)
    assert "not connected" in find_health_problem(beat)
    beat.touch()
    assert find_health_problem(beat) == ""
    os.utime(beat, (1, 1))
    assert "silent" in find_health_problem(beat)


def test_the_health_check_is_a_program(tmp_path: Path) -> None:
    beat = tmp_path / "beat"
    env = {**os.environ, "UMPIRE_HEARTBEAT": str(beat), "PYTHONPATH": str(Path(__file__).parents[1])}
    command = [sys.executable, "-m", "bot.runtime.health"]
    assert subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, timeout=60).returncode == 1
    beat.touch()
    assert subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, timeout=60).returncode == 0


def test_grounds_are_stored_beside_the_database_in_a_set_folder_or_nowhere() -> None:
    assert Settings(database_url="sqlite:////data/u.db").grounds_folder == Path("/data/u.db.grounds")
    assert Settings(database_url="postgresql://u:p@host/db").grounds_folder is None
    assert Settings(database_url="postgresql://u:p@host/db", grounds=Path("/kept")).grounds_folder == Path("/kept")
    assert Settings(database_url="sqlite:////data/u.db", grounds=Path("none")).grounds_folder is None
