"""The functions of ours that a volley goes through, from the callback of `/fire` to the bytes of its picture.

It is the first volley of Suakin 1885, in the simulated chat of the tests, with workers that are threads. Every die
shows a six, so that the same things come of it each time.
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
IN_PASSING = {"<genexpr>", "<listcomp>", "<setcomp>", "<dictcomp>"}
"""Parts of the function that they stand in."""
SHOT = {"unit": "Riflemen of Hashin", "target": "1st Berkshires"}


def named(code: CodeType) -> str | None:
    """A function of ours by its module and name; None for others', and for bodies of modules and classes."""
    if not code.co_flags & inspect.CO_OPTIMIZED or code.co_name in IN_PASSING:
        return None
    path = Path(code.co_filename)
    if not path.is_relative_to(ROOT) or path.relative_to(ROOT).parts[0] not in LAYERS:
        return None
    module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
    return f"{module}.{code.co_qualname}:{code.co_firstlineno}"


class Way:
    """What was entered since `first` was, until a function of ours returned a picture; nothing while it is None."""

    def __init__(self) -> None:
        self.first: CodeType | None = None
        self._begun = False
        self.arrived = False
        self.entered: list[str] = []
        self.on_the_loop: set[str] = set()
        """Those of them that were entered in the thread of the event loop, which is the one that watches."""
        self._loop = threading.get_ident()
        self._names: dict[CodeType, str | None] = {}

    def __call__(self, frame: FrameType, event: str, arg: Any) -> None:
        """What Python calls for every function that is entered or left."""
        if self.arrived:
            return
        if event == "call":
            self._enter(frame.f_code)
        elif event == "return" and isinstance(arg, bytes) and arg.startswith(PNG):
            self.arrived = self._begun and named(frame.f_code) is not None

    def _enter(self, code: CodeType) -> None:
        self._begun = self._begun or code is self.first
        if not self._begun:
            return
        if code not in self._names:
            name = self._names[code] = named(code)
            if name is not None:
                self.entered.append(name)
        known = self._names[code]
        if known is not None and threading.get_ident() == self._loop:
            self.on_the_loop.add(known)

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Watches this thread, and those that begin meanwhile: the bot's, where it is made later."""
        threading.setprofile(self)
        sys.setprofile(self)
        try:
            yield
        finally:
            sys.setprofile(None)
            threading.setprofile(None)  # type: ignore[arg-type]


HONEST = sealed_dice.faces


def sixes(seed: bytes, message: str, count: int, sides: int) -> tuple[int, ...]:
    """Thrown as ever, and turned to the six."""
    return tuple(6 for _ in HONEST(seed, message, count, sides))


async def first_volley() -> Way:
    """The functions in the order in which they were entered, each once."""
    way = Way()
    with TemporaryDirectory() as directory, patch.object(sealed_dice, "faces", sixes), way.watched():
        url = f"sqlite+aiosqlite:///{directory}/umpire.db"
        given = {"UMPIRE_DATABASE_URL": url, "DISCORD_TOKEN": None, "UMPIRE_WORKERS": 0}
        bot = make_bot(Settings.model_validate(given))
        env = simcord.Env(bot, check_errors=False)
        await env.start()
        try:
            await _fire(env, bot, way)
        finally:
            await env.shutdown()
            await bot.store.close()
    return way


async def _fire(env: simcord.Env, bot: UmpireBot, way: Way) -> None:
    table = Table.create(env, lambda: bot)
    await table.start()
    command = bot.tree.get_command("fire")
    assert isinstance(command, app_commands.Command)
    way.first = command.callback.__code__
    answer = await table.give(table.mahdist, "fire", **SHOT)
    assert way.arrived, f"no picture came: {answer.text}"
