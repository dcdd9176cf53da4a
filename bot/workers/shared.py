"""Load the modules that all workers share. The fork server imports this module before it starts a worker.

No other module may import this one, because the import lowers the priority of the process.
"""

import importlib
import pkgutil
import signal

import bot.jobs
from rules.registry import rulesets

from . import child, garbage_collection

child.lower_priority()
signal.signal(signal.SIGTERM, signal.SIG_IGN)  # the fork server ends when the bot ends
for module in pkgutil.iter_modules(bot.jobs.__path__, "bot.jobs."):
    importlib.import_module(module.name)
importlib.import_module("render.odds")
rulesets()
garbage_collection.reduce_garbage_collection()
