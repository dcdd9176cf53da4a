"""Pictures of actions on hex maps: all text is legible on a telephone."""

import contextlib
import random
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations, pairwise
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from render import tiles
from render.action_lines import add_action_lines
from render.fonts import Face, text_width
from render.framing import frame_sides
from render.geometry import Box, View
from render.hexmap import picture
from render.hexmap.counter_layout import CAPITAL, CounterFace, lay_out_counter, text_margin
from render.hexmap.map_canvas import MapCanvas
from render.hexmap.notes import draw_notes
from render.hexmap.plane import box_around_hexes, hex_centre
from render.hexmap.tracks import draw_track_labels
from render.scenes import draw_image
from render.text_size import minimum_text_size
from rules.core.hexboard.hex_scene import HexScene, NoteKind, Track
from rules.core.hexboard.hexes import Hex
from rules.core.model import PUBLIC
from rules.core.report import Report
from rules.core.scene import Symbol
from rules.core.state import Action
from rules.registry import rulesets
from rules.tanga.model import BRITISH, TangaState
from tests import selfplay
from tests.daily_choice import choose_daily
from tests.fuzz import get_daily_seed

from .hex_samples import create_note, create_track
from .pictures import record_texts

LAST_TURN = {"initial-assault": 10, "campaign": 13}
"""Number of turns per scenario; the Campaign is played past the first landings."""
RANDOM_PICTURES = 6
"""Number of random pictures besides one per kind of action."""
NAMES = ("", "A", "MG 1", "1st Platoon", "Leader 2", "v. Lettow-Vorbeck")


class Shot(NamedTuple):
    """A picture to draw after an action, with the action's kind."""

    kind: str
    scene: HexScene
    area: Box


class _EnoughError(Exception):
    """Raised once enough turns have been played."""


@cache
def record_shots(scenario: str, seed: int) -> tuple[Shot, ...]:
    """Return every action of a game's first turns, each British turn as a whole, and the scene after it."""
    system: Any = rulesets()["tanga"]
    shots: list[Shot] = []
    turn: list[tuple[str, tuple[str, ...]]] = []
    began: list[TangaState] = []

    def keep(kind: str, scene: HexScene, area: Box | None) -> None:
        if area is not None:
            shots.append(Shot(kind, scene, area))

    def add(kind: str, state: TangaState, before: TangaState, acts: list[tuple[str, tuple[str, ...]]]) -> None:
        keep(kind, *add_action_lines(system.scene(state, PUBLIC, before), system.scene(before, PUBLIC), acts))

    def watch(before: TangaState, action: Action, after: TangaState, report: Report) -> None:
        if before.turn > LAST_TURN[scenario]:
            raise _EnoughError
        acted = action.kind, report.units
        add("landing" if " land " in report.headline else action.kind, after, before, [acted])
        if before.active == BRITISH:
            began[:] = began or [before]
            turn.append(acted)
        elif began:
            add("whole turn", before, began[0], turn)
            scene = system.scene(before, PUBLIC)
            keep("whole turn", scene, frame_sides(scene, [BRITISH]))
            turn.clear()
            began.clear()

    with contextlib.suppress(_EnoughError):
        selfplay.play(scenario, seed, watch)
    return tuple(shots)


def choose_shots() -> Iterator[Any]:
    """Yield one picture of each kind of action, and some at random."""
    today = choose_daily([*LAST_TURN])
    for scenario in LAST_TURN:
        marks = () if scenario == today else pytest.mark.soak
        yield pytest.param(
            scenario, get_daily_seed(), RANDOM_PICTURES, id=f"{scenario}-{get_daily_seed()}", marks=marks
        )
        for seed in range(3):
            yield pytest.param(scenario, seed, 3 * RANDOM_PICTURES, id=f"{scenario}-{seed}", marks=pytest.mark.soak)


@pytest.mark.parametrize(("scenario", "seed", "count"), list(choose_shots()))
def test_maps_after_every_action_are_legible_and_name_every_formation(
    scenario: str, seed: int, count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(picture, "legend_rows", lambda *_, **__: ())
    monkeypatch.setattr(picture, "frame_map", lambda field, *_: field)
    monkeypatch.setattr(tiles.TiledGround, "picture", lambda ground, box: create_image(box, ground.scale))
    of_kind = {shot.kind: shot for shot in record_shots(scenario, seed)}
    assert {"british", "move", "whole turn"} | (
        {"landing"} if scenario == "campaign" else {"fire", "melee"}
    ) <= of_kind.keys()
    dice = random.Random(seed)
    for shot in (*of_kind.values(), *dice.choices(record_shots(scenario, seed), k=count)):
        with record_texts() as texts:
            image = draw_image(shot.scene, area=shot.area)
        words = minimum_text_size(image.width)
        assert not [text for text in texts if text[1] < words], (shot.kind, shot.scene.title)
        visible = picture.plan_picture(shot.scene, shot.area, "campaign").view.box
        formations = {
            counter.formation
            for stack in shot.scene.stacks
            if visible.contains(hex_centre(stack.hex))
            for counter in stack.counters
            if not counter.face_down
        }
        assert formations <= {text for text, _ in texts}, (shot.kind, shot.scene.title)


def create_image(box: Box, scale: int) -> Image.Image:
    return Image.new("RGB", (round(box.width * scale), round(box.height * scale)))


@given(
    name=st.sampled_from(NAMES),
    formation=st.sampled_from(("", "13 Raj", "6. SchK", "Royal Naval Division")),
    left=st.sampled_from(("", "5", "+2", "12")),
    middle=st.sampled_from(("", "3", "10")),
    size=st.integers(12, 160),
    smallest=st.integers(8, 40),
)
def test_parts_of_a_counter_fit_are_legible_and_do_not_overlap(
    name: str, formation: str, left: str, middle: str, size: int, smallest: int
) -> None:
    layout = lay_out_counter(CounterFace(name, Symbol.INFANTRY, left, middle, "4", formation), size, smallest)
    lines = [line for line in (layout.formation, layout.name) if line]
    inner = size - 2 * text_margin(size)
    assert all(line.size >= smallest and text_width(line.words, Face.BOLD, line.size) <= inner for line in lines)
    spans = [(line.middle - line.size * CAPITAL / 2, line.middle + line.size * CAPITAL / 2) for line in lines]
    at, high = layout.symbol
    spans.append((at - high / 2, at + high / 2))
    if layout.figures:
        foot = size - text_margin(size)
        assert layout.figures >= smallest
        assert (
            sum(text_width(text, Face.BOLD, layout.figures) for text in (layout.left, layout.middle, layout.right))
            <= inner
        )
        if layout.name is None or layout.name.middle < foot - layout.figures * CAPITAL:
            spans.append((foot - layout.figures * CAPITAL, foot))
    spans.sort()
    assert spans[0][0] >= 0
    assert spans[-1][1] <= size
    named_between = (
        layout.name is not None and layout.figures and layout.name.middle >= size - text_margin(size) - layout.figures
    )
    if not named_between:
        assert all(first[1] <= second[0] for first, second in pairwise(spans))


def test_a_shrinking_counter_drops_the_least_important_parts_first() -> None:
    company = CounterFace("A", Symbol.INFANTRY, "5", "3", "4", "13 Raj")
    parts = []
    for size in range(120, 20, -1):
        layout = lay_out_counter(company, size, 20)
        parts.append("".join(part[0] for part in ("formation", "range", "left") if _has(layout, part)))
    assert list(dict.fromkeys(parts)) == ["frl", "rl", "l", ""]


def _has(layout: Any, part: str) -> bool:
    return bool({"formation": layout.formation, "range": layout.middle, "left": layout.left}[part])


def test_results_of_shots_stand_apart_beside_the_counters() -> None:
    shots = tuple(create_track("miss", start, "2713", text="no hit") for start in ("2612", "2613", "2712", "2813"))
    view = View(box_around_hexes([Hex.from_label("2713")]).grow(2), 100)
    field = create_image(view.box, 100)

    def draw_shots(*tracks: Track, standing: Sequence[Box] = (), names: Sequence[Box] = ()) -> list[Box]:
        pad = MapCanvas(field, view, "campaign", 20, counter_boxes=standing)
        pad.name_boxes += names
        draw_track_labels(pad, tracks)
        return pad.label_boxes

    labels = draw_shots(*shots)
    assert len(labels) == len(shots)
    assert not any(first.overlaps(second) for first, second in combinations(labels, 2))
    (lone,) = draw_shots(shots[0])
    (label,) = draw_shots(shots[0], standing=[lone])
    assert label.shared_area([lone]) < lone.width * lone.height / 2
    every = Box(0, 0, *field.size)
    assert draw_shots(*shots, names=[every]) == [], "over nothing else that is written"


def test_an_entry_marker_names_its_formation_beside_a_counter_and_at_the_edge_whole() -> None:
    marker, view = (
        create_note("2713", NoteKind.ENTRY, "13 Raj", "british"),
        View(box_around_hexes([Hex.from_label("2713")]).grow(1), 100),
    )

    def draw_marker(view: View, *standing: Box) -> Box:
        pad = MapCanvas(create_image(view.box, 100), view, "campaign", counter_boxes=standing)
        draw_notes(pad, [marker], above=True)
        (tag,) = pad.label_boxes
        return tag

    free = draw_marker(view)
    beside = draw_marker(view, free)
    assert beside.shared_area([free]) < free.width * free.height / 2
    x, y = hex_centre(Hex.from_label("2713"))
    cut = View(Box(x - 0.7, y - 1, x + 0.1, y + 1), 100)
    inside = draw_marker(cut)
    assert inside.clip_to(Box(0, 0, 80, 200)) == inside
