"""Settings from the environment or `.env`. They are checked at the start, with plain error messages."""

import ipaddress
import re
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

import yarl
from pydantic import AliasChoices, Field, SecretStr, ValidationError, field_validator, model_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict
from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

from bot.errors import BadSettings

from . import env_file

ENV_FILE = Path(".env")
DRIVERS = {
    "sqlite": "sqlite+aiosqlite",
    "postgres": "postgresql+asyncpg",
    "postgresql": "postgresql+asyncpg",
}
"""SQLAlchemy driver for each scheme of a database address."""


WEB_HOST = re.compile(r"[a-z0-9_-]+(\.[a-z0-9_-]+)*\.?|[0-9a-f:.]+")
"""A host name in ASCII, or an IPv6 address."""
HOST_NAME = re.compile(r"(?=.*[A-Za-z])[\w-]+(\.[\w-]+)*", re.ASCII)
MOST_WORKERS = 64


def _make_field(name: str, default: Any, description: str) -> Any:
    return Field(default=default, validation_alias=AliasChoices(name), description=description)


NONE = "none"


class Settings(BaseSettings):
    """All settings. Every field names its environment variable and purpose."""

    model_config = SettingsConfigDict(
        extra="ignore",
        frozen=True,
        env_ignore_empty=True,
        populate_by_name=True,
    )

    discord_token: SecretStr | None = _make_field(
        "DISCORD_TOKEN", None, "The bot's token. Without it the local table opens in the browser."
    )
    database_url: str = _make_field(
        "UMPIRE_DATABASE_URL", "sqlite+aiosqlite:///umpire.db", "Where games are kept: SQLite or PostgreSQL."
    )
    shards: Annotated[tuple[int, ...], NoDecode] = _make_field(
        "UMPIRE_SHARDS", (), "The shards this process serves, by comma, when several share the load."
    )
    shard_count: int | None = _make_field("UMPIRE_SHARD_COUNT", None, "How many shards there are over all processes.")
    api_base: str | None = _make_field("DISCORD_API_BASE", None, "A REST proxy in front of Discord's API.")
    gateway: str | None = _make_field("DISCORD_GATEWAY", None, "Another gateway than Discord's own.")
    log: Literal["plain", "json"] = _make_field("UMPIRE_LOG", "plain", "How the log is written: plain or json.")
    workers: int | None = _make_field(
        "UMPIRE_WORKERS",
        None,
        "Worker processes for reports, files and pictures; as many as cores, 4 at most, unless it is set. 0: none, "
        "threads of the bot do it.",
    )
    grounds: Path | None = _make_field(
        "UMPIRE_GROUNDS",
        None,
        "A folder in which drawn grounds of maps are kept from one start to the next, 300 MB at most; beside a SQLite "
        "file unless it is set. none: in memory alone, and not drawn ahead.",
    )
    local_port: int = _make_field("UMPIRE_LOCAL_PORT", 8420, "The first port of the local table.")
    open_browser: bool = _make_field("UMPIRE_OPEN_BROWSER", True, "Whether the local table opens the browser.")
    web_url: str | None = _make_field(
        "UMPIRE_WEB_URL",
        None,
        "The public https address of the live map, as https://umpire.example. Without it only the local table serves "
        "the map.",
    )
    web_host: str = _make_field(
        "UMPIRE_WEB_HOST", "127.0.0.1", "The address on which the live map listens, behind a proxy."
    )
    web_port: int = _make_field("UMPIRE_WEB_PORT", 8430, "The port of the live map.")
    heartbeat: Path | None = _make_field(
        "UMPIRE_HEARTBEAT", None, "A file touched while connected; `python -m bot.runtime.health` reads its age."
    )

    @property
    def grounds_folder(self) -> Path | None:
        """The folder for drawn map backgrounds. None for a remote database, unless the folder is set."""
        database = make_url(self.database_url).database
        if self.grounds is not None:
            return None if str(self.grounds).casefold() == NONE else self.grounds
        if not database or not self.database_url.startswith(DRIVERS["sqlite"]):
            return None
        return Path(f"{database}.grounds")

    @field_validator("shards", mode="before")
    @classmethod
    def _split_shards(cls, value: Any) -> Any:
        if isinstance(value, str):
            words = [word.strip() for word in value.split(",") if word.strip()]
            if not all(word.isdecimal() for word in words):
                raise ValueError("is no list of shards. Give their numbers by comma, as 0,1")
            return tuple(int(word) for word in words)
        return value

    @field_validator("shard_count")
    @classmethod
    def _check_shard_count(cls, value: int | None) -> int | None:
        if value is not None and value < 1:
            raise ValueError("is no number of shards. Give 1 or more")
        return value

    @field_validator("workers")
    @classmethod
    def _check_worker_count(cls, value: int | None) -> int | None:
        if value is not None and not 0 <= value <= MOST_WORKERS:
            raise ValueError(f"is no number of worker processes. Give 0 to {MOST_WORKERS}")
        return value

    @field_validator("log", mode="before")
    @classmethod
    def _lowercase_log_style(cls, value: Any) -> Any:
        return value.casefold() if isinstance(value, str) else value

    @field_validator("database_url")
    @classmethod
    def _add_database_driver(cls, value: str) -> str:
        scheme, colon, rest = value.partition("://")
        if not colon:
            raise ValueError("is no database address. Write it like sqlite:///umpire.db or postgresql://user@host/db")
        driver = DRIVERS.get(scheme, scheme)
        if driver not in DRIVERS.values():
            raise ValueError(f"names {scheme}, which Umpire cannot use. Give a sqlite:// or postgresql:// address")
        if driver == DRIVERS["sqlite"] and (not rest.strip("/") or ":memory:" in rest):
            raise ValueError("names no file, and games are to be kept. Write it like sqlite:///umpire.db")
        try:
            url = make_url(f"{driver}://{rest}")
        except (ArgumentError, ValueError):
            raise ValueError("cannot be read. Write it like postgresql://user:password@host:5432/database") from None
        return _use_asyncpg_ssl(url).render_as_string(hide_password=False)

    @field_validator("discord_token")
    @classmethod
    def _check_token(cls, value: SecretStr | None) -> SecretStr | None:
        if value is None:
            return None
        token = value.get_secret_value().strip()
        if not (token.isascii() and token.isprintable()) or " " in token.removeprefix("Bot "):
            raise ValueError("is no token. Copy it anew from the bot's page, with nothing before or after it")
        return SecretStr(token)

    @field_validator("heartbeat")
    @classmethod
    def _check_heartbeat_file(cls, value: Path | None) -> Path | None:
        if value is not None and (value.is_dir() or not value.parent.is_dir()):
            raise ValueError("names no file in a folder that is there. Write it like /tmp/umpire-heartbeat")
        return value

    @field_validator("api_base", "gateway")
    @classmethod
    def _check_discord_address(cls, value: str | None) -> str | None:
        if value is None:
            return None
        try:
            parts = urlsplit(value)
            has_host = bool(parts.hostname) and parts.port != 0
        except ValueError:  # malformed brackets or port
            has_host = False
        if not has_host or parts.scheme not in ("http", "https", "ws", "wss"):
            raise ValueError("is no address. Write it in full, as https://proxy.example/api/v10")
        if parts.scheme in ("http", "ws") and not _is_local_host(parts.hostname or ""):
            raise ValueError("would send the token unencrypted over the network. Use https:// or wss://")
        return value.rstrip("/")

    @field_validator("web_url")
    @classmethod
    def _check_web_url(cls, value: str | None) -> str | None:
        if value is None:
            return None
        origin = _parse_site_origin(value)
        if origin is None:
            raise ValueError("is no address of a site. Write it like https://umpire.example, without a path")
        if origin.scheme == "http" and not _is_local_host(origin.raw_host or ""):
            raise ValueError("would send sessions unencrypted over the network. Use https://")
        return str(origin)

    @field_validator("web_host")
    @classmethod
    def _check_web_host(cls, value: str) -> str:
        if _parse_ip_address(value) is None and HOST_NAME.fullmatch(value) is None:
            raise ValueError(
                "is no host. Give 127.0.0.1, 0.0.0.0 for every network, or another address of this machine; the port "
                "is UMPIRE_WEB_PORT"
            )
        return value

    @field_validator("local_port", "web_port")
    @classmethod
    def _check_port(cls, value: int) -> int:
        if not 0 <= value <= 65535:
            raise ValueError("is no port. Give a number from 1024 to 65535, or 0 for any free one")
        return value

    @model_validator(mode="after")
    def _check_shards(self) -> "Settings":
        if self.shards and self.shard_count is None:
            raise ValueError("UMPIRE_SHARDS needs UMPIRE_SHARD_COUNT: how many shards there are over all processes")
        if self.shard_count is not None and not all(0 <= shard < self.shard_count for shard in self.shards):
            raise ValueError(f"UMPIRE_SHARDS are counted from 0 to {self.shard_count - 1}")
        return self


def _use_asyncpg_ssl(url: URL) -> URL:
    """Return the address with asyncpg's parameter `ssl` in place of PostgreSQL's `sslmode`."""
    if "sslmode" not in url.query:
        return url
    mode = url.query["sslmode"]
    return url.difference_update_query(["sslmode", "channel_binding"]).update_query_dict({"ssl": mode})


def _is_local_host(host: str) -> bool:
    address = _parse_ip_address(host)
    return "." not in host if address is None else address.is_loopback or address.is_private


def _parse_ip_address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


def _parse_site_origin(value: str) -> yarl.URL | None:
    """Return the address of a site as browsers send it in `Origin`: in lower case and ASCII, without a default port.

    Return None for any other address, such as one with a path, a user, a query or a fragment.
    """
    try:
        parts, origin = urlsplit(value), yarl.URL(value).origin()
    except ValueError:  # malformed brackets, host or port
        return None
    is_site = parts.path in ("", "/") and not set(value) & set("@?#\\")
    is_named = WEB_HOST.fullmatch(origin.raw_host or "") is not None
    return origin if is_site and is_named and origin.scheme in ("http", "https") and origin.port != 0 else None


def load_settings() -> Settings:
    """Return the settings from the environment and `.env`. Raises BadSettings, which names each invalid variable."""
    try:
        return Settings(**env_file.read_env_file(ENV_FILE))  # type: ignore[arg-type]
    except ValidationError as error:
        raise BadSettings("\n".join(_describe_invalid_setting(item) for item in error.errors())) from None


def _describe_invalid_setting(item: Any) -> str:
    name = str(item["loc"][0]) if item["loc"] else ""
    message = str(item["msg"])
    if item["type"] == "value_error":
        return f"{name} {message.removeprefix('Value error, ')}.".lstrip()
    return f"{name}: {message}."
