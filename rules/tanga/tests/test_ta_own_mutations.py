"""Tests of arbitrarily changed files: each file is refused with a reason, or gives a consistent, playable game."""

import json
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from rules.core.refusal import Refused
from rules.core.sealed_dice import SEED_BYTES, SealedDice

from .own_play import LAND, british_turn, reload, require_showable, system
from .test_ta_own_reading import EXAMPLE, example

Place = tuple[str | int, ...]


def places(value: Any, so_far: Place = ()) -> Iterator[Place]:
    """Yield the path of every value in a document."""
    if so_far:
        yield so_far
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in inside:
        yield from places(part, (*so_far, key))


def part_at(document: Any, place: Place) -> Any:
    """Return the value at a path."""
    for key in place:
        document = document[key]
    return document


PLACES = sorted(places(example()), key=str)
SIMPLE = [place for place in PLACES if not isinstance(part_at(example(), place), (dict, list))]
OTHERS: list[Any] = [
    *(None, True, -1, 0, 1, 2, 4, 12, 99, 10**40, 1.5, "", "A", "2411", "2810", "2006", "2608-2617", "9999", "x" * 50),
    *("staff", "company", "battalion", "leader", "machine gun", "sea", "disrupted", [], {}, ["2411"], {"2411": "sea"}),
]


def change_value(document: Any, place: Place, value: Any) -> None:
    """Replace the part at a path, or delete it if `value` is `...`."""
    *way, last = place
    within = part_at(document, tuple(way))
    if value is ...:
        del within[last]
    else:
        within[last] = deepcopy(value)


def is_playable(text: bytes, seed: int) -> bool:
    """Whether the document was accepted; if so, show the game and play its first British turn."""
    try:
        state = system().own_battles.set_up(text, {}, SealedDice(bytes([seed] * SEED_BYTES), "own", 1, 1))
    except Refused:
        return False
    require_showable(reload(state))
    british_turn(state, seed)
    return True


@given(
    st.lists(st.tuples(st.sampled_from(PLACES), st.sampled_from([*OTHERS, ...])), min_size=1, max_size=3),
    st.integers(0, 255),
)
def test_ta_own_changed_file_is_refused_or_played(changes: list[tuple[Place, Any]], seed: int) -> None:
    document = example()
    for place, value in changes:
        try:
            change_value(document, place, value)
        except (KeyError, IndexError, TypeError):
            continue
    is_playable(json.dumps(document).encode(), seed)


@given(st.data(), st.integers(0, 255))
def test_ta_own_file_with_swapped_values_is_refused_or_played(data: st.DataObject, seed: int) -> None:
    document = example()
    for _ in range(data.draw(st.integers(1, 3))):
        first, second = data.draw(st.sampled_from(SIMPLE)), data.draw(st.sampled_from(SIMPLE))
        first_value, second_value = part_at(document, first), part_at(document, second)
        if type(first_value) is type(second_value):
            change_value(document, first, second_value)
            change_value(document, second, first_value)
    is_playable(json.dumps(document).encode(), seed)


@given(
    st.lists(st.sampled_from([*LAND, None]), min_size=5, max_size=5),
    st.lists(st.sampled_from([*LAND, None]), min_size=5, max_size=5),
    st.sampled_from([None, *LAND]),
    st.dictionaries(st.sampled_from(["rifle_range", "wave", "stack_limit", "retreat_hexes"]), st.integers(1, 6)),
    st.integers(0, 255),
)
def test_ta_own_the_british_may_start_anywhere_ashore_or_aboard(
    battalion: list[str | None], staff: list[str | None], german: str | None, options: dict[str, int], seed: int
) -> None:
    document = example()
    document["options"] = options
    for formation, hexes in enumerate((battalion, staff)):
        for unit, hex_ in enumerate(hexes):
            document["formations"][formation]["units"][unit]["at"] = hex_
    for platoon in document["formations"][3]["units"]:
        platoon["at"] = german
    if german is not None:
        document["formations"][3]["arrives"] = 1
    is_playable(json.dumps(document).encode(), seed)


@given(st.data())
def test_ta_own_a_damaged_file_is_refused_or_played(data: st.DataObject) -> None:
    text = EXAMPLE.read_bytes()
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 40)))
    is_playable(text[:start] + data.draw(st.binary(max_size=4)) + text[end:], 1)


def test_ta_own_some_changed_files_are_played() -> None:
    document = example()
    document["formations"][0]["units"][0]["at"] = "2908"
    document["formations"][0]["units"][1]["cf"] = 12
    assert is_playable(json.dumps(document).encode(), 1)
