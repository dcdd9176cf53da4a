"""Call path of a volley: the bot's functions from the callback of `/fire` to the bytes of the picture.

Fires the first volley of Suakin 1885 in the tests' simulated chat, with threads as workers. All dice show six, so that
every run is the same.
"""

import inspect
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from types import CodeType, FrameType
from typing import Any
from unittest.mock import patch

import simcord
from discord import app_commands

from bot.runtime.client import UmpireBot, make_bot
from bot.runtime.settings import Settings
from rules.core import sealed_dice
from tests.face.table import Table

ROOT = Path(__file__).parents[1]
LAYERS = ("cogs", "bot", "rules", "render")
PNG = b"\x89PNG"
NESTED_CODE = {"<genexpr>", "<listcomp>", "<setcomp>", "<dictcomp>"}
"""Code objects that belong to the surrounding function."""
SHOT = {"unit": "Riflemen of Hashin", "target": "1st Berkshires"}


def name_function(code: CodeType) -> str | None:
    """Return module and name of a bot's function. Return None for others, and for bodies of modules and classes."""
    if not code.co_flags & inspect.CO_OPTIMIZED or code.co_name in NESTED_CODE:
        return None
    path = Path(code.co_filename)
    if not path.is_relative_to(ROOT) or path.relative_to(ROOT).parts[0] not in LAYERS:
        return None
    module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
    return f"{module}.{code.co_qualname}:{code.co_firstlineno}"


class CallPath:
    """Functions entered from `first` until one of ours returns a picture; nothing while `first` is None."""

    def __init__(self) -> None:
        self.first: CodeType | None = None
        self._begun = False
        self.arrived = False
        self.entered: list[str] = []
        self.on_the_loop: set[str] = set()
        """The functions entered in the event loop's thread, which is the watching thread."""
        self._loop = threading.get_ident()
        self._names: dict[CodeType, str | None] = {}

    def __call__(self, frame: FrameType, event: str, arg: Any) -> None:
        """Profile function: Python calls it at each entry and return."""
        if self.arrived:
            return
        if event == "call":
            self._enter(frame.f_code)
        elif event == "return" and isinstance(arg, bytes) and arg.startswith(PNG):
            self.arrived = self._begun and name_function(frame.f_code) is not None

    def _enter(self, code: CodeType) -> None:
        self._begun = self._begun or code is self.first
        if not self._begun:
            return
        if code not in self._names:
            name = self._names[code] = name_function(code)
            if name is not None:
                self.entered.append(name)
        name = self._names[code]
        if name is not None and threading.get_ident() == self._loop:
            self.on_the_loop.add(name)

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Watch this thread and all threads started meanwhile."""
        threading.setprofile(self)
        sys.setprofile(self)
        try:
            yield
        finally:
            sys.setprofile(None)
            threading.setprofile(None)  # type: ignore[arg-type]


HONEST = sealed_dice.compute_faces


def throw_sixes(seed: bytes, message: str, count: int, sides: int) -> tuple[int, ...]:
    """Throw dice as usual, then show sixes."""
    return tuple(6 for _ in HONEST(seed, message, count, sides))


async def record_first_volley() -> CallPath:
    """Return the functions in the order of their first call."""
    way = CallPath()
    with TemporaryDirectory() as directory, patch.object(sealed_dice, "compute_faces", throw_sixes), way.watched():
        url = f"sqlite+aiosqlite:///{directory}/umpire.db"
        settings = {"UMPIRE_DATABASE_URL": url, "DISCORD_TOKEN": None, "UMPIRE_WORKERS": 0}
        bot = make_bot(Settings.model_validate(settings))
        env = simcord.Env(bot, check_errors=False)
        await env.start()
        try:
            await _fire(env, bot, way)
        finally:
            await env.shutdown()
            await bot.store.close()
    return way


async def _fire(env: simcord.Env, bot: UmpireBot, way: CallPath) -> None:
    table = Table.create(env, lambda: bot)
    await table.start()
    command = bot.tree.get_command("fire")
    assert isinstance(command, app_commands.Command)
    way.first = command.callback.__code__
    answer = await table.give(table.mahdist, "fire", **SHOT)
    assert way.arrived, f"no picture came: {answer.text}"
