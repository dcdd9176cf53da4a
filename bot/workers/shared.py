"""Imported by the fork server before it makes a worker: what all workers share in memory, at their low priority.

Nothing else imports this: it changes the process that does.
"""

import importlib
import pkgutil
import signal

import bot.jobs
from rules.registry import rulesets

from . import child, garbage_collection

child.stand_back()
signal.signal(signal.SIGTERM, signal.SIG_IGN)  # it goes when the bot has gone
for module in pkgutil.iter_modules(bot.jobs.__path__, "bot.jobs."):
    importlib.import_module(module.name)
importlib.import_module("render.odds")
rulesets()
garbage_collection.spare_lasting()
