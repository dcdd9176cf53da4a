"""Rivers along hexsides, with fords and bridges."""

import math

from render.hexmap.plane import hex_centre
from render.hexmap.rivers import hexside_ends, river_lines
from render.scenes import draw

from .country_samples import SIDES, create_country
from .pictures import count_differing_pixels


def test_a_river_runs_between_the_hexes_of_its_sides() -> None:
    for first, second in SIDES:
        for end in hexside_ends(first, second):
            assert math.isclose(math.dist(end, hex_centre(first)), math.dist(end, hex_centre(second)))
    (course,) = river_lines(create_country().board)
    assert len(course) == len(SIDES) + 1


def test_rivers_and_crossings_are_seen() -> None:
    dry, wet = draw(create_country(rivers=False, crossings=False)), draw(create_country(crossings=False))
    assert count_differing_pixels(dry, wet) > 500
    assert count_differing_pixels(wet, draw(create_country())) > 100
