"""The manual page on user-written campaigns: its example loads, as one file or two, and plays for days."""

import re
from pathlib import Path

from rules.campaign.ground import board_of, shipped_map_names
from rules.campaign.maps import terrain_kinds
from rules.core.dice import NoDice
from rules.core.sealed_dice import SealedDice
from rules.registry import rulesets

PAGE = (Path(__file__).parents[1] / "docs" / "own-campaign.md").read_text(encoding="utf-8")
SYSTEM = rulesets()["campaign"]


def example() -> str:
    """Return the example's file."""
    (block,) = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    return str(block)


def test_the_example_is_taken_as_one_file_and_as_two() -> None:
    assert SYSTEM.own_battles.read(example().encode()).title == "The wells of Abu Klea"
    state = SYSTEM.own_battles.set_up(example().encode(), {}, NoDice())
    SYSTEM.require_valid_state(state)
    (map_,) = re.findall(r"map_text = '''\n(.*?)'''\n", example(), re.DOTALL)
    campaign = re.sub(r"map_text = '''\n.*?'''\n", "", example(), flags=re.DOTALL)
    joined = SYSTEM.own_battles.join(campaign.encode(), map_.encode())
    assert SYSTEM.own_battles.set_up(joined, {}, NoDice()) == state


def test_the_example_is_played() -> None:
    state = SYSTEM.own_battles.set_up(example().encode(), {}, NoDice())
    dice = SealedDice(bytes(32), "example", 1, 1)
    for unit, to in (("desert-column", "Abu Klea"), ("host-of-abu-klea", "Jakdul")):
        state, _ = SYSTEM.act(state, SYSTEM.parse("move", {"unit": unit, "to": to, "with": ["attack"]}), dice)
    for _ in range(3 * 3):
        if not state.acting_sides:
            break
        state, _ = SYSTEM.act(state, SYSTEM.parse("turn_next", {}), dice)
    assert state.turn > 1
    assert board_of(state).title(state.units["desert-column"].at) != "0100 (Korti)"


def test_the_page_names_all_terrain_and_all_maps() -> None:
    for terrain in terrain_kinds().terrains:
        assert f"| `{terrain.letter}` | {terrain.name} |" in PAGE
    for name in shipped_map_names():
        assert f"`{name}`" in PAGE
