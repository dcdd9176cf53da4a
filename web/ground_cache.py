"""Cache the ground pictures that workers draw. Simultaneous requests for a picture wait for the same drawing."""

import asyncio

from cachetools import LRUCache

from bot.workers import Workers
from rules.core.hexboard.hex_scene import Scene

from .ground import draw_ground

MOST_PICTURES = 24
"""Maximum number of pictures in memory: twelve grounds in two sizes."""
Picture = tuple[bytes, str]
"""A picture and its content type."""


class GroundCache:
    """Cache that draws grounds in worker processes, and keeps the newest pictures."""

    def __init__(self, workers: Workers) -> None:
        self._workers = workers
        self._drawings: LRUCache[tuple[str, bool], asyncio.Task[Picture]] = LRUCache(MOST_PICTURES)

    async def get_picture(self, name: str, scene: Scene, *, large: bool, photograph: bytes | None = None) -> Picture:
        """Return the picture of the scene's ground, named `name`. Raises UserError if a worker hangs or dies."""
        key = name, large
        drawing = self._drawings.get(key)
        if drawing is None or (drawing.done() and (drawing.cancelled() or drawing.exception() is not None)):
            drawing = asyncio.create_task(self._workers.run(draw_ground, scene, large=large, photograph=photograph))
            self._drawings[key] = drawing
        return await asyncio.shield(drawing)  # other requests may await the same drawing
