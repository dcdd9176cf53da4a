"""Run the program: with a token on Discord, without a token as a local table in the browser."""

import asyncio
import importlib
import logging
import signal
import sys
from contextlib import suppress

import aiohttp
import discord
import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route

from .errors import BadSettings, CannotStart
from .runtime.client import make_bot
from .runtime.logs import set_up_logs
from .runtime.settings import Settings, load_settings
from .workers import garbage_collection

log = logging.getLogger(__name__)

LOCAL_TABLE_MODULES = ("linkify_it", "regex", "simcord")
"""Modules of the extra `umpire[local]`. With a token they are not needed."""

CONNECTION_ERRORS = (
    discord.LoginFailure,
    discord.ConnectionClosed,
    discord.PrivilegedIntentsRequired,
    discord.GatewayNotFound,
    discord.DiscordServerError,
    discord.RateLimited,
    discord.Forbidden,
    aiohttp.ClientError,
    OSError,
)
"""Errors of Discord or the network that end the program, and are not caused by the bot."""

ADVICE_BY_CLOSE_CODE = {
    4004: "It does not take DISCORD_TOKEN: copy the bot's token anew from its page.",
    4010: "It does not take these shards: check UMPIRE_SHARDS and UMPIRE_SHARD_COUNT.",
    4011: "The bot is in too many servers for one connection: set UMPIRE_SHARD_COUNT.",
    4013: "It does not know the intents asked for: update Umpire.",
    4014: "It does not grant the intents asked for: switch them on at the bot's page.",
}
"""Advice for the user by close code of Discord's gateway, for codes after which the bot cannot reconnect."""


def run() -> int:
    """Run until a stop signal. Return the exit code: 0 after a stop, 1 for a failed start, 2 for a wrong setting."""
    try:
        settings = load_settings()
        set_up_logs(settings.log)
        if settings.discord_token is None:
            asyncio.run(run_local_table(settings))
        else:
            asyncio.run(run_on_discord(settings, settings.discord_token.get_secret_value()))
    except CannotStart as error:
        print(f"Umpire cannot start.\n{error}", file=sys.stderr)
        return error.code
    return 0


async def run_local_table(settings: Settings) -> None:
    """Serve the local table in the browser until it is stopped.

    Raises BadSettings if the local table's libraries are not installed.
    """
    try:
        for name in LOCAL_TABLE_MODULES:
            importlib.import_module(name)
    except ModuleNotFoundError as error:
        raise BadSettings(
            "Set DISCORD_TOKEN to serve Discord, or install what the local table needs: pip install 'umpire[local]'"
        ) from error
    from bot.local import table as local_table

    await local_table.run_local_table(make_bot, settings)


async def run_on_discord(settings: Settings, token: str) -> None:
    """Connect and serve until SIGTERM or SIGINT. Raises CannotStart if Discord refuses the bot."""
    use_proxy(settings)
    bot = make_bot(settings)

    async def tune_garbage_collection() -> None:
        bot.remove_listener(tune_garbage_collection, "on_ready")
        garbage_collection.reduce_garbage_collection()

    bot.add_listener(tune_garbage_collection, "on_ready")
    stop = asyncio.Event()
    for sign in (signal.SIGTERM, signal.SIGINT):
        with suppress(NotImplementedError):  # on Windows, Ctrl-C ends asyncio.run itself
            asyncio.get_running_loop().add_signal_handler(sign, stop.set)
    try:
        serving = asyncio.create_task(bot.start(token))
        stopping = asyncio.create_task(stop.wait())
        await asyncio.wait((serving, stopping), return_when=asyncio.FIRST_COMPLETED)
        if stop.is_set():
            log.info("Told to stop: finishing what runs.")
            await bot.close()
        stopping.cancel()
        await serving
    except CONNECTION_ERRORS as error:
        raise CannotStart(explain_connection_error(error)) from error
    finally:
        await bot.close()


def explain_connection_error(error: BaseException) -> str:
    """Return why Discord or the network refuses the bot, and what the user can do."""
    if isinstance(error, discord.LoginFailure):
        return "Discord does not take DISCORD_TOKEN. Copy the bot's token anew from its page."
    if isinstance(error, discord.ConnectionClosed):
        why = ADVICE_BY_CLOSE_CODE.get(error.code, "Start it again in a few minutes.")
        return f"Discord has closed the connection (code {error.code}). {why}"
    if isinstance(error, discord.PrivilegedIntentsRequired):
        return f"Discord has closed the connection. {ADVICE_BY_CLOSE_CODE[4014]}"
    if isinstance(error, discord.HTTPException | discord.RateLimited):
        return f"Discord answers with an error: {str(error).rstrip('.')}. Start it again in a few minutes."
    return f"Discord cannot be reached: {error}. Check the network and DISCORD_API_BASE."


def use_proxy(settings: Settings) -> None:
    """Make discord.py use the API proxy and the gateway of the settings, if they are set."""
    if settings.api_base:
        Route.BASE = settings.api_base
    if settings.gateway:
        DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(settings.gateway)
