"""Entry point for pictures: named areas, descriptions, and pictures after actions, for tables and hexes."""

import pytest

from render import scenes
from render.action_lines import add_action_lines
from render.framing import UPRIGHT, frame_units
from render.geometry import Box
from render.hexmap.plane import box_around_hexes
from render.replay import draw_replay
from rules.core.hexboard.hex_scene import HexScene, NoteKind
from rules.core.hexboard.hexes import Hex
from rules.core.scene import Arrow, StatusMarker, Symbol, TableScene, UnitBase

from .hex_samples import BACK, EMPTY, SCENE, create_company, create_note, create_stack, create_track
from .samples import BATTLE, create_base
from .samples import EMPTY as TABLE


def frame_hexes(*labels: str, room: float = 3.0) -> Box:
    return box_around_hexes(Hex.from_label(label) for label in labels).grow(room)


@pytest.mark.parametrize(
    ("text", "box"),
    [
        ("2812", frame_hexes("2812")),
        (" 2208-2616 ", frame_hexes("2208", "2616", room=0)),
        ("2616 – 2208", frame_hexes("2208", "2616", room=0)),
        ("Kaiser Hotel", frame_hexes("2109")),
        ("kaiser", frame_hexes("2109")),
        ("rubber plantation", frame_hexes("3411")),
        ("61-pnr-g", frame_hexes("3411")),
        ("G 61 Pnr", frame_hexes("3411")),
        ("codrington", frame_hexes("3308")),
    ],
)
def test_an_area_is_a_hex_a_span_a_place_or_a_unit(text: str, box: Box) -> None:
    assert scenes.find_area(SCENE, text) == pytest.approx(box)


def test_an_area_never_reaches_off_the_map() -> None:
    full = box_around_hexes(cell.hex for cell in SCENE.board.cells)
    assert scenes.find_area(SCENE, "1501").clip_to(full) == scenes.find_area(SCENE, "1501")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("9999", "1501 to 4222"),
        ("2812-9912", "1501 to 4222"),
        ("Kaiser Wilhelm", "nearest: Kaiser Hotel"),
        ("2 LNL", "nearest: A 2 LNL"),
        ("", "a span such as"),
        ("marker", "a place, or a unit"),
    ],
)
def test_an_invalid_area_is_refused_with_valid_ones(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        scenes.find_area(SCENE, text)


@pytest.mark.parametrize("scene", [SCENE, BATTLE])
def test_every_offered_area_is_valid(scene: HexScene) -> None:
    areas = scenes.list_areas(scene)
    assert len(areas) > 20
    for text, _ in areas[:60] + areas[-5:]:
        assert scenes.find_area(scene, text).width > 0


def test_face_down_counters_are_neither_offered_nor_named() -> None:
    hidden = EMPTY.model_copy(update={"stacks": (create_stack("3308", BACK.model_copy(update={"name": "Dummy"})),)})
    assert not [name for _, name in scenes.list_areas(hidden) if "ummy" in name or "around" in name]
    assert "ummy" not in scenes.describe(hidden, frame_hexes("3308"))
    assert "a face-down counter in 3308" in scenes.describe(hidden, frame_hexes("3308"))


def test_a_close_up_says_who_stands_in_it() -> None:
    words = scenes.describe(SCENE, frame_hexes("2612", room=0.5))
    assert "2 17. FK in 2612" in words
    assert "13 Raj" not in words
    assert scenes.describe(EMPTY, frame_hexes("2612")).endswith("On it: nobody.")


def test_a_picture_is_drawn_of_either_kind() -> None:
    assert scenes.draw(BATTLE)[:4] == scenes.draw(SCENE, area=frame_hexes("2612"))[:4] == b"\x89PNG"
    assert scenes.draw_image(SCENE, shrink=0.8).width < scenes.draw_image(SCENE).width


def test_a_replay_shows_hexes_too() -> None:
    assert draw_replay([EMPTY, SCENE])[:3] == b"GIF"


def test_the_common_area_contains_all_units_and_moves_of_all_scenes() -> None:
    assert frame_units([MOVED, EMPTY, STOOD]) == pytest.approx(frame_hexes("2812", "2912", room=1))
    ran = MOVED.model_copy(update={"tracks": (create_track("move", "2812", "2813", "2814"),)})
    assert frame_units([ran]) == pytest.approx(frame_hexes("2812", "2814", room=1))
    alone = TABLE.model_copy(update={"bases": (create_base("A", "british", Symbol.INFANTRY, 20, 20, 0, ""),)})
    march = alone.model_copy(update={"arrows": (Arrow(start=(40, 20), end=(20, 20)),)})
    area, with_way = frame_units([alone]), frame_units([TABLE, march])
    assert area is not None
    assert with_way is not None
    assert area.width < 10
    assert with_way == pytest.approx(area._replace(right=42))
    assert frame_units([EMPTY]) is None
    assert frame_units([TABLE]) is None


MOVED = EMPTY.model_copy(update={"stacks": (create_stack("2812", create_company("A", "2 LNL", 6)),)})
STOOD = EMPTY.model_copy(update={"stacks": (create_stack("2912", create_company("A", "2 LNL", 6)),)})


def show_action(
    scene: HexScene, before: HexScene, kind: str = "move", units: tuple[str, ...] = ()
) -> tuple[HexScene, Box]:
    after, box = add_action_lines(scene, before, [(kind, units)])
    assert isinstance(after, HexScene)
    assert box is not None
    return after, box


def test_after_an_action_only_the_part_around_its_tracks_is_shown() -> None:
    tracked = MOVED.model_copy(update={"tracks": (create_track("move", "2912", "2812"),)})
    _, box = show_action(tracked, STOOD)
    assert box.height == pytest.approx(frame_hexes("2912", "2812", room=2.0).height)
    assert box.contains((box.left, box.top))
    assert box.width >= UPRIGHT * box.height - 0.01


def test_each_of_several_moves_has_a_line() -> None:
    before = EMPTY.model_copy(
        update={
            "stacks": (
                create_stack("2912", create_company("A", "2 LNL", 6)),
                create_stack("2914", create_company("B", "2 LNL", 6)),
            )
        }
    )
    moved = EMPTY.model_copy(
        update={
            "stacks": (
                create_stack("2812", create_company("A", "2 LNL", 6)),
                create_stack("2814", create_company("B", "2 LNL", 6)),
            ),
            "tracks": (create_track("move", "2914", "2814"),),
        }
    )
    units = [counter.unit for stack in moved.stacks for counter in stack.counters]
    after, _ = add_action_lines(moved, before, [("move", (unit,)) for unit in units])
    assert isinstance(after, HexScene)
    assert [len(track.hexes) for track in after.tracks] == [2, 2]
    assert {track.hexes[-1] for track in after.tracks} == {stack.hex for stack in moved.stacks}


def test_a_long_shot_is_shown_upright_but_not_too_tall_for_a_telephone() -> None:
    pair = (
        create_base("A", "british", Symbol.INFANTRY, 36, 6, 180, "24"),
        create_base("B", "mahdists", Symbol.INFANTRY, 36, 36, 0, "30"),
    )
    scene = TABLE.model_copy(update={"bases": pair})
    fired = scene.model_copy(update={"arrows": (Arrow(start=(36, 6), end=(36, 36), kind="fire", side="british"),)})
    _, box = add_action_lines(fired, scene, [("fire", ("a", "b"))])
    assert box is not None
    assert UPRIGHT * box.height - 0.01 <= box.width < box.height


def test_a_unit_that_came_into_sight_is_shown() -> None:
    mover, hidden = (
        create_base("A", "british", Symbol.INFANTRY, 10, 10, 0, "24"),
        create_base("B", "mahdists", Symbol.INFANTRY, 60, 40, 0, "30"),
    )
    before = TABLE.model_copy(update={"bases": (mover,)})
    moved = mover.model_copy(update={"at": (12, 10)})
    _, box = add_action_lines(before.model_copy(update={"bases": (moved, hidden)}), before, [("move", ("a",))])
    assert box is not None
    assert box.contains(hidden.at)
    assert box.contains(moved.at)
    lay = create_stack("3411", create_company("A", "61 Pnr", 5))
    under = lay.model_copy(
        update={"counters": tuple(counter.model_copy(update={"face_down": True}) for counter in lay.counters)}
    )
    tracks = (create_track("move", "1912", "1913"),)
    now, earlier = (EMPTY.model_copy(update={"stacks": (stack,)}) for stack in (lay, under))
    _, part = add_action_lines(now.model_copy(update={"tracks": tracks}), earlier, [("move", ())])
    assert part is not None
    assert part.contains(frame_hexes("3411", room=0).centre)
    _, part = add_action_lines(now.model_copy(update={"tracks": tracks}), now, [("move", ())])
    assert part is not None
    assert not part.contains(frame_hexes("3411", room=0).centre)


def test_without_tracks_the_stacks_and_notes_that_changed_are_shown() -> None:
    fresh, spent = (create_company("A", "2 LNL", 6, *markers) for markers in ((), (StatusMarker.FIRED,)))
    scene, before = (
        EMPTY.model_copy(
            update={"stacks": (create_stack("2812", counter), create_stack("3308", create_company("B", "13 Raj", 5)))}
        )
        for counter in (spent, fresh)
    )
    _, box = show_action(scene, before)
    assert box.centre == pytest.approx(frame_hexes("2812").centre)
    _, box = show_action(EMPTY.model_copy(update={"notes": (create_note("2411", NoteKind.ENTRY, "13 Raj"),)}), EMPTY)
    assert box.centre == pytest.approx(frame_hexes("2411").centre)


def test_all_of_several_shots_on_hexes_are_drawn() -> None:
    ids, places = ("2-lnl-a", "13-raj-b", "61-pnr-c"), ("2812", "3308", "3411")
    units = [create_company(unit[-1].upper(), unit.upper(), 5).model_copy(update={"unit": unit}) for unit in ids]
    before = EMPTY.model_copy(update={"stacks": tuple(map(create_stack, places, units))})
    last = create_track("miss", places[1], places[2])
    acts = [("fire", ids[:2]), ("fire", ids[1:])]
    after, _ = add_action_lines(before.model_copy(update={"tracks": (last,)}), before, acts)
    assert [(track.kind, track.hexes) for track in after.tracks] == [
        ("miss", last.hexes),
        ("fire", create_track("fire", *places[:2]).hexes),
    ]


def test_an_action_without_changes_shows_nothing() -> None:
    assert add_action_lines(SCENE.model_copy(update={"tracks": ()}), SCENE, [("rally", ("2-lnl-a",))])[1] is None


@pytest.mark.parametrize("kind", ["fire", "melee"])
def test_a_shot_missing_in_the_scene_is_drawn_even_at_a_lost_unit(kind: str) -> None:
    target = create_stack("2612", create_company("2", "17. FK", 5, side="german"))
    before = MOVED.model_copy(update={"stacks": (*MOVED.stacks, target)})
    after, _ = show_action(MOVED, before, kind, ("2-lnl-a", "17.-fk-2"))
    assert [(line.kind, [at.label for at in line.hexes], line.side) for line in after.tracks] == [
        (kind, ["2812", "2612"], "british")
    ]
    repeated, _ = show_action(after, before, kind, ("2-lnl-a", "17.-fk-2"))
    assert repeated.tracks == after.tracks


def test_a_game_keeps_to_one_kind_of_map() -> None:
    with pytest.raises(TypeError):
        add_action_lines(SCENE, BATTLE, [("move", ())])


def create_table(*bases: UnitBase) -> TableScene:
    return TABLE.model_copy(update={"bases": bases, "arrows": ()})


def create_unit_base(unit: str, side: str, x: float, y: float) -> UnitBase:
    return create_base(unit, side, Symbol.INFANTRY, x, y, 0, "", frontage=4.0, depth=2.0)


def test_swords_stand_only_where_enemies_touch() -> None:
    ours, theirs = (side.id for side in TABLE.sides[:2])
    scene = create_table(
        create_unit_base("a", ours, 20, 20), create_unit_base("b", ours, 24, 20), create_unit_base("c", theirs, 19, 18)
    )
    after, _ = add_action_lines(scene, scene, [("melee", ("a", "b", "c"))])
    assert isinstance(after, TableScene)
    (arrow,) = after.arrows
    assert ((arrow.start[0] + arrow.end[0]) / 2, (arrow.start[1] + arrow.end[1]) / 2) == pytest.approx(
        (19.5, 19), abs=0.01
    )
    apart = create_table(
        create_unit_base("a", ours, 20, 20), create_unit_base("b", ours, 30, 20), create_unit_base("c", theirs, 20, 10)
    )
    after, _ = add_action_lines(apart, apart, [("melee", ("a", "b", "c"))])
    assert isinstance(after, TableScene)
    assert after.arrows == ()


@pytest.mark.parametrize(
    ("y", "side", "in_the_way", "is_marked"),
    [
        (20, 0, True, True),
        (20, 0, False, False),
        (20, 1, True, False),
        (40, 0, True, False),
    ],
)
def test_a_mark_shows_where_a_shot_meets_friends(y: float, side: int, in_the_way: bool, is_marked: bool) -> None:
    firer, target = create_unit_base("a", TABLE.sides[0].id, 20, 30), create_unit_base("b", TABLE.sides[1].id, 20, 10)
    blocker = create_unit_base("c", TABLE.sides[side].id, 21, y).model_copy(update={"in_the_way": in_the_way})
    scene = create_table(firer, target, blocker)
    after, _ = add_action_lines(scene, scene, [("fire", ("a", "b"))])
    assert isinstance(after, TableScene)
    assert [(line.start, line.end) for line in after.arrows if line.kind == "past"] == [
        ((20, 21), (20, 19))
    ] * is_marked


def test_shots_between_touching_units_have_no_mark() -> None:
    ours, theirs = (side.id for side in TABLE.sides[:2])
    friend = create_unit_base("c", ours, 22.5, 19).model_copy(update={"in_the_way": True})
    scene = create_table(create_unit_base("a", ours, 20, 20), create_unit_base("b", theirs, 24, 18), friend)
    after, _ = add_action_lines(scene, scene, [("fire", ("a", "b"))])
    assert isinstance(after, TableScene)
    assert [line.kind for line in after.arrows] == ["fire"]


def test_a_unit_at_the_edge_of_the_part_shown_is_shown_whole() -> None:
    own = TABLE.sides[0].id
    before, scene = (
        create_table(create_unit_base("a", own, 30, y), create_unit_base("b", own, 32, 29.5)) for y in (20, 22)
    )
    moved = scene.model_copy(update={"arrows": (Arrow(start=(30, 20), end=(30, 22), side=own),)})
    _, box = add_action_lines(moved, before, [("move", ("a",))])
    assert box is not None
    assert box.contains((30, 30.5))
    assert box.top == pytest.approx(13)
