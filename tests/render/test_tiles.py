"""Tiles of ground: drawn once, kept in memory and in a folder, and never mixed up."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image, ImageDraw

from render import ground as ground_module
from render import scenes, tiles
from render.fixed_palette import fixed_palette
from render.geometry import Box
from render.ground import table_ground
from render.tiles import TILE, TileStore, tiles_covering
from rules.core.scene import TableScene

from .hex_samples import SCENE
from .pictures import count_differing_pixels, count_unlike_pixels
from .samples import BATTLE, EMPTY

SMALL = EMPTY.model_copy(update={"width": 36.0, "height": 24.0})
"""A table small enough to draw all its tiles within a second."""
WHOLE = Box(0, 0, TILE * 2, TILE)


class Painter:
    """A painter of one-coloured tiles that counts them."""

    def __init__(self, colour: int = 5) -> None:
        self.colour, self.boxes = colour, list[Box]()

    def __call__(self, box: Box) -> Image.Image:
        self.boxes.append(box)
        image = Image.new("P", (TILE, TILE), self.colour)
        image.putpalette(fixed_palette().getpalette() or ())
        ImageDraw.Draw(image).point((0, 0), fill=9)
        return image


@pytest.fixture
def store(tmp_path: Path) -> TileStore:
    tile_store = TileStore()
    tile_store.use_folder(tmp_path / "grounds")
    return tile_store


@pytest.fixture
def _kept_on_disk(tmp_path: Path) -> Iterator[None]:
    tiles.TILES.cache_clear()
    tiles.TILES.use_folder(tmp_path / "grounds")
    yield
    tiles.TILES.use_folder(None)
    tiles.TILES.cache_clear()


def test_a_box_is_put_together_from_the_tiles_it_needs() -> None:
    assert list(tiles_covering(Box(0, 0, TILE, TILE))) == [(0, 0)]
    assert list(tiles_covering(Box(-1, 0, TILE + 1, TILE))) == [(-1, 0), (0, 0), (1, 0)]
    painter = Painter()
    image = TileStore().picture("a map", Box(TILE - 10, 0, TILE + 30, 20), painter)
    assert (image.mode, image.size, len(painter.boxes)) == ("P", (40, 20), 2)
    assert image.getpixel((10, 0)) == 9, "the corner of the second tile"


def test_a_tile_in_memory_is_not_drawn_again() -> None:
    store, painter = TileStore(), Painter()
    for _ in range(2):
        store.picture("a map", WHOLE, painter)
    store.picture("another map", WHOLE, painter)
    assert len(painter.boxes) == 4


def test_a_tile_in_the_folder_is_not_drawn_again_by_the_next_process(store: TileStore, tmp_path: Path) -> None:
    first = store.picture("a map", WHOLE, Painter())
    later, painter = TileStore(), Painter()
    later.use_folder(tmp_path / "grounds")
    assert later.picture("a map", WHOLE, painter).tobytes() == first.tobytes()
    assert painter.boxes == []


def test_tiles_drawn_by_other_code_are_not_used(store: TileStore, monkeypatch: pytest.MonkeyPatch) -> None:
    store.picture("a map", WHOLE, Painter())
    store.cache_clear()
    monkeypatch.setattr(tiles, "_code_hash", lambda: "changed")
    painter = Painter()
    store.picture("a map", WHOLE, painter)
    assert len(painter.boxes) == 2


def test_a_broken_file_is_drawn_anew(store: TileStore, tmp_path: Path) -> None:
    store.picture("a map", WHOLE, Painter())
    for path in (tmp_path / "grounds").iterdir():
        path.write_bytes(path.read_bytes()[:100])
    store.cache_clear()
    painter = Painter()
    store.picture("a map", WHOLE, painter)
    assert len(painter.boxes) == 2


def test_a_folder_that_cannot_be_used_stops_no_picture(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    store = TileStore()
    store.use_folder(tmp_path / "file" / "grounds")
    assert store.picture("a map", WHOLE, Painter()).size == (TILE * 2, TILE)
    store.folder = tmp_path / "gone"
    assert store.picture("another map", WHOLE, Painter()).size == (TILE * 2, TILE)


def test_the_oldest_tiles_are_deleted_when_they_take_too_much(
    store: TileStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.picture("a map", WHOLE, Painter())
    size = next((tmp_path / "grounds").iterdir()).stat().st_size
    monkeypatch.setattr(tiles, "MOST_BYTES", size * 1.5)
    TileStore().use_folder(tmp_path / "grounds")
    assert len(list((tmp_path / "grounds").iterdir())) == 1


def test_memory_holds_a_limited_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tiles, "MOST", 1)
    store, painter = TileStore(), Painter()
    for _ in range(2):
        store.picture("a map", WHOLE, painter)
    assert len(painter.boxes) == 4


@pytest.mark.usefixtures("_kept_on_disk")
@pytest.mark.parametrize(
    "scene", [pytest.param(SMALL, id="inches"), pytest.param(SCENE, id="hexes", marks=pytest.mark.soak)]
)
def test_a_part_finds_the_ground_that_was_drawn_ahead(scene: scenes.Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    area = Box(4, 4, 24, 20) if isinstance(scene, TableScene) else Box(20, 5, 27, 10)
    plain = scenes.draw(scene, area=area)
    tiles.TILES.cache_clear()
    for path in (tiles.TILES.folder or Path()).iterdir():
        path.unlink()
    for scale in scenes.ground_scales(scene):
        scenes.tiled_ground(scene, scale).draw_ahead()
    monkeypatch.setattr(TileStore, "_draw_and_store", None)  # drawing a tile now fails
    assert count_differing_pixels(scenes.draw(scene, area=area), plain) == 0


def test_neighbouring_tiles_of_a_table_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    area = Box(16, 10, 40, 28)
    cut = table_ground(BATTLE, 41.0, "campaign").picture(area)
    monkeypatch.setattr(ground_module, "TILE", TILE * 8)
    large_tile = ground_module._draw_tile(BATTLE, 41.0, "campaign", Box(0, 0, 41 * 72, 41 * 48)).convert("RGB")
    part = large_tile.crop((16 * 41, 10 * 41, 40 * 41, 28 * 41))
    assert count_unlike_pixels(cut, part) < cut.width * cut.height * 0.005, "but for the edges of the tiles"
