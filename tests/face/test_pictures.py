"""Drawing does not delay commands that only need text."""

import asyncio
from threading import Event
from types import SimpleNamespace

from bot.journal.game import Played
from bot.workers import ThreadWorkers
from cogs.kit.cards import pictures
from rules.core.hexboard.hex_scene import HexScene
from tests.render.hex_samples import EMPTY, create_company, create_stack, create_track


async def test_text_does_not_wait_for_pictures() -> None:
    finished = Event()
    workers = ThreadWorkers()
    drawings = [asyncio.create_task(workers.run(finished.wait, 20.0)) for _ in range(64)]
    try:
        await asyncio.sleep(0)
        assert await asyncio.wait_for(asyncio.to_thread(len, "words"), timeout=5.0) == 5
    finally:
        finished.set()
        await asyncio.gather(*drawings)


def make_action(before: HexScene, after: HexScene) -> Played:
    """Return an action of a system with a map of hexes."""
    stood, stands = SimpleNamespace(over=None), SimpleNamespace(over=None)
    system = SimpleNamespace(scene=lambda state, viewer, since=None: before if state is stood else after)
    game = SimpleNamespace(photograph=None, palette="campaign", ruleset=system, state=stands)
    entry = SimpleNamespace(kind="move", report=SimpleNamespace(units=("2-lnl-a",)))
    return SimpleNamespace(game=game, before=stood, entry=entry)  # type: ignore[return-value]


async def test_an_action_on_hexes_shows_its_part_of_the_map_with_a_description() -> None:
    far = create_stack("1812", create_company("1", "6. FK", 5, side="german"))
    moved = EMPTY.model_copy(
        update={
            "stacks": (create_stack("2812", create_company("A", "2 LNL", 6)), far),
            "tracks": (create_track("move", "3010", "2911", "2812"),),
        }
    )
    stood = EMPTY.model_copy(update={"stacks": (create_stack("3010", create_company("A", "2 LNL", 6)), far)})
    picture = await pictures.draw_actions(ThreadWorkers(), make_action(stood, moved))
    assert picture is not None
    assert picture.data.startswith(b"\x89PNG")
    assert "A 2 LNL in 2812" in picture.alt
    assert "6. FK" not in picture.alt


async def test_an_action_that_changes_no_hex_has_no_picture() -> None:
    assert await pictures.draw_actions(ThreadWorkers(), make_action(EMPTY, EMPTY)) is None
