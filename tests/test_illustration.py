"""Pictures posted after their reply, or discarded with a failed reply."""

import asyncio
import gc
from types import SimpleNamespace
from typing import Any

import pytest

from cogs.kit import illustration, reply
from cogs.kit.cards.card import Card


async def test_a_discarded_drawing_that_fails_logs_no_traceback(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The event loop would log the error of a discarded drawing that nobody awaited."""
    errors: list[Any] = []
    may_draw = asyncio.Event()

    async def draw() -> Any:
        await may_draw.wait()
        raise ZeroDivisionError

    async def fail(*_: object, **__: object) -> None:
        may_draw.set()
        await asyncio.sleep(0.01)
        raise ConnectionError

    monkeypatch.setattr(reply, "send", fail)
    monkeypatch.setattr(illustration, "DRAWN_WITHIN", 0)
    asyncio.get_running_loop().set_exception_handler(lambda _, context: errors.append(context))
    interaction: Any = SimpleNamespace(id=1)
    with pytest.raises(ConnectionError):
        await illustration.send_with_pictures(interaction, draw(), lambda _: Card(), private=True)
    gc.collect()
    await asyncio.sleep(0)
    assert errors == []
