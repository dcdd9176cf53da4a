"""The fast overlap check of bases agrees with exact shapes."""

from random import Random

from rules.core.tabletop.table import CONTACT, Base, are_overlapping


def test_bases_overlap_like_their_shapes_without_the_contact_rim() -> None:
    random, shared = Random(1), 0
    for _ in range(400):
        first, second = (
            Base(
                at=(random.uniform(0, 5), random.uniform(0, 5)),
                facing=random.choice((0.0, 90.0, random.uniform(0, 360))),
                frontage=random.choice((0.5, 2.0, 6.0)),
                depth=random.choice((0.2, 1.0, 2.0)),
            )
            for _ in range(2)
        )
        ground = first.outline.buffer(-CONTACT).intersection(second.outline.buffer(-CONTACT)).area
        assert are_overlapping(first, second) is (ground > 1e-6)
        shared += ground > 1e-6
    assert 50 < shared < 350


def test_bases_drawn_up_side_by_side_share_no_ground() -> None:
    base = Base(at=(10, 10), facing=30.0, frontage=4, depth=1)
    assert not are_overlapping(base, base.moved_to((10 + 4 * 3**0.5 / 2, 12)))
    assert are_overlapping(base, base.moved_to((10 + 3.5 * 3**0.5 / 2, 11.75)))
