"""Cache the ground of maps as square pictures, the tiles, in memory and in a folder.

A tile's file name hashes its content and this package's code, so that changed code draws new tiles.
"""

import contextlib
import hashlib
import logging
import math
import os
import tempfile
from collections.abc import Callable, Iterator
from functools import cache
from itertools import product
from operator import attrgetter
from pathlib import Path
from threading import Lock
from typing import NamedTuple

import PIL
from cachetools import LRUCache, cachedmethod
from PIL import Image, UnidentifiedImageError

from .geometry import Box
from .png import encode_palette_png

log = logging.getLogger(__name__)

TILE = 512
"""Width and height of a tile in pixels. Successive pictures of a game share most tiles."""
MOST = 150
"""Maximum number of tiles in memory."""
MOST_BYTES, LEFT = 300_000_000, 0.7
"""Maximum bytes in the folder, and the share of that maximum left after deleting the oldest tiles."""
Draw = Callable[[Box], Image.Image]
"""Function that draws a box of the map (pixels from the map's origin) in the fixed palette."""


class TileStore:
    """Cache of the most recently used tiles, safe in threads and processes. Never draw on a cached tile."""

    def __init__(self) -> None:
        self._kept: LRUCache[str, Image.Image] = LRUCache(MOST)
        self._lock = Lock()
        self.folder: Path | None = None

    def use_folder(self, folder: Path | None) -> None:
        """Store tiles in `folder` from now on, and delete old files there. None keeps tiles in memory only."""
        self.folder = folder
        if folder is None:
            return
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            _delete_oldest_tiles(folder)
        except OSError as error:
            log.warning("Grounds of maps are not kept on disk: %s", error)
            self.folder = None

    def picture(self, content: str, box: Box, draw: Draw) -> Image.Image:
        """Return a part of a map's ground as a new picture of mode P.

        `box` is in whole pixels. `content` is the cache key: it names everything that decides the pixels, including the
        scale.
        """
        left, top, right, bottom = (round(edge) for edge in box)
        image: Image.Image | None = None
        for column, row in tiles_covering(box):
            tile = self._load_or_draw(f"{content}|{column},{row}", Box(column, row, column + 1, row + 1), draw)
            if image is None:
                image = Image.new("P", (right - left, bottom - top))
                image.putpalette(tile.getpalette() or ())
            image.paste(tile, (column * TILE - left, row * TILE - top))
        assert image is not None, "a box has pixels"
        return image

    def draw_missing_tiles(self, content: str, box: Box, draw: Draw) -> None:
        """Draw the tiles of `box` that the folder lacks, and store them in the folder alone."""
        if self.folder is None:
            return
        for column, row in tiles_covering(box):
            key = f"{content}|{column},{row}"
            if not (self.folder / _file_name(key)).exists():
                self._draw_and_store(key, Box(column, row, column + 1, row + 1), draw)

    def cache_clear(self) -> None:
        """Drop all tiles from memory; the folder keeps its files."""
        with self._lock:
            self._kept.clear()

    @cachedmethod(attrgetter("_kept"), key=lambda _, key, *__: key, lock=attrgetter("_lock"))
    def _load_or_draw(self, key: str, at: Box, draw: Draw) -> Image.Image:
        """Return the tile from memory or the folder, or draw and store it."""
        return self._read_tile(key) or self._draw_and_store(key, at, draw)

    def _draw_and_store(self, key: str, at: Box, draw: Draw) -> Image.Image:
        tile = draw(Box(*(edge * TILE for edge in at)))
        self._write_tile(key, tile)
        return tile

    def _read_tile(self, key: str) -> Image.Image | None:
        """Return the tile from the folder, or None if its file is missing or unreadable."""
        if self.folder is None:
            return None
        path = self.folder / _file_name(key)
        try:
            with Image.open(path) as image:
                image.load()
                tile = image.copy()
            os.utime(path)
        except (OSError, UnidentifiedImageError, ValueError, SyntaxError):
            return None
        return tile if tile.mode == "P" and tile.size == (TILE, TILE) else None

    def _write_tile(self, key: str, tile: Image.Image) -> None:
        """Write a tile to the folder atomically, or log a warning if that fails."""
        if self.folder is None:
            return
        try:
            with tempfile.NamedTemporaryFile(dir=self.folder, delete=False) as file:
                file.write(encode_palette_png(tile))
            Path(file.name).replace(self.folder / _file_name(key))
        except OSError as error:
            log.warning("The ground of a map was not kept on disk: %s", error)


TILES = TileStore()


class TiledGround(NamedTuple):
    """The ground of a whole map at `scale` pixels per unit; `content` is its cache key."""

    content: str
    whole: Box
    scale: float
    draw: Draw

    def picture(self, box: Box) -> Image.Image:
        """Return a part of the ground as a new RGB picture; `box` must cover whole pixels."""
        return TILES.picture(self.content, self._to_pixels(box), self.draw).convert("RGB")

    def draw_ahead(self) -> None:
        """Draw the whole map and cache it in the folder, unless it is already cached."""
        TILES.draw_missing_tiles(self.content, self._to_pixels(self.whole), self.draw)

    def _to_pixels(self, box: Box) -> Box:
        return Box(*(edge * self.scale for edge in box))


def tiles_covering(box: Box) -> Iterator[tuple[int, int]]:
    """Yield the column and row of each tile that covers a part of `box`, in pixels."""
    columns = range(math.floor(box.left / TILE), math.floor((round(box.right) - 1) / TILE) + 1)
    rows = range(math.floor(box.top / TILE), math.floor((round(box.bottom) - 1) / TILE) + 1)
    for row, column in product(rows, columns):
        yield column, row


def _file_name(key: str) -> str:
    return f"{hashlib.sha256(f'{_code_hash()}|{key}'.encode()).hexdigest()}.png"


@cache
def _code_hash() -> str:
    """Return a hash of this package's code and Pillow's version, which decide how tiles look."""
    digest = hashlib.sha256(PIL.__version__.encode())
    for path in sorted(Path(__file__).parent.rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _delete_oldest_tiles(folder: Path) -> None:
    """Delete the least recently used tiles if the folder holds more than `MOST_BYTES`."""
    files = []
    for path in folder.iterdir():
        with contextlib.suppress(OSError):  # another process deleted it
            files.append((path.stat().st_mtime, path.stat().st_size, path))
    total = sum(size for _, size, _ in files)
    if total <= MOST_BYTES:
        return
    for _, size, path in sorted(files):
        path.unlink(missing_ok=True)
        total -= size
        if total <= MOST_BYTES * LEFT:
            return
