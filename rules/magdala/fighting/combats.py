"""A round of melee as single combats (MM-4.2 to MM-4.4): who adds what, and the exact chances of the losses."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import comb

from rules.core.report import Modifier
from rules.magdala.arms import BREASTWORKS, is_british_cavalry, is_british_infantry
from rules.magdala.model import Attack, MagdalaState, MagdalaUnit, Nation, Troop
from rules.magdala.tables import SIDES, TABLES, adjustment, limit, value

AGAINST_WORKS = "against fieldworks"


Losses = tuple[int, int]
"""Figures lost by the attacker, and by the defender."""


@dataclass(frozen=True)
class Bout:
    """One round: so many combats, and so many extra ones in which the overlapped unit can only lose.

    Units are ids; `strengths` are the attacker's and the defender's.
    """

    attacker: str
    defender: str
    strengths: Losses
    round: int
    touching: int
    combats: int
    attack: Attack = Attack.FRONT
    attacker_adds: tuple[Modifier, ...] = ()
    defender_adds: tuple[Modifier, ...] = ()
    overlapped: str = ""
    extra: int = 0
    warnings: tuple[str, ...] = ()
    """What is supposed of the round, and what was said of it that changes nothing."""

    @property
    def edge(self) -> int:
        """What the attacker's die gains on the defender's."""
        ours = sum((modifier.value for modifier in self.attacker_adds), Fraction(0))
        return int(ours - sum((modifier.value for modifier in self.defender_adds), Fraction(0)))


def combats(touching: int) -> int:
    """A third of the figures in contact, to the nearest whole, at least 1 (MM-4.2)."""
    return max(1, round(Fraction(touching, limit("figures in contact to a combat"))))


def extra_combats(flanks: int, round_: int, spare: int) -> int:
    """Up to 2 for each overlapped flank in round 1, 4 in round 2 and so on; no more than the enemy has men to spare."""
    rows = TABLES.charts["overlaps"].rows
    printed = [row for row in rows if row.high is not None]
    last, more = printed[-1], value("overlaps", rows[-1].label)
    beyond = max(round_ - (last.high or 0), 0)
    each = value("overlaps", TABLES.charts["overlaps"].band(min(round_, len(printed))).label) + beyond * more
    return min(flanks * each, max(spare, 0))


def adjustments(
    state: MagdalaState, unit: MagdalaUnit, enemy: MagdalaUnit, attacks: bool, round_: int, said: Iterable[str] = ()
) -> tuple[Modifier, ...]:
    """What a unit adds to each of its dice against that enemy (MM-4.3, MM-7)."""
    words = frozenset(said)
    rows = {
        "British infantry": is_british_infantry(unit),
        "regular cavalry": unit.troop is Troop.REGULAR_CAVALRY,
        "Zulus or Mahdists": unit.nation in (Nation.ZULU, Nation.MAHDIST) and not is_british_cavalry(enemy),
        "fierce": unit.fierce,
        "lancers, first round": unit.lancer and round_ == 1 and state.options.lancer_bonus,
        "attacking field defences": attacks and (enemy.works in BREASTWORKS or AGAINST_WORKS in words),
        "umpire in its favour": "umpire +1" in words,
        "umpire against it": "umpire -1" in words,
    }
    return tuple(adjustment("melee-adjustments", row) for row, holds in rows.items() if holds)


def kills(ours: int, theirs: int) -> bool:
    """Whether an adjusted die kills against another: a difference of 2 or more (MM-4.3)."""
    return ours - theirs >= limit("difference that kills")


def ways(edge: int) -> tuple[int, int, int]:
    """Of the 36 ways two dice fall: those in which the attacker falls, the defender falls, and neither does."""
    pairs = [(a + edge, d) for a in range(1, SIDES + 1) for d in range(1, SIDES + 1)]
    attacker = sum(kills(d, a) for a, d in pairs)
    defender = sum(kills(a, d) for a, d in pairs)
    return attacker, defender, len(pairs) - attacker - defender


def losses(bout: Bout) -> Mapping[Losses, int]:
    """In how many of the ways the dice of a round fall each pair is lost; no side loses more than it has."""
    us, them = bout.strengths
    loses_more = bout.overlapped == bout.attacker
    overlaps = _overlap_weights(bout.extra)
    found: dict[Losses, int] = {}
    for (a, d), weight in _combat_weights(bout).items():
        for extra, more in enumerate(overlaps):
            lost = (a + extra, d) if loses_more else (a, d + extra)
            key = (min(lost[0], us), min(lost[1], them))
            found[key] = found.get(key, 0) + weight * more
    return found


def chances(falls: Mapping[Losses, int], of: Callable[[Losses], int]) -> Mapping[int, Fraction]:
    """The exact chance of each number that `of` reads from the losses, in order; `falls` as `losses` counts them."""
    throws = sum(falls.values())
    found: dict[int, int] = {}
    for lost, weight in falls.items():
        found[of(lost)] = found.get(of(lost), 0) + weight
    return {number: Fraction(weight, throws) for number, weight in sorted(found.items()) if weight}


def _combat_weights(bout: Bout) -> dict[Losses, int]:
    """In how many ways the dice of the combats fell so many of either side."""
    fallen, killed, neither = ways(bout.edge)
    count = bout.combats
    return {
        (a, d): comb(count, a) * fallen**a * comb(count - a, d) * killed**d * neither ** (count - a - d)
        for a in range(count + 1)
        for d in range(count - a + 1)
    }


def _overlap_weights(extra: int) -> list[int]:
    """The same for the extra combats, whose dice fell the overlapped unit alone."""
    straight = ways(0)[0]
    return [comb(extra, lost) * straight**lost * (SIDES**2 - straight) ** (extra - lost) for lost in range(extra + 1)]
