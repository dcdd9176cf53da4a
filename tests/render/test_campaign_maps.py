"""Maps of campaigns: places have names, points show their holder, and battles stand out."""

from io import BytesIO
from itertools import pairwise
from typing import Any

import pytest
from PIL import Image, ImageChops

from bot.jobs.pictures import draw_table
from render.hexmap import names
from render.hexmap.legend import note_sample
from render.hexmap.map_canvas import MapCanvas
from render.palette import SIDES
from rules.campaign.intelligence import News, NewsKind
from rules.campaign.model import CampaignState
from rules.campaign.news import state_for_public_map
from rules.core.hexboard.hex_scene import NoteKind
from rules.core.model import PUBLIC, UMPIRE
from rules.core.tests.scripted import ScriptedDice
from rules.registry import rulesets

from .legibility import TELEPHONE_WIDTH
from .pictures import record_texts

SYSTEM = rulesets()["campaign"]
LEAST = 8.0
"""Minimum size of a text in pixels at a telephone's width."""


def begin_campaign(scenario: str) -> CampaignState:
    """Return a campaign before its first day."""
    return SYSTEM.setup(scenario, {}, ScriptedDice(()))


VIEWERS = [PUBLIC, pytest.param("first", marks=pytest.mark.soak), pytest.param(UMPIRE, marks=pytest.mark.soak)]


@pytest.mark.parametrize("scenario", SYSTEM.scenarios)
@pytest.mark.parametrize("viewer", VIEWERS)
def test_every_place_is_named_legibly(scenario: str, viewer: str, monkeypatch: pytest.MonkeyPatch) -> None:
    state, plain = begin_campaign(scenario), names._write_name
    placements: list[bool] = []

    def place(pad: MapCanvas, *rest: Any) -> None:
        before = len(pad.name_boxes)
        plain(pad, *rest)
        placements.append(len(pad.name_boxes) > before)

    monkeypatch.setattr(names, "_write_name", place)
    with record_texts() as texts:
        drawing = draw_table(SYSTEM, state, state.sides[0].id if viewer == "first" else viewer)
    wide = Image.open(BytesIO(drawing.data)).width
    sizes = {text: size * TELEPHONE_WIDTH / wide for text, size in texts}
    assert min(sizes.values()) >= LEAST, min(sizes.items(), key=lambda entry: entry[1])
    if viewer == PUBLIC:
        assert placements[: len(state.points)] == [True] * len(state.points), "a name is left out"


def test_points_differ_by_shape_for_each_holder() -> None:
    signs = [note_sample(NoteKind.OBJECTIVE, "campaign", 60, holder).convert("L") for holder in (*SIDES[:2], None)]
    shapes = [sign.point(lambda value: 255 if value < 170 else 0) for sign in signs]
    inked = [sum(shape.histogram()[255:]) for shape in shapes]
    assert all(ImageChops.difference(first, second).getbbox() for first, second in pairwise(shapes))
    assert inked[0] > 1.3 * inked[1] > 1.3 * inked[2] > 0, "a ring, brackets, dots"


def test_commands_of_a_power_look_alike_and_the_legend_names_powers() -> None:
    state = begin_campaign("zululand-1879")
    looks = {power.id: {state.side(command).index for command in power.commands} for power in state.powers}
    assert [*looks.values()] == [{0}, {1}]
    assert [side.name for side in SYSTEM.scene(state, UMPIRE).legend] == ["British", "Zulus"]


def test_a_gazettes_map_marks_the_battles_of_its_day() -> None:
    state = begin_campaign("suakin-1884")
    at = state.points["el-teb"].at
    news = (News(day=1, kind=NewsKind.BATTLE, who="mahdists", at=at), News(day=2, kind=NewsKind.FIELD, at=at))
    state = state.model_copy(update={"turn": 3, "news": news})
    battles = [
        [
            note.hex
            for note in SYSTEM.scene(state_for_public_map(state, day), PUBLIC).notes
            if note.kind is NoteKind.BATTLE
        ]
        for day in (1, 2)
    ]
    assert battles == [[at], []]
