"""The conduct charts: their columns by class of troops, the meaning of results, and modifiers (BE-6)."""

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Literal, NamedTuple

from rules.core.chart import Chart
from rules.core.data_files import read_data_file
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


class ConductColumn(Model):
    """A column of a conduct chart, with the theatre, state, classes and any nations of the units that use it."""

    theatre: Theatre
    state: Literal["steady", "shaken"]
    classes: tuple[Conduct, ...]
    nations: tuple[Nation, ...] = ()
    chart: str
    column: str
    mark: Mark = Mark.TEXT

    @property
    def conduct_chart(self) -> Chart:
        """Return the conduct chart that contains the column. Raises KeyError if it is missing."""
        return TABLES.charts[self.chart]

    @property
    def cite(self) -> Cite:
        """Return the chart's rule, marked as a ruling if the source does not name the class."""
        return Cite(rule=self.conduct_chart.rule, mark=self.mark)

    def read(self, score: int) -> "ConductResult":
        """Return the result that the column gives for `score`."""
        return conduct_results()[self.conduct_chart.text_for_score(score, self.column)]


class ConductResult(Model):
    """A result of a conduct chart: a move in inches, a recoil, or a hold. A move rallies shaken units."""

    words: str
    recoil: bool = False
    destroyed: bool = False
    foot: int | None = None
    mounted: int | None = None
    free_change: bool = False
    """Whether changes of formation or facing cost nothing."""
    fanatic: tuple[Conduct, ...] = ()
    """Classes that the result drives into fanatic charge."""
    free_mounting: tuple[Conduct, ...] = ()
    """Classes that the result lets mount or dismount without penalty."""

    @property
    def allows_move(self) -> bool:
        """Whether the result allows movement, even of zero inches."""
        return self.foot is not None

    def inches_for(self, unit: EmpireUnit) -> int:
        """Return the inches that this result lets the unit move; for crews the full move or 0."""
        if unit.is_crew:
            return crew_move_inches(unit) if self.allows_move else 0
        return (self.mounted if unit.arm is Arm.MOUNTED else self.foot) or 0


class _ConductFile(Model):
    reader: tuple[ConductColumn, ...] = ()
    result: tuple[ConductResult, ...] = ()


@cache
def conduct_columns() -> Mapping[tuple[Theatre, str, Conduct], ConductColumn]:
    """Return the columns of all conduct charts, by theatre, state and class."""
    rows = read_data_file(_ConductFile, "rules.empire", "conduct_columns.toml").reader
    return {(reader.theatre, reader.state, conduct): reader for reader in rows for conduct in reader.classes}


@cache
def conduct_results() -> Mapping[str, ConductResult]:
    """Return the results of all conduct charts, by the words that the charts print."""
    rows = read_data_file(_ConductFile, "rules.empire", "conduct_results.toml").result
    return {result.words: result for result in rows}


def find_conduct_column(state: EmpireState, unit: EmpireUnit) -> ConductColumn:
    """Return the unit's column of the theatre's conduct chart, or else of the general chart.

    In a theatre, the use of the general chart is a ruling (BE-6a).
    """
    options, steadiness = state.options, SHAKEN if unit.shaken else STEADY
    of_all = conduct_columns()[Theatre.ALL_TYPES, steadiness, unit.conduct]
    if options.theatre is Theatre.ALL_TYPES:
        return of_all
    own = conduct_columns().get((options.theatre, steadiness, unit.conduct)) if options.theatre_charts_win else None
    if own is not None and (not own.nations or unit.nation in own.nations or not options.theatre_names_nations):
        return own
    return of_all.model_copy(update={"mark": Mark.RULING})


def crew_move_inches(unit: EmpireUnit) -> int:
    """Return the inches of a crew's full move, limbered or unlimbered. Steady crews need no test to move (BE-6)."""
    on_mules = unit.weapon in (Weapon.MOUNTAIN_GUN, Weapon.MAXIM)
    row = "mountain guns and Maxims" if on_mules else "guns and carriage machine guns"
    return value("gun-moves", row, "limbered" if unit.limbered else "unlimbered")


class _Claim(NamedTuple):
    """A circumstance of conduct that the state confirms, or that a player claims by its `word`."""

    word: str
    row: str
    """Row of the chart of conduct modifiers; empty if the circumstance is no modifier."""
    holds: Callable[[EmpireState, EmpireUnit], bool | str]
    """Whether the state confirms the claim; a text in place of True is the reason that the report gives."""
    reason: str = ""
    """Reason in the report if `holds` returns True; by default the row."""
    unless: str = ""
    """Word of another claim; if that claim holds, this one does not count."""
    measured: Callable[[EmpireState, EmpireUnit], list[EmpireUnit]] | None = None
    """The units whose distance decides. A player may make the claim only if a place is unknown."""


def find_conduct_modifiers(state: EmpireState, unit: EmpireUnit, claims: Iterable[str] = ()) -> tuple[Modifier, ...]:
    """Return the conduct modifiers confirmed by the state or claimed in `claims`."""
    words = frozenset(claims)
    if words & {ELITE, FRAGILE}:
        unit = unit.model_copy(update={"elite": ELITE in words, "fragile": FRAGILE in words})
    if unit.shaken:
        words -= {COLUMN}
    answers = {claim: claim.holds(state, unit) or claim.word in words for claim in CLAIMS if claim.row}
    true_words = {claim.word for claim, holds in answers.items() if holds}
    rows = {
        claim.row: holds if isinstance(holds, str) else claim.reason.format(options=state.options) or True
        for claim, holds in answers.items()
        if holds and claim.unless not in true_words
    }
    kills = max(unit.kills, *(number for word, number in KILLS.items() if word in words), 0)
    losses = (adjustment(CHART, "each kill", f"for {count_of(kills, 'kill')}", kills),) if kills else ()
    return (*adjustments(CHART, rows), *losses)


def claims_decided_by_state(state: EmpireState, unit: EmpireUnit) -> tuple[str, ...]:
    """Return the claims that only the umpire may make, because the state confirms or refutes them."""
    untrue = (claim.word for claim in CLAIMS if _is_decided_by_state(state, unit, claim))
    return (*untrue, *(word for word, number in KILLS.items() if unit.kills < number))


def redundant_claims(state: EmpireState, unit: EmpireUnit) -> tuple[str, ...]:
    """Return the claims that change nothing, because the claim named in their `unless` is already true."""
    true_words = {claim.word for claim in CLAIMS if claim.holds(state, unit)}
    return tuple(claim.word for claim in CLAIMS if claim.unless in true_words)


def has_known_distances(state: EmpireState, unit: EmpireUnit) -> bool:
    """Whether the state knows every distance that decides a claim about the unit."""
    from_whom = (claim.measured(state, unit) for claim in CLAIMS if claim.measured is not None)
    return all(_have_places(unit, near) for near in from_whom)


def _have_places(unit: EmpireUnit, others: Iterable[EmpireUnit]) -> bool:
    """Whether the unit and all `others` have places on the table; true if `others` is empty."""
    places = [other.place for other in others]
    return not places or (unit.place is not None and None not in places)


def _is_decided_by_state(state: EmpireState, unit: EmpireUnit, claim: _Claim) -> bool:
    """Whether the state knows the distances of the claim, or refutes a claim that needs none."""
    if claim.measured is None:
        return not claim.holds(state, unit)
    return _have_places(unit, claim.measured(state, unit))


def _army_commanders(state: EmpireState, unit: EmpireUnit) -> list[EmpireUnit]:
    """Return the side's fit army commanders, or the host of a commander whose place is unknown."""
    commanders = (piece for piece in state.units_of(unit.side) if piece.arm is Arm.ARMY_COMMANDER and piece.can_lead)
    return [(piece.place is None and state.host(piece)) or piece for piece in commanders]


def _describe_leader(state: EmpireState, unit: EmpireUnit) -> str:
    """Return the leader of the unit, or else of its brigade, in words; empty without a leader."""
    brigade = {friend.id for friend in state.fighters(unit.side) if unit.brigade and friend.brigade == unit.brigade}
    leaders = [piece for piece in state.units_of(unit.side) if piece.arm is Arm.LEADER and piece.can_lead]
    with_it = [f"leader attached: {piece.name}" for piece in leaders if piece.attached_to == unit.id]
    with_others = [f"leader of {unit:their} brigade: {piece.name}" for piece in leaders if piece.attached_to in brigade]
    return next(iter((*with_it, *with_others)), "")


def _charging_friends(state: EmpireState, unit: EmpireUnit) -> list[EmpireUnit]:
    """Return the unit's friends in fanatic charge, without the unit itself."""
    return [friend for friend in state.fighters(unit.side) if friend.id != unit.id and friend.this_turn.fanatic]


def _opponent_gave_way(state: EmpireState, unit: EmpireUnit) -> bool:
    """Whether an opponent gave way this turn (BE-6); only in phase 4a by option gave_way_in_4a_alone (ruling)."""
    now = state.current_phase is Phase.EXPLOITATION or not state.options.gave_way_in_4a_alone
    return unit.this_turn.opponent_gave_way and now


def _is_steady_column(_: EmpireState, unit: EmpireUnit) -> bool:
    """Whether the unit is a steady column of drilled or European-trained troops (BE-6, ruling)."""
    imperial = unit.conduct in (Conduct.DRILLED, Conduct.TRAINED)
    return imperial and unit.formation is Formation.COLUMN and not unit.shaken


CLAIMS = (
    _Claim(
        "commander within 12",
        "army commander within 12 inches",
        lambda state, unit: bool(within(unit, _army_commanders(state, unit), state.options.command_radius)),
        "army commander within {options.command_radius} inches",
        unless=ATTACHED,
        measured=_army_commanders,
    ),
    _Claim(
        ATTACHED,
        "army commander attached",
        lambda state, unit: Arm.ARMY_COMMANDER in [piece.arm for piece in state.pieces_with(unit.id) if piece.can_lead],
    ),
    _Claim("leader attached", "leader attached", _describe_leader),
    _Claim(WORKS, SHELTER, lambda _, unit: unit.defending is Defence.WORKS, "defending field works"),
    _Claim("in square", SHELTER, lambda _, unit: unit.is_in_square, "in square", unless=WORKS),
    _Claim(
        "friends charging",
        "friends in fanatic charge within 12 inches",
        lambda state, unit: bool(within(unit, _charging_friends(state, unit), state.options.fanatics_within)),
        "friends in fanatic charge within {options.fanatics_within} inches",
        measured=_charging_friends,
    ),
    _Claim(ELITE, "elite", lambda _, unit: unit.elite),
    _Claim(COLUMN, "steady Imperial column", _is_steady_column),
    _Claim("opponent gave way", "melee opponent recoiled or destroyed", _opponent_gave_way),
    _Claim("disordered", "disordered", lambda _, unit: unit.disordered),
    _Claim(FRAGILE, "fragile", lambda _, unit: unit.fragile),
    _Claim(IN_MELEE, "", lambda state, unit: bool(state.opponents(unit.id))),
    _Claim(MOUNTED_OPPONENT, "", lambda state, unit: any(foe.arm is Arm.MOUNTED for foe in state.opponents(unit.id))),
    _Claim(
        MASSED_OPPONENT,
        "",
        lambda state, unit: any(foe.arm is Arm.FOOT and foe.is_massed for foe in state.opponents(unit.id)),
    ),
)
DISTANCE_WORDS = tuple(claim.word for claim in CLAIMS if claim.measured is not None)
"""Words of the claims that depend on a distance."""
CLAIM_WORDS = (*(claim.word for claim in CLAIMS), *KILLS)
"""Words of all claims."""
