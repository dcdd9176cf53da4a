"""`python -m bot`: to Discord with a token, without one to the local table in the browser."""

import asyncio
import importlib
import logging
import signal
import sys

import discord
import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route

from .client import make_bot
from .errors import BadSettings, CannotStart
from .logs import set_up_logs
from .settings import Settings, load_settings

log = logging.getLogger(__name__)

OF_THE_LOCAL_TABLE = ("linkify_it", "regex", "simcord")
"""What `umpire[local]` installs. With a token none of it is needed."""


def main() -> int:
    """Runs until told to stop. The exit code: 0 when stopped, 1 when it could not start, 2 for a wrong setting."""
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
    """Plays in the browser until told to stop. Raises BadSettings when what the table needs is not installed."""
    try:
        for name in OF_THE_LOCAL_TABLE:
            importlib.import_module(name)
    except ModuleNotFoundError as error:
        raise BadSettings(
            "Set DISCORD_TOKEN to serve Discord, or install what the local table needs: pip install 'umpire[local]'"
        ) from error
    from .local import run

    await run(make_bot, settings)


async def run_on_discord(settings: Settings, token: str) -> None:
    """Connects and serves until SIGTERM or SIGINT. Raises CannotStart when Discord will not have us."""
    redirect(settings)
    bot = make_bot(settings)
    stop = asyncio.Event()
    for sign in (signal.SIGTERM, signal.SIGINT):
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
    except discord.LoginFailure as error:
        raise CannotStart("Discord does not take DISCORD_TOKEN. Copy the bot's token anew from its page.") from error
    except (discord.GatewayNotFound, OSError) as error:
        raise CannotStart(f"Discord cannot be reached: {error}. Check the network and DISCORD_API_BASE.") from error
    finally:
        await bot.close()


def redirect(settings: Settings) -> None:
    """Sends discord.py to the proxy and the gateway of the settings, where there are any."""
    if settings.api_base:
        Route.BASE = settings.api_base
    if settings.gateway:
        DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(settings.gateway)


if __name__ == "__main__":
    sys.exit(main())
