"""Short names on crowded plates: unique, explained in the legend, and used only for lack of space."""

from itertools import combinations

from render.overlay import Overlay
from render.palette import theme
from render.scenes import draw
from render.table import plan_picture
from rules.core.scene import Symbol, TableScene
from rules.core.short_names import abbreviate_names

from .pictures import record_texts
from .samples import EMPTY, create_base


def create_crowd(count: int, apart: float) -> TableScene:
    """Return a scene with `count` detachments in rows of eight."""
    names = (f"Hadendoa of Erkowit detachment {number}" for number in range(count))
    places = ((6 + number % 8 * apart, 8 + number // 8 * apart) for number in range(count))
    units = [
        create_base(name, "mahdist", Symbol.INFANTRY, x, y, 180, "10", frontage=2)
        for name, (x, y) in zip(names, places, strict=True)
    ]
    short = abbreviate_names([unit.name for unit in units])
    shortened = (unit.model_copy(update={"short": short[unit.name]}) for unit in units)
    return EMPTY.model_copy(update={"bases": tuple(shortened)})


def create_overlay(scene: TableScene) -> Overlay:
    look = theme("campaign", scene.ground)
    sheet = plan_picture(scene, None, "campaign")
    return Overlay(scene, sheet.map_view, look, sheet.text_size)


def test_crowded_units_have_short_plates_explained_by_the_legend() -> None:
    scene = create_crowd(40, 4.5)
    positions = create_overlay(scene).plate_positions
    assert not any(first.box.overlaps(second.box) for first, second in combinations(positions, 2))
    with record_texts() as texts:
        draw(scene)
    legend = dict(text.split(" = ") for text, _ in texts if " = " in text)
    assert len(legend) > 20
    assert {*legend.values()} <= {unit.name for unit in scene.bases}
    assert {*legend} <= {text for text, _ in texts}


def test_names_are_written_whole_if_there_is_space() -> None:
    scene = create_crowd(8, 8.0)
    with record_texts() as texts:
        draw(scene)
    assert not [text for text, _ in texts if " = " in text]
