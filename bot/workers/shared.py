"""Imported by the fork server before it makes a worker: what all workers share in memory, at their low priority.

Nothing else imports this: it changes the process that does.
"""

import gc
import importlib
import pkgutil
import signal

import bot.jobs
from rules.registry import rulesets

from . import child

MADE, OLDER = 20_000, (10, 10)
"""Objects made before the young are searched for what refers to itself, and such searches before one of the older.

An opponent that thinks makes very many that do not: with Python's own numbers a seventh of its time went there.
"""

child.stand_back()
signal.signal(signal.SIGTERM, signal.SIG_IGN)  # it goes when the bot has gone
for module in pkgutil.iter_modules(bot.jobs.__path__, "bot.jobs."):
    importlib.import_module(module.name)
importlib.import_module("render.odds")
rulesets()
gc.collect()
gc.freeze()
gc.set_threshold(MADE, *OLDER)
