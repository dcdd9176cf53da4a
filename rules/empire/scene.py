"""Text and drawings of units for lists, cards and pictures (BE-U)."""

from collections.abc import Iterable, Mapping

from typing_extensions import override

from rules.core.scene import Arrow, StatusMarker, Symbol
from rules.core.tabletop.battle import Place
from rules.core.tabletop.squares import spot_name
from rules.core.tabletop.table_scenes import Drawing, UnitLook, move_arrows, place_behind
from rules.core.turn_events import UnitFacts
from rules.core.wording import count_of, inches
from rules.empire.fighting.effects import kills_left, kills_to_destroy
from rules.empire.firing.targeting import LINES
from rules.empire.model import Arm, Bayonets, Cover, Defence, EmpireState, EmpireUnit, Formation, Health, Nation, Weapon
from rules.empire.options import EmpireOptions
from rules.empire.placement import base_size, read_base_sizes

USUAL = EmpireOptions()


def kind_in_words(unit: EmpireUnit) -> str:
    """Return what the unit is: `4 stands of foot`, `field gun`, `2 Maxims`, `leader`."""
    if unit.is_piece:
        return unit.arm.value
    if unit.is_crew and unit.weapon in (Weapon.RIFLES, Weapon.NONE):
        return f"{unit.arm.value} with {unit.weapon.value}"
    if unit.is_crew:
        return unit.weapon.value if unit.stands == 1 else f"{unit.stands} {unit.weapon.value}s"
    return f"{count_of(unit.stands, 'stand')} of {unit.arm.value}"


def kills_in_words(unit: EmpireUnit, options: EmpireOptions) -> str:
    """Return the unit's kills in words: `2 of 4 kills`."""
    return f"{unit.kills} of {kills_to_destroy(unit, options)} kills"


def arrival_in_words(unit: EmpireUnit) -> str:
    """Return when the unit arrives: `to arrive from turn 3 on 4+`; empty for units that have arrived."""
    by = unit.reserve
    return "" if by is None else f"to arrive from turn {by.turn}{f' on {by.score}+' if by.score > 1 else ''}"


def formation_in_words(unit: EmpireUnit) -> str:
    """Return the unit's formation, or for guns `limbered` or `unlimbered`."""
    limbered = "limbered" if unit.limbered else "unlimbered"
    return limbered if unit.is_crew else unit.formation.value


def condition_markers(unit: EmpireUnit) -> tuple[StatusMarker, ...]:
    """Return the unit's markers of bad or special condition, the worst first."""
    conditions = {
        StatusMarker.SHAKEN: unit.shaken,
        StatusMarker.DISORDERED: unit.disordered,
        StatusMarker.FANATIC: unit.this_turn.fanatic,
        StatusMarker.JAMMED: unit.jammed,
        StatusMarker.LOW_AMMUNITION: unit.low_ammo,
        StatusMarker.GONE_TO_GROUND: unit.gone_to_ground,
    }
    return tuple(marker for marker, is_so in conditions.items() if is_so)


def condition_in_words(unit: EmpireUnit, options: EmpireOptions = USUAL) -> Iterable[str]:
    """Yield the unit's kills, if any, and its markers, in words."""
    if unit.kills:
        yield kills_in_words(unit, options)
    yield from (marker.value for marker in condition_markers(unit))


def _ground_in_words(unit: EmpireUnit) -> Iterable[str]:
    """Yield the unit's cover and what it defends, in words."""
    if unit.cover is not Cover.NONE:
        yield f"in {unit.cover.value}"
    if unit.defending is not Defence.NOTHING:
        yield f"defending {unit.defending.value}"


def unit_summary(unit: EmpireUnit, options: EmpireOptions = USUAL) -> str:
    """Return the unit's summary: `8 stands of foot · massed · 2 of 4 kills · shaken`."""
    if unit.reserve is not None:
        parts: Iterable[str] = (arrival_in_words(unit),)
    elif unit.is_piece or unit.destroyed:
        parts = (unit.health.value if unit.is_piece else "destroyed",)
    else:
        fixed = ("bayonets fixed",) if unit.bayonets is Bayonets.FIXED else ()
        parts = (formation_in_words(unit), *fixed, *_ground_in_words(unit), *condition_in_words(unit, options))
    return " · ".join((kind_in_words(unit), *parts))


def conduct_in_words(unit: EmpireUnit) -> str:
    """Return this turn's conduct score, result and inches left: `4: normal, 2" left`; empty without a test."""
    now = unit.this_turn
    if now.score is None or not unit.on_table:
        return ""
    remaining = f", {inches(max(now.allowed - now.spent, 0.0))} left" if now.allowed else ""
    return f"{now.score}: {now.result}{remaining}"


def card_details(state: EmpireState, unit: EmpireUnit) -> Mapping[str, str]:
    """Return the texts on the unit's card, by label."""
    return {
        "Kind": kind_in_words(unit),
        "Brigade": unit.brigade,
        **(_piece_details(state, unit) if unit.is_piece else _fighter_details(state, unit)),
        "Reinforcement": arrival_in_words(unit),
        "Attached": ", ".join(piece.name for piece in state.pieces_with(unit.id)),
    }


def _piece_details(state: EmpireState, unit: EmpireUnit) -> dict[str, str]:
    """Return the texts on a piece's card, by label."""
    out = f" (turn {unit.out_until})" if unit.health is Health.OUT else ""
    host = state.host(unit)
    return {"Health": unit.health.value + out, "With": host.name if host else "nobody"}


def _fighter_details(state: EmpireState, unit: EmpireUnit) -> dict[str, str]:
    """Return the texts on a fighting unit's card, by label."""
    nation = "" if unit.nation is Nation.OTHER else unit.nation.value
    quality = ("elite" if unit.elite else "", "fragile" if unit.fragile else "")
    fires = unit.weapon is not Weapon.NONE
    rate = "" if unit.weapon in (Weapon.MACHINE_GUN, Weapon.MAXIM) else f", {unit.rate.value}"
    horses = {Arm.MOUNTED: "mounted, may dismount", Arm.FOOT: "dismounted, may mount"}.get(unit.arm, "")
    return {
        "Conduct": ", ".join((unit.conduct.value, *(word for word in (nation, *quality) if word))),
        "Fires": f"{kind_in_words(unit) if unit.is_crew else unit.weapon.value}{rate}" if fires else "nothing",
        "Formation": formation_in_words(unit),
        "Horses": horses if unit.has_horses else "",
        "Bayonets": unit.bayonets.value if unit.bayonets is not Bayonets.NONE else "",
        "Ground": ", ".join(_ground_in_words(unit)),
        "Kills": kills_in_words(unit, state.options),
        "State": ", ".join(("destroyed",) if unit.destroyed else condition_markers(unit)),
        "In melee with": ", ".join(foe.name for foe in state.opponents(unit.id)),
        "This turn": conduct_in_words(unit),
    }


class EmpireDrawing(Drawing[EmpireUnit]):
    """Drawing of units with their kills, of pieces behind their hosts, and of fire that has just taken effect."""

    lines = LINES

    @override
    def unit_look(self, state: EmpireState, unit: EmpireUnit, place: Place) -> UnitLook:
        dismounts = unit.arm is Arm.MOUNTED and unit.has_horses
        return UnitLook(
            self._drawn_place(state, unit, place),
            symbol=Symbol.MOUNTED_INFANTRY if dismounts else read_base_sizes().stands[unit.arm].symbol,
            kills=unit.kills,
            markers=self._markers(state, unit),
            words=self._label(state, unit),
        )

    def _markers(self, state: EmpireState, unit: EmpireUnit) -> Iterable[StatusMarker]:
        markers = {
            StatusMarker.OUT: unit.health is Health.OUT,
            **dict.fromkeys(condition_markers(unit), True),
            StatusMarker.FIRED: unit.this_turn.shot,
            StatusMarker.LIMBERED: unit.limbered,
            StatusMarker.SQUARE: unit.is_in_square and not unit.is_piece,
            StatusMarker.MELEE: bool(state.opponents(unit.id)),
            StatusMarker.SKIRMISH: unit.formation is Formation.SKIRMISH and not unit.is_piece,
        }
        return (marker for marker, is_so in markers.items() if is_so)

    def _drawn_place(self, state: EmpireState, unit: EmpireUnit, place: Place) -> Place:
        """Return where to draw the unit: a piece stands in the row behind its host."""
        host = state.host(unit)
        if host is None or not host.on_table or host.place is None:
            return place
        row = state.pieces_with(host.id)
        wide = [base_size(piece)[0] for piece in row]
        number = next(index for index, piece in enumerate(row) if piece.id == unit.id)
        offset = sum(wide[:number]) + wide[number] / 2 - sum(wide) / 2
        return place_behind(host.place, base_size(host)[1], base_size(unit)[1], offset)

    @override
    def arrows(self, state: EmpireState, before: EmpireState) -> Iterable[Arrow]:
        """Yield arrows for moves, recoils, and fire that has taken effect; fire without hits is drawn as a miss."""
        carried = (piece for piece in state.units.values() if (host := state.host(piece)) and host.place == piece.place)
        on_their_own = state.with_unit(*(piece.model_copy(update={"place": None}) for piece in carried))
        yield from move_arrows(
            on_their_own,
            before,
            lambda was, now: "retreat" if now.this_turn.recoiled and not was.this_turn.recoiled else "move",
        )
        takes_effect = state.landed != before.landed or (before.shots and not state.shots)
        for shot in state.landed if takes_effect else ():
            firer, target = before.units.get(shot.unit), before.units.get(shot.target)
            if firer and target and firer.place and target.place:
                kind = "fire" if shot.hits else "miss"
                yield Arrow(start=firer.place.point, end=target.place.point, kind=kind, side=firer.side)

    @override
    def off_table_text(self, unit: EmpireUnit) -> str:
        if (comes := unit.reserve) is None:
            return unit.name
        score = f" on a D6 of {comes.score} or more" if comes.score > 1 else ""
        return f"{unit.name} (from turn {comes.turn}{score}, at {spot_name((comes.x, comes.y))})"

    def _label(self, state: EmpireState, unit: EmpireUnit) -> str | None:
        """Return the unit's label on the picture, such as `2 of 4 kills, shaken, in melee`; None for pieces."""
        melee = ("in melee",) if state.opponents(unit.id) else ()
        return None if unit.is_piece else ", ".join((*condition_in_words(unit, state.options), *melee))


DRAWING = EmpireDrawing(base_size)


UNIT_FACTS: UnitFacts[EmpireUnit] = UnitFacts(
    strength=lambda state, unit: 0 if unit.is_piece else kills_left(unit, state.options),
    fates={
        "killed": lambda unit: unit.health is Health.KILLED,
        "destroyed": lambda unit: unit.destroyed,
        "out for a turn": lambda unit: unit.health is Health.OUT,
        "shaken": lambda unit: unit.shaken,
        "disordered": lambda unit: unit.disordered,
    },
    place=lambda unit: unit.place and unit.place.point,
    is_beaten=lambda unit: unit.this_turn.recoiled,
    lost="suffered {count}",
    label="Kills",
    noun="kill",
)
"""Facts about a unit's losses and condition, for the headline of a turn (BE-2.3)."""
