"""The discord.py extension that adds all commands, controls and periodic tasks to the bot."""

import asyncio
import importlib
import pkgutil
from functools import partial

from discord.ext.commands import Cog

from bot.runtime.client import UmpireBot

from . import __path__ as folder
from . import act, combat, move, odds, order, rule
from .army import ArmyCog
from .battles.watch import CHECK_INTERVAL, BattleWatch
from .british import BritishCog
from .campaign import CampaignCog
from .dice import DiceCog, RollCog
from .game.board import CHANGES_EVERY, update_boards
from .game.commands import GameCog
from .game.local_restart import LocalTableListener
from .game.overdue import REMINDER_INTERVAL, send_reminders
from .help import HelpCog
from .kit import errors
from .kit.controls.control import Control
from .kit.lookup import topics
from .map import MapCog
from .opponent import ANNOUNCEMENT_INTERVAL, OpponentCog
from .page import LiveMapAnnouncer, PageCog
from .photo import PhotoCog
from .ruling import RulingCog
from .scenario import ScenarioCog
from .terrain import TerrainCog
from .turn import TurnCog
from .umpire import UmpireCog
from .unit import UnitCog
from .unknown_components import UnknownComponents


def import_modules() -> None:
    """Import every module of `cogs`. Buttons, menus and forms register their classes when they are imported."""
    for module in pkgutil.walk_packages(folder, f"{__package__}."):
        importlib.import_module(module.name)


async def setup(bot: UmpireBot) -> None:
    """Add the commands, controls and listeners to the bot, and start the periodic tasks. discord.py calls this."""
    import_modules()
    await asyncio.to_thread(topics.build_search_indexes)
    bot.add_dynamic_items(*Control.kinds)
    bot.tree.error(errors.on_command_error)
    bot.tree.interaction_check = errors.prepare_command  # type: ignore[method-assign]
    bot.channel_announcer = LiveMapAnnouncer(bot)
    battles, opponent = BattleWatch(bot), OpponentCog(bot)
    parts = (
        act.do, ArmyCog(), BritishCog(), CampaignCog(), battles, *combat.COMMANDS, RollCog(), DiceCog(), GameCog(),
        LocalTableListener(bot), HelpCog(), MapCog(), move.move, odds.odds, opponent, order.order, PageCog(),
        PhotoCog(), rule.rule, RulingCog(), ScenarioCog(), TerrainCog(), TurnCog(), UmpireCog(), UnitCog(),
        UnknownComponents(),
    )  # fmt: skip
    for part in parts:
        if isinstance(part, Cog):
            await bot.add_cog(part)
        else:
            bot.tree.add_command(part)
    bot.run_every(CHECK_INTERVAL, "the battles of campaigns", battles.check_changed_campaigns)
    bot.run_every(REMINDER_INTERVAL, "reminders", partial(send_reminders, bot))
    bot.run_every(CHANGES_EVERY, "boards", partial(update_boards, bot))
    bot.run_every(ANNOUNCEMENT_INTERVAL, "announcing what was left", opponent.announce_abandoned_entries)
