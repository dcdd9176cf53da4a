"""Drawing keeps nobody waiting who only wants to read."""

import asyncio
from threading import Event, current_thread

from cogs.kit import pictures


async def test_words_do_not_wait_behind_pictures() -> None:
    finished = Event()
    drawings = [asyncio.create_task(pictures.drawn(finished.wait, 20.0)) for _ in range(64)]
    try:
        await asyncio.sleep(0)
        assert await asyncio.wait_for(asyncio.to_thread(len, "words"), timeout=5.0) == 5
    finally:
        finished.set()
        await asyncio.gather(*drawings)


async def test_pictures_are_drawn_by_few() -> None:
    names = await asyncio.gather(*(pictures.drawn(lambda: current_thread().name) for _ in range(20)))
    assert 1 <= len(set(names)) <= 2
