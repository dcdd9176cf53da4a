"""What comes first: recovery from collapse, a new entry hex, artillery rounds brought up (TA-7 to TA-9)."""

from fractions import Fraction

from rules.core.hexboard.hexes import Hex
from rules.core.model import Cite, Mark
from rules.core.play import Play
from rules.core.report import Step
from rules.tanga.combat import reveal as revealing
from rules.tanga.combat.losses import recover as recover_from_collapse
from rules.tanga.field import board_of, hexes_of, of_formation
from rules.tanga.model import BRITISH, Arm, Formation, Kind, TangaState

from .stacks import Stepped, acted, ids

ENTRY = Cite(rule="TA-9.A")
HELD = Cite(rule="TA-9.A", mark=Mark.RULING)
"""A marker laid where British are already counts as entered."""
THROWN_OUT = Cite(rule="TA-9.A", mark=Mark.RULING)
"""After so many throws that found a marker, the nearest entry hex without one is taken."""
SUPPLY = Cite(rule="TA-8", mark=Mark.RULING)


def recover(play: Play[TangaState], formation: str, forced: Hex | None) -> Stepped | None:
    """A collapsed formation throws once (TA-7); stevedores bring up rounds; who has no entry hex yet rolls one.

    Markers that Germans see already are turned up, those just dealt among them (TA-1).
    """
    if revealing.reveal(play):
        return Stepped()
    if not play.state.formation(formation).collapsed:
        return _supply(play, formation) or enter_roll(play, formation, forced)
    units = ids(of_formation(play.state, formation))
    if set(units) <= set(play.state.british.acted):
        return None
    acted(play, units)
    recover_from_collapse(play, formation)
    verb = "still collapsed" if play.state.formation(formation).collapsed else "recovered from collapse"
    return Stepped(told=f"{verb} (TA-7)")


def _supply(play: Play[TangaState], formation: str) -> Stepped | None:
    """Stevedores in their staff's beach hex fill its artillery's rounds (TA-8)."""
    state, board = play.state, board_of(play.state)
    units, beach = of_formation(state, formation), board.beaches.get(state.formation(formation).beach)
    bearers = next((unit for unit in units if unit.arm is Arm.STEVEDORES), None)
    short = [
        unit for unit in units if unit.on_map and unit.rounds is not None and unit.rounds < (unit.rounds_full or 0)
    ]
    if not short or bearers is None or beach is None or bearers.at != beach.beach:
        return None
    for unit in short:
        play.change(unit.id, rounds=unit.rounds_full)
        text = f"{bearers.name} in {board.title(beach.beach)} supply {unit.name}"
        play.note(text, SUPPLY, f"{unit.rounds_full} rounds")
    return Stepped()


def enter_roll(play: Play[TangaState], formation: str, _forced: Hex | None) -> Stepped | None:
    """An entry hex for a battalion ashore that has none (TA-9.A); where British stand already, it is entered."""
    here = play.state.formation(formation)
    if here.kind is not Kind.BATTALION or here.collapsed or here.entry is not None:
        return None
    if not any(unit.on_map for unit in of_formation(play.state, formation)):
        return None
    hex_ = _entry_hex(play, here)
    title, entered = board_of(play.state).title(hex_), hex_ in hexes_of(play.state, BRITISH)
    if entered:
        held = f"British are in {title}, entry hex of {here.name}"
        play.note(held, HELD, "its stacks choose objectives now")
    play.state = play.state.with_formation(here.model_copy(update={"entry": hex_, "entered": entered}))
    return Stepped(told=f"entry hex {title} (TA-9.A)")


def _entry_hex(play: Play[TangaState], here: Formation) -> Hex:
    """2D6, again where another marker lies, `entry_throws` in all; then the free entry hex nearest to the last throw's.

    With a marker on every entry hex the first throw counts.
    """
    board = board_of(play.state)
    taken = {one.entry: one.name for one in play.state.formations.values() if one.entry is not None}
    free = frozenset(board.spec.entries.values()) - taken.keys()
    most = play.state.options.entry_throws if free else 1
    for number in range(1, most + 1):
        throw = play.throw(2, 6, f"{here.name}: entry hex", side=here.side)
        hex_ = board.spec.entries[throw.total]
        counts = hex_ in free or not free
        again = "" if counts else f", where {taken[hex_]} has its marker{': again' if number < most else ''}"
        verdict = f"{board.title(hex_)}{again}"
        play.say(Step(text=throw.label, cite=ENTRY, throws=(throw,), start=Fraction(throw.total), verdict=verdict))
        if counts:
            return hex_
    nearest = min(free, key=lambda other: (hex_.distance(other), other))
    text = f"{here.name}: {most} throws have all found a marker"
    verdict = f"the nearest entry hex without one, {board.title(nearest)}"
    play.note(text, THROWN_OUT, verdict)
    return nearest
