"""Ranges and the scores to hit (MM-3.6)."""

from rules.core.model import Cite, Mark, Model
from rules.core.ruleset import Refused
from rules.core.tabletop.table import CLOSE
from rules.core.wording import inches
from rules.magdala.model import MagdalaUnit, Weapon
from rules.magdala.options import MagdalaOptions
from rules.magdala.tables import SIDES, entry, row, value

from .firepower import is_sharpshooter


class Band(Model):
    """A band of range: its name, the least face that hits, and the rule."""

    name: str
    hits_from: int
    cite: Cite

    @property
    def faces(self) -> str:
        """`5-6`, or `6`."""
        return str(self.hits_from) if self.hits_from == SIDES else f"{self.hits_from}-{SIDES}"


def reach(unit: MagdalaUnit, options: MagdalaOptions) -> float | None:
    """Inches the unit's weapon carries; None is any range. Raises KeyError for melee weapons."""
    limit = entry("ranges", unit.weapon, "long, to")
    if limit is None:
        return None
    further = (unit.weapon is Weapon.BREECHLOADER and is_sharpshooter(unit)) or (
        unit.weapon is Weapon.OTHER_SMALL_ARMS and unit.sniper
    )
    return limit + (options.sharpshooter_bonus if further else 0)


def band(unit: MagdalaUnit, range_: float, options: MagdalaOptions) -> Band:
    """The band of range for the unit's weapon. Raises Refused out of range, or under a heavy gun's least."""
    printed = row("ranges", unit.weapon)
    limit = reach(unit, options)
    if limit is not None and range_ > limit + CLOSE:
        raise Refused(
            f"{unit.name} cannot reach {inches(range_)}: {printed.label} carry {inches(limit)}. Nothing is spent.",
            printed.cite,
        )
    least = options.heavy_gun_least_range
    if unit.weapon is Weapon.HEAVY_GUN and range_ + CLOSE < least:
        raise Refused(
            f"A heavy gun has no short range: it fires at {inches(least)} or more, not at {inches(range_)}.",
            Cite(rule=printed.rule, mark=Mark.RULING),
        )
    short = entry("ranges", unit.weapon, "short, under")
    if short is not None and range_ < short - CLOSE:
        return Band(name="short range", hits_from=value("ranges", unit.weapon, "hits at short"), cite=printed.cite)
    name = "long range" if short is not None or limit is None else "any range"
    beyond_print = range_ > (entry("ranges", unit.weapon, "long, to") or range_) + CLOSE
    by = Cite(rule=printed.rule, mark=Mark.RULING) if beyond_print else printed.cite
    return Band(name=name, hits_from=value("ranges", unit.weapon, "hits at long"), cite=by)
