"""The dice of melee: what hits (BE-5)."""

from rules.core.model import Cite
from rules.core.throws import Volley
from rules.empire.tables import value

SIDES = 6
MELEE = Cite(rule="BE-5")


def hits_with(face: int, edge: int) -> bool:
    """Whether a die hits with so much added to it; a natural 1 never does, a natural 6 always (BE-5)."""
    if face in (value("melee-rolls", "always misses"), value("melee-rolls", "always hits")):
        return face == value("melee-rolls", "always hits")
    return face + edge >= value("melee-rolls", "hits from")


def faces_that_hit(edge: int) -> int:
    """How many of the six faces hit: the highest."""
    return sum(hits_with(face, edge) for face in range(1, SIDES + 1))


def volley(dice: int, edge: int) -> Volley:
    """So many dice with so much added to each."""
    return Volley(dice, SIDES, SIDES + 1 - faces_that_hit(edge))


def counted_hits(hits: int) -> str:
    """`1 hit`, `2 hits`."""
    return f"{hits} hit{'' if hits == 1 else 's'}"
