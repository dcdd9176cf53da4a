"""Units as lists, cards and reports show them (BE-U)."""

from collections.abc import Iterable, Mapping

from rules.core.scene import Marker
from rules.core.wording import counted, inches
from rules.empire.fighting.effects import most_kills
from rules.empire.model import (
    MACHINE_GUNS,
    Arm,
    Bayonets,
    Cover,
    Defence,
    EmpireState,
    EmpireUnit,
    Health,
    Nation,
    Reserve,
    Weapon,
)
from rules.empire.options import EmpireOptions

USUAL = EmpireOptions()


def kind(unit: EmpireUnit) -> str:
    """`4 stands of foot`, `field gun`, `2 Maxims`, `leader`."""
    if unit.is_piece:
        return unit.arm.value
    if unit.is_crew:
        return unit.weapon.value if unit.stands == 1 else f"{unit.stands} {unit.weapon.value}s"
    return f"{counted(unit.stands, 'stand')} of {unit.arm.value}"


def kills(unit: EmpireUnit, options: EmpireOptions) -> str:
    """`2 of 4 kills`."""
    return f"{unit.kills} of {most_kills(unit, options)} kills"


def arrival(reserve: Reserve) -> str:
    """`arrives from turn 3 on 4+`."""
    return f"arrives from turn {reserve.turn}" + (f" on {reserve.score}+" if reserve.score > 1 else "")


def drawn_up(unit: EmpireUnit) -> str:
    """Its formation; of guns, whether they are limbered."""
    limbered = "limbered" if unit.limbered else "unlimbered"
    return limbered if unit.is_crew else unit.formation.value


def plight(unit: EmpireUnit) -> tuple[Marker, ...]:
    """What has come over it beside kills, the worst first."""
    shown = {
        Marker.SHAKEN: unit.shaken,
        Marker.DISORDERED: unit.disordered,
        Marker.FANATIC: unit.this_turn.fanatic,
        Marker.JAMMED: unit.jammed,
        Marker.LOW_AMMUNITION: unit.low_ammo,
        Marker.GONE_TO_GROUND: unit.gone_to_ground,
    }
    return tuple(marker for marker, is_so in shown.items() if is_so)


def condition(unit: EmpireUnit, options: EmpireOptions = USUAL) -> Iterable[str]:
    """Its kills, and what else has come over it."""
    return (*((kills(unit, options),) if unit.kills else ()), *(marker.value for marker in plight(unit)))


def _ground(unit: EmpireUnit) -> Iterable[str]:
    if unit.cover is not Cover.NONE:
        yield f"in {unit.cover.value}"
    if unit.defending is not Defence.NOTHING:
        yield f"defending {unit.defending.value}"


def line(unit: EmpireUnit, options: EmpireOptions = USUAL) -> str:
    """`8 stands of foot · massed · 2 of 4 kills · shaken`; of who is not on the table, why."""
    if unit.reserve is not None:
        said: Iterable[str] = (arrival(unit.reserve),)
    elif unit.is_piece or unit.destroyed:
        said = (unit.health.value if unit.is_piece else "destroyed",)
    else:
        fixed = ("bayonets fixed",) if unit.bayonets is Bayonets.FIXED else ()
        said = (drawn_up(unit), *fixed, *_ground(unit), *condition(unit, options))
    return " · ".join((kind(unit), *said))


def conduct_of_turn(unit: EmpireUnit) -> str:
    """`normal, 6": 2" left`: the conduct it threw this turn, and what is left of the move."""
    now = unit.this_turn
    if now.score is None or not unit.on_table:
        return ""
    left = f", {inches(max(now.allowed - now.spent, 0.0))} left" if now.allowed else ""
    return f"{now.score}: {now.result}{left}"


def details(state: EmpireState, unit: EmpireUnit) -> Mapping[str, str]:
    """What a unit's card says, by label."""
    return {
        "Kind": kind(unit),
        "Brigade": unit.brigade,
        **(_piece(state, unit) if unit.is_piece else _fighter(state, unit)),
        "Reinforcement": arrival(unit.reserve) if unit.reserve else "",
        "With it": ", ".join(piece.name for piece in state.pieces_with(unit.id)),
    }


def _piece(state: EmpireState, unit: EmpireUnit) -> dict[str, str]:
    out = f" (turn {unit.out_until})" if unit.health is Health.OUT else ""
    host = state.units.get(unit.attached_to or "")
    return {"Health": unit.health.value + out, "With": host.name if host else "nobody"}


def _fighter(state: EmpireState, unit: EmpireUnit) -> dict[str, str]:
    nation = "" if unit.nation is Nation.OTHER else unit.nation.value
    quality = ("elite" if unit.elite else "", "fragile" if unit.fragile else "")
    fires = unit.weapon is not Weapon.NONE
    rate = f", {unit.rate.value}" if fires and unit.weapon not in MACHINE_GUNS else ""
    horses = {Arm.MOUNTED: "mounted, may dismount", Arm.FOOT: "dismounted, may mount"}.get(unit.arm, "")
    return {
        "Conduct": ", ".join((unit.conduct.value, *(word for word in (nation, *quality) if word))),
        "Fires": f"{kind(unit) if unit.is_crew else unit.weapon.value}{rate}" if fires else "nothing",
        "Formation": drawn_up(unit),
        "Horses": horses if unit.has_horses else "",
        "Bayonets": unit.bayonets.value if unit.bayonets is not Bayonets.NONE else "",
        "Ground": ", ".join(_ground(unit)),
        "Kills": kills(unit, state.options),
        "State": ", ".join(("destroyed",) if unit.destroyed else plight(unit)),
        "In melee with": ", ".join(other.name for other in state.opponents(unit.id)),
        "This turn": conduct_of_turn(unit),
    }


def in_list(state: EmpireState, unit: EmpireUnit) -> str:
    """Its line, and of a piece with whom it is."""
    host = state.units.get(unit.attached_to or "") if unit.on_table else None
    return f"{line(unit, state.options)}{f' · with {host.name}' if host else ''}"
