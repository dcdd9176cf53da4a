"""The conduct charts: who reads which column, what the words of a cell mean, and what is added to the roll (BE-6)."""

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Literal, NamedTuple

from rules.core.chart import Chart
from rules.core.data_files import read_as
from rules.core.model import Cite, Mark, Model
from rules.core.report import Modifier
from rules.core.wording import count_of
from rules.empire.model import Arm, Conduct, Defence, EmpireState, EmpireUnit, Formation, Nation, Weapon
from rules.empire.options import Theatre
from rules.empire.phases import Phase
from rules.empire.placement import within
from rules.empire.tables import TABLES, adjustment, adjustments, value

STEADY, SHAKEN = "steady", "shaken"
CHART, SHELTER = "conduct-modifiers", "defending field works or in square"
ATTACHED, WORKS, ELITE, FRAGILE, COLUMN = "commander attached", "field works", "elite", "fragile", "imperial column"
KILLS = {"one kill": 1, "two kills": 2, "three kills": 3}
MELEE_SAID = IN_MELEE, MOUNTED_OPPONENT, MASSED_OPPONENT = "in melee", "mounted opponent", "massed opponent"


class Reader(Model):
    """The classes that read a column of a chart, in one theatre and state; where nations are named, of these alone."""

    theatre: Theatre
    state: Literal["steady", "shaken"]
    classes: tuple[Conduct, ...]
    nations: tuple[Nation, ...] = ()
    chart: str
    column: str
    mark: Mark = Mark.TEXT

    @property
    def table(self) -> Chart:
        """The chart itself. Raises KeyError."""
        return TABLES.charts[self.chart]

    @property
    def cite(self) -> Cite:
        """The rule of the chart, marked as a ruling where the source does not name the class."""
        return Cite(rule=self.table.rule, mark=self.mark)

    def read(self, score: int) -> "Result":
        """What a score reads in the column."""
        return results()[self.table.read(score, self.column)]


class Result(Model):
    """A chart result: a move in inches (rallying the shaken), a recoil, or a hold."""

    words: str
    recoil: bool = False
    destroyed: bool = False
    foot: int | None = None
    mounted: int | None = None
    free_change: bool = False
    """No penalty for changing formation or facing."""
    fanatic: tuple[Conduct, ...] = ()
    """Classes driven into fanatic charge."""
    free_mounting: tuple[Conduct, ...] = ()
    """Classes that mount or dismount without penalty by it."""

    @property
    def moves(self) -> bool:
        """Whether the result allows movement, even of zero inches."""
        return self.foot is not None

    def inches(self, unit: EmpireUnit) -> int:
        """How far it lets that unit move; a crew as far as ever, and nobody who has no move."""
        if unit.is_crew:
            return gun_move(unit) if self.moves else 0
        return (self.mounted if unit.arm is Arm.MOUNTED else self.foot) or 0


class _File(Model):
    reader: tuple[Reader, ...] = ()
    result: tuple[Result, ...] = ()


@cache
def readers() -> Mapping[tuple[Theatre, str, Conduct], Reader]:
    """Who reads which column, by theatre, state and class."""
    listed = read_as(_File, "rules.empire", "conduct_columns.toml").reader
    return {(each.theatre, each.state, conduct): each for each in listed for conduct in each.classes}


@cache
def results() -> Mapping[str, Result]:
    """The results of every conduct chart by their words."""
    return {each.words: each for each in read_as(_File, "rules.empire", "conduct_results.toml").result}


def reader_of(state: EmpireState, unit: EmpireUnit) -> Reader:
    """What the unit reads: its theatre's chart where that names it, else the one of all types (BE-6a, ruling)."""
    options, steadiness = state.options, SHAKEN if unit.shaken else STEADY
    of_all = readers()[Theatre.ALL_TYPES, steadiness, unit.conduct]
    if options.theatre is Theatre.ALL_TYPES:
        return of_all
    own = readers().get((options.theatre, steadiness, unit.conduct)) if options.theatre_charts_win else None
    if own is not None and (not own.nations or unit.nation in own.nations or not options.theatre_names_nations):
        return own
    return of_all.model_copy(update={"mark": Mark.RULING})


def gun_move(unit: EmpireUnit) -> int:
    """Inches of a crew's full move, limbered or not: it needs no test while it is steady (BE-6)."""
    on_mules = unit.weapon in (Weapon.MOUNTAIN_GUN, Weapon.MAXIM)
    row = "mountain guns and Maxims" if on_mules else "guns and carriage machine guns"
    return value("gun-moves", row, "limbered" if unit.limbered else "unlimbered")


class _Claim(NamedTuple):
    """A claimable circumstance: word, whether the table confirms it, and its chart row.

    What the table has may be words for it; else it is told in those of `reason`, or of the row. Beside the word
    `unless` it does not count. How far off those of `measured` are, the table may not know: then a player may say.
    """

    word: str
    row: str
    holds: Callable[[EmpireState, EmpireUnit], bool | str]
    reason: str = ""
    unless: str = ""
    measured: Callable[[EmpireState, EmpireUnit], list[EmpireUnit]] | None = None


def modifiers(state: EmpireState, unit: EmpireUnit, said: Iterable[str] = ()) -> tuple[Modifier, ...]:
    """Return all applicable modifiers, by state or claim."""
    words = frozenset(said)
    if words & {ELITE, FRAGILE}:
        unit = unit.model_copy(update={"elite": ELITE in words, "fragile": FRAGILE in words})
    if unit.shaken:
        words -= {COLUMN}
    found = {each: each.holds(state, unit) or each.word in words for each in CLAIMS if each.row}
    so = {each.word for each, holds in found.items() if holds}
    rows = {
        each.row: holds if isinstance(holds, str) else each.reason.format(options=state.options) or True
        for each, holds in found.items()
        if holds and each.unless not in so
    }
    kills = max(unit.kills, *(number for word, number in KILLS.items() if word in words), 0)
    lost = (adjustment(CHART, "each kill", f"for {count_of(kills, 'kill')}", kills),) if kills else ()
    return (*adjustments(CHART, rows), *lost)


def not_so(state: EmpireState, unit: EmpireUnit) -> tuple[str, ...]:
    """Return claims contradicting the state."""
    untrue = (each.word for each in CLAIMS if _is_untrue(state, unit, each))
    return (*untrue, *(word for word, number in KILLS.items() if unit.kills < number))


def redundant_words(state: EmpireState, unit: EmpireUnit) -> tuple[str, ...]:
    """Return words that change nothing, beside facts that the state already knows."""
    so = {each.word for each in CLAIMS if each.holds(state, unit)}
    return tuple(each.word for each in CLAIMS if each.unless in so)


def is_known(state: EmpireState, unit: EmpireUnit) -> bool:
    """Whether the table knows all that its conduct hangs on: it and those near whom it tests better have places."""
    from_whom = (claim.measured(state, unit) for claim in CLAIMS if claim.measured is not None)
    return all(_are_placed(unit, near) for near in from_whom)


def _are_placed(unit: EmpireUnit, others: Iterable[EmpireUnit]) -> bool:
    places = [other.place for other in others]
    return not places or (unit.place is not None and None not in places)


def _is_untrue(state: EmpireState, unit: EmpireUnit, claim: _Claim) -> bool:
    if claim.measured is None:
        return not claim.holds(state, unit)
    return _are_placed(unit, claim.measured(state, unit))


def _commanders(state: EmpireState, unit: EmpireUnit) -> list[EmpireUnit]:
    """Return reference units for commanders: themselves, or their host if unplaced."""
    able = (each for each in state.of_side(unit.side) if each.arm is Arm.ARMY_COMMANDER and each.may_lead)
    return [(each.place is None and state.host(each)) or each for each in able]


def _has_commander(state: EmpireState, unit: EmpireUnit) -> bool:
    return any(each.arm is Arm.ARMY_COMMANDER and each.may_lead for each in state.pieces_with(unit.id))


def _leader(state: EmpireState, unit: EmpireUnit) -> str:
    """Return the effective leader in words: with the unit, else with its brigade; empty without one."""
    brigade = {each.id for each in state.fighters(unit.side) if unit.brigade and each.brigade == unit.brigade}
    leaders = [each for each in state.of_side(unit.side) if each.arm is Arm.LEADER and each.may_lead]
    with_it = [f"leader attached: {each.name}" for each in leaders if each.attached_to == unit.id]
    with_others = [f"leader of {unit:their} brigade: {each.name}" for each in leaders if each.attached_to in brigade]
    return next(iter((*with_it, *with_others)), "")


def _charging(state: EmpireState, unit: EmpireUnit) -> list[EmpireUnit]:
    """Other friends in fanatic charge."""
    return [each for each in state.fighters(unit.side) if each.id != unit.id and each.this_turn.fanatic]


def _opponent_gave_way(state: EmpireState, unit: EmpireUnit) -> bool:
    """In this turn's movement; it counts in 4a alone (BE-6, ruling)."""
    now = state.now is Phase.EXPLOITATION or not state.options.gave_way_in_4a_alone
    return unit.this_turn.opponent_gave_way and now


def _steady_column(_: EmpireState, unit: EmpireUnit) -> bool:
    """Drilled or European-trained (BE-6, ruling)."""
    imperial = unit.conduct in (Conduct.DRILLED, Conduct.TRAINED)
    return imperial and unit.formation is Formation.COLUMN and not unit.shaken


def _against_masses(state: EmpireState, unit: EmpireUnit) -> bool:
    return any(foe.arm is Arm.FOOT and foe.is_massed for foe in state.opponents(unit.id))


CLAIMS = (
    _Claim(
        "commander within 12",
        "army commander within 12 inches",
        lambda state, unit: bool(within(unit, _commanders(state, unit), state.options.command_radius)),
        "army commander within {options.command_radius} inches",
        unless=ATTACHED,
        measured=_commanders,
    ),
    _Claim(ATTACHED, "army commander attached", _has_commander),
    _Claim("leader attached", "leader attached", _leader),
    _Claim(WORKS, SHELTER, lambda _, unit: unit.defending is Defence.WORKS, "defending field works"),
    _Claim("in square", SHELTER, lambda _, unit: unit.in_square, "in square", unless=WORKS),
    _Claim(
        "friends charging",
        "friends in fanatic charge within 12 inches",
        lambda state, unit: bool(within(unit, _charging(state, unit), state.options.fanatics_within)),
        "friends in fanatic charge within {options.fanatics_within} inches",
        measured=_charging,
    ),
    _Claim(ELITE, "elite", lambda _, unit: unit.elite),
    _Claim(COLUMN, "steady Imperial column", _steady_column),
    _Claim("opponent gave way", "melee opponent recoiled or destroyed", _opponent_gave_way),
    _Claim("disordered", "disordered", lambda _, unit: unit.disordered),
    _Claim(FRAGILE, "fragile", lambda _, unit: unit.fragile),
    _Claim(IN_MELEE, "", lambda state, unit: bool(state.opponents(unit.id))),
    _Claim(MOUNTED_OPPONENT, "", lambda state, unit: any(foe.arm is Arm.MOUNTED for foe in state.opponents(unit.id))),
    _Claim(MASSED_OPPONENT, "", _against_masses),
)
MEASURED = tuple(each.word for each in CLAIMS if each.measured is not None)
"""Claims that a measured distance decides."""
SAID = (*(each.word for each in CLAIMS), *KILLS)
"""Words by which something may be claimed."""
