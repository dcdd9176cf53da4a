"""What comes first: recovery from collapse, a new entry hex, artillery rounds brought up (TA-7 to TA-9)."""

from fractions import Fraction

from rules.core.dice import Dice
from rules.core.hexboard.hexes import Hex
from rules.core.model import Cite, Mark
from rules.core.report import Step
from rules.tanga.combat import collapse
from rules.tanga.combat import reveal as revealing
from rules.tanga.field import board_of, hexes_of, of_formation
from rules.tanga.model import BRITISH, Arm, Formation, Kind, TangaState, TangaUnit

from .stepped import Stepped, acted, ids

ENTRY = Cite(rule="TA-9.A")
HELD = Cite(rule="TA-9.A", mark=Mark.RULING)
"""A marker laid where British are already counts as entered."""
THROWN_OUT = Cite(rule="TA-9.A", mark=Mark.RULING)
"""After so many throws that found a marker, the nearest entry hex without one is taken."""
SUPPLY = Cite(rule="TA-8", mark=Mark.RULING)


def recover(state: TangaState, formation: str, dice: Dice, forced: Hex | None) -> Stepped | None:
    """A collapsed formation throws once; stevedores bring up rounds; who has no entry hex yet rolls one.

    Markers that Germans see already are turned up, those just dealt among them (TA-1).
    """
    seen, turned, showed = revealing.reveal(state, dice)
    if showed:
        return Stepped(seen, turned)
    if state.formation(formation).collapsed:
        return _recovery(state, formation, dice)
    return _supply(state, formation) or enter_roll(state, formation, dice, forced)


def _recovery(state: TangaState, formation: str, dice: Dice) -> Stepped | None:
    """D6 at or under FBN less FBL (TA-7); once a turn."""
    units = of_formation(state, formation)
    if set(ids(units)) <= set(state.british.acted):
        return None
    state, steps = collapse.recover(acted(state, ids(units)), formation, dice)
    verb = "still collapsed" if state.formation(formation).collapsed else "recovered from collapse"
    return Stepped(state, steps, told=f"{verb} (TA-7)")


def _supply(state: TangaState, formation: str) -> Stepped | None:
    """Stevedores in their staff's beach hex fill its artillery's rounds (TA-8)."""
    short = tuple(unit for unit in of_formation(state, formation) if _is_short(unit))
    bearers = next((unit for unit in of_formation(state, formation) if unit.arm is Arm.STEVEDORES), None)
    beach = board_of(state).beaches.get(state.formation(formation).beach)
    if not short or bearers is None or beach is None or bearers.at != beach.beach:
        return None
    filled = tuple(unit.model_copy(update={"rounds": unit.rounds_full}) for unit in short)
    where = board_of(state).title(beach.beach)
    steps = tuple(
        Step(text=f"{bearers.name} in {where} supply {unit.name}", cite=SUPPLY, verdict=f"{unit.rounds} rounds")
        for unit in filled
    )
    return Stepped(state.with_unit(*filled), steps)


def _is_short(unit: TangaUnit) -> bool:
    full = unit.rounds_full
    return unit.on_map and unit.rounds is not None and full is not None and unit.rounds < full


def enter_roll(state: TangaState, formation: str, dice: Dice, _forced: Hex | None) -> Stepped | None:
    """An entry hex for a battalion ashore that has none (TA-9.A); where British stand already, it is entered."""
    here = state.formation(formation)
    if here.kind is not Kind.BATTALION or here.collapsed or here.entry is not None:
        return None
    if not any(unit.on_map for unit in of_formation(state, formation)):
        return None
    hex_, steps = _entry_hex(state, here, dice)
    title = board_of(state).title(hex_)
    entered = hex_ in hexes_of(state, BRITISH)
    if entered:
        held = f"British are in {title}, entry hex of {here.name}"
        steps += (Step(text=held, cite=HELD, verdict="its stacks choose objectives now"),)
    state = state.with_formation(here.model_copy(update={"entry": hex_, "entered": entered}))
    return Stepped(state, steps, told=f"entry hex {title} (TA-9.A)")


def _entry_hex(state: TangaState, here: Formation, dice: Dice) -> tuple[Hex, tuple[Step, ...]]:
    """2D6, again where another marker lies, `entry_throws` in all; then the free entry hex nearest to the last throw's.

    With a marker on every entry hex the first throw counts.
    """
    board = board_of(state)
    taken = {one.entry: one.name for one in state.formations.values() if one.entry is not None}
    free = frozenset(board.spec.entries.values()) - taken.keys()
    most = state.options.entry_throws if free else 1
    steps: tuple[Step, ...] = ()
    for number in range(1, most + 1):
        throw = dice.throw(2, 6, f"{here.name}: entry hex", side=here.side)
        hex_ = board.spec.entries[throw.total]
        counts = hex_ in free or not free
        again = "" if counts else f", where {taken[hex_]} has its marker{': again' if number < most else ''}"
        verdict = f"{board.title(hex_)}{again}"
        steps += (Step(text=throw.label, cite=ENTRY, throws=(throw,), start=Fraction(throw.total), verdict=verdict),)
        if counts:
            return hex_, steps
    nearest = min(free, key=lambda other: (hex_.distance(other), other))
    text = f"{here.name}: {most} throws have all found a marker"
    verdict = f"the nearest entry hex without one, {board.title(nearest)}"
    return nearest, (*steps, Step(text=text, cite=THROWN_OUT, verdict=verdict))
