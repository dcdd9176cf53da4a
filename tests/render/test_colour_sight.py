"""Palettes: colours that must differ are distinguishable with the colour vision of each palette."""

import math
from dataclasses import replace
from io import BytesIO
from itertools import combinations

import pytest
from PIL import Image

from render import badges, dice, odds
from render.fixed_palette import encode_png, palette_entries, recolour
from render.palette import AMBER, BLOOD, CAMPAIGN, GREEN, INK, PALETTES, PAPER, RGB, WHITE, Colours, make_theme, mix
from render.replay import draw_replay
from rules.core.hexboard.hex_scene import HexGround

from .colour_sight import SIMULATIONS, contrast, distance
from .hex_samples import EMPTY, SCENE

SIDES_APART, STATES_APART, HIGHLIGHT_APART, GROUNDS_APART = 20, 20, 20, 10
"""Minimum CIE76 distances between two sides, two states, highlight and ground, two kinds of ground."""
READABLE = {"high contrast": 7.0}
"""Minimum WCAG contrast of text; 4.5 in palettes not listed."""
SIGNS_READABLE = 3.0
"""Minimum WCAG contrast of signs without text."""
WET = {HexGround.WATERWAY}


def find_close_pairs(colours: Colours, sight: str) -> list[str]:
    """Return pairs of colours whose distance is below the minimum."""
    problems = []

    def check(names: str, first: RGB, second: RGB, min_distance: float) -> None:
        if (gap := distance(first, second, sight)) < min_distance:
            problems.append(f"{names}: {gap:.1f} < {min_distance}")

    for (a, colour), (b, second_colour) in combinations(enumerate(colours.side_colours), 2):
        check(f"sides {a} and {b}", colour, second_colour, SIDES_APART)
    states = {name: getattr(colours, name) for name in ("amber", "blood", "green")}
    for (first, colour), (second, second_colour) in combinations(states.items(), 2):
        check(f"{first} and {second}", colour, second_colour, STATES_APART)
    for kind, (tint, _) in colours.covers.items():
        check(f"highlight on {kind.value}", colours.amber, tint, HIGHLIGHT_APART)
        for name, water in (("sea", colours.water), ("shallows", colours.shallows[0]), ("surf", colours.shallows[1])):
            if kind not in WET:
                check(f"{name} and {kind.value}", water, tint, GROUNDS_APART)
    for ground, (base, _) in colours.grounds.items():
        check(f"highlight on {ground.value}", colours.amber, base, HIGHLIGHT_APART)
        look = make_theme(colours, ground)
        for name in ("wood", "water", "building", "tree"):
            check(f"{name} on {ground.value}", getattr(look, name), base, GROUNDS_APART)
    for (kind, first_colours), (second_kind, second_colours) in combinations(colours.covers.items(), 2):
        gap = max(
            distance(colour, second_colour, sight)
            for colour, second_colour in zip(first_colours, second_colours, strict=True)
        )
        if gap < GROUNDS_APART:
            problems.append(f"{kind.value} and {second_kind.value}: {gap:.1f} < {GROUNDS_APART}")
        if (kind in WET) != (second_kind in WET):
            check(f"water, {kind.value} and {second_kind.value}", first_colours[0], second_colours[0], GROUNDS_APART)
    return problems


def find_faint_texts(colours: Colours, min_contrast: float) -> list[str]:
    """Return the texts whose contrast is less than `min_contrast`."""
    texts = {f"ink on {kind.value}": (colours.ink, tint) for kind, (tint, _) in colours.covers.items()}
    texts |= {f"ink on {ground.value}": (colours.ink, base) for ground, (base, _) in colours.grounds.items()}
    texts |= {"ink on paper": (colours.ink, colours.paper), "ink on amber": (colours.ink, colours.amber)}
    texts |= {"ink on water": (colours.ink, colours.water)}
    texts |= {f"side {at}": (side.foreground, side.fill) for at, side in enumerate(colours.sides)}
    texts |= {f"white on {name}": (WHITE, getattr(colours, name)) for name in ("blood", "green")}
    return [f"{name}: {ratio:.2f}" for name, pair in texts.items() if (ratio := contrast(*pair)) < min_contrast]


@pytest.mark.parametrize("sight", SIMULATIONS)
def test_colours_that_must_differ_are_distinguishable(sight: str) -> None:
    assert not find_close_pairs(PALETTES[sight], sight)


@pytest.mark.parametrize("sight", SIMULATIONS)
def test_text_is_readable(sight: str) -> None:
    assert not find_faint_texts(PALETTES[sight], READABLE.get(sight, 4.5))


@pytest.mark.parametrize("sight", [sight for sight in SIMULATIONS if sight != "high contrast"])
def test_the_usual_palette_fails_a_deficient_sight(sight: str) -> None:
    assert find_close_pairs(PALETTES[CAMPAIGN], sight)


def test_the_usual_palette_has_too_little_contrast_for_high_contrast() -> None:
    assert find_faint_texts(PALETTES[CAMPAIGN], READABLE["high contrast"])


def find_palette_colour(name: str, colour: RGB) -> RGB:
    """Return the colour that replaces a drawing's colour in a palette."""
    usual = list_fixed_colours(CAMPAIGN)
    return list_fixed_colours(name)[min(range(256), key=lambda at: math.dist(usual[at], colour))]


@pytest.mark.parametrize("sight", SIMULATIONS)
def test_sides_and_states_over_a_photograph_are_distinguishable_for_everyone(sight: str) -> None:
    """Photographs keep their colours, so drawings on them use the standard palette."""
    colours = PALETTES[CAMPAIGN]
    groups = (*colours.side_colours, WHITE), (colours.amber, colours.blood, colours.green, WHITE)
    for group in groups:
        for first, second in combinations(group, 2):
            assert distance(first, second, sight) >= SIDES_APART
    assert not [
        problem for problem in find_faint_texts(colours, 4.5) if problem.startswith(("side", "white", "ink on amber"))
    ]


BADGES = {"white on red": (WHITE, badges.RED), "white on blue": (WHITE, badges.BLUE), "grey": (WHITE, badges.GREY)}
BADGES |= {"amber": (INK, AMBER), "green": (WHITE, GREEN), "mud": (WHITE, badges.MUD)}
DICE = {"burst": (BLOOD, dice.IVORY), "soldier": (GREEN, dice.IVORY), "flag": (dice.BLUE, dice.IVORY)}
DICE |= {"letters": (WHITE, INK), "skull": (INK, dice.IVORY)}
ODDS = {"small text": (odds.QUIET, PAPER), "text": (INK, PAPER), "a chart's own row": (INK, mix(AMBER, WHITE, 0.6))}


@pytest.mark.parametrize("sight", [*SIMULATIONS, CAMPAIGN])
def test_badges_dice_and_charts_of_odds_are_readable_in_every_palette(sight: str) -> None:
    def too_faint(pairs: dict[str, tuple[RGB, RGB]], min_contrast: float) -> dict[str, float]:
        simulated = {name: [find_palette_colour(sight, colour) for colour in pair] for name, pair in pairs.items()}
        return {
            name: ratio
            for name, (first, second) in simulated.items()
            if (ratio := contrast(first, second)) < min_contrast
        }

    assert not too_faint({**BADGES, **DICE}, SIGNS_READABLE)
    assert not too_faint(ODDS, READABLE.get(sight, 4.5))


@pytest.mark.parametrize("sight", SIMULATIONS)
def test_bars_that_pass_and_fail_are_distinguishable(sight: str) -> None:
    good, bad, either = odds.GOOD, mix(odds.BAD, WHITE, 0.6), mix(odds.EITHER, WHITE, 0.6)
    colours = [find_palette_colour(sight, colour) for colour in (good, bad, either, PAPER)]
    assert all(distance(first, second, sight) >= 10 for first, second in combinations(colours, 2))
    assert distance(colours[0], colours[1], sight) >= SIDES_APART


def simulate_drawing(colours: Colours, name: str) -> Colours:
    """Return the colours after drawing: standard colours in the fixed palette, then recoloured."""
    usual, entries = list_fixed_colours(CAMPAIGN), list_fixed_colours(name)

    def shown(colour: RGB) -> RGB:
        return entries[min(range(256), key=lambda at: math.dist(usual[at], colour))]

    return replace(
        colours,
        **{name: shown(colour) for name, colour in vars(colours).items() if isinstance(colour, RGB)},
        side_colours=tuple(map(shown, colours.side_colours)),
        grounds={kind: (shown(first), shown(second)) for kind, (first, second) in colours.grounds.items()},
        covers={kind: (shown(first), shown(second)) for kind, (first, second) in colours.covers.items()},
    )


def list_fixed_colours(name: str) -> list[RGB]:
    """Return the 256 colours of a palette's pictures."""
    parts = palette_entries(name)
    return [RGB(*parts[at : at + 3]) for at in range(0, len(parts), 3)]


@pytest.mark.parametrize("sight", SIMULATIONS)
def test_drawn_colours_are_distinguishable(sight: str) -> None:
    simulated = simulate_drawing(PALETTES[CAMPAIGN], sight)
    assert not find_close_pairs(simulated, sight)
    assert not find_faint_texts(simulated, READABLE.get(sight, 4.5))


def test_a_picture_is_recoloured_from_any_palette_to_any_other() -> None:
    usual = encode_png(Image.new("RGB", (3, 2), PALETTES[CAMPAIGN].side_colours[0]))
    recoloured = recolour(usual, "tritanopia")
    assert Image.open(BytesIO(recoloured)).convert("RGB").getpixel((1, 1)) == PALETTES["tritanopia"].side_colours[0]
    assert recolour(recolour(recoloured, "protanopia"), CAMPAIGN) == usual
    assert recolour(usual, CAMPAIGN) == usual
    assert recolour(b"\xff\xd8 a photograph", "tritanopia") == b"\xff\xd8 a photograph"


def test_a_replay_is_in_the_colours_of_its_palette() -> None:
    usual, tritanopic = (
        Image.open(BytesIO(draw_replay([EMPTY, SCENE], palette=name))) for name in (CAMPAIGN, "tritanopia")
    )
    colours = [{colour for _, colour in gif.convert("RGB").getcolors(1 << 24) or ()} for gif in (usual, tritanopic)]
    assert colours[0] <= set(list_fixed_colours(CAMPAIGN))
    assert colours[1] <= set(list_fixed_colours("tritanopia"))
    assert colours[0] != colours[1]
