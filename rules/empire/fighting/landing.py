"""What was thrown in a simultaneous phase lands when it ends: hits of fire, and blows of melee (BE-1, BE-2)."""

from rules.core.chart import Cell, Row
from rules.core.dice import NoDice
from rules.core.model import Cite, Mark
from rules.core.play import Play
from rules.core.report import Step
from rules.core.wording import in_a_row
from rules.empire.model import Blows, EmpireState, Shot
from rules.empire.orders import remembering
from rules.empire.tables import TABLES, value

from .loss import counted_kills, kills_left, suffer
from .strokes import counted_hits

EFFECTS = "combat-effects"
ADDED_UP = Cite(rule="BE-2.4", mark=Mark.RULING)
SHARED = Cite(rule="BE-5", mark=Mark.RULING)
"""Kills go round one each."""
EQUAL = Cite(rule="BE-5", mark=Mark.RULING)


def land_shots(play: Play[EmpireState]) -> None:
    """All hits of the phase land together, those on one target added up (BE-2, BE-2.4); `landed` keeps the shots."""
    shots = play.state.shots
    play.set(shots=(), bursts=(), landed=shots)
    for target_id in dict.fromkeys(shot.target for shot in shots if shot.hits):
        target = play.state.units.get(target_id)
        if target is None or not target.on_table:
            continue
        at_it = [shot for shot in shots if shot.target == target_id and shot.hits]
        row = effect(sum(shot.hits for shot in at_it))
        play.say(_told(play.state, target.name, at_it, row))
        suffer(
            play,
            target_id,
            kills=value(EFFECTS, row.label, "kills"),
            shaken=bool(value(EFFECTS, row.label, "shaken")),
            disordered=bool(value(EFFECTS, row.label, "disorder")),
            because="under fire",
        )


def land_fire(state: EmpireState) -> tuple[EmpireState, tuple[Step, ...]]:
    """The state as it would be if the shots of the phase landed now, and how that would be told."""
    play = Play(state, NoDice())
    land_shots(play)
    return play.state, play.report.steps


def effect(hits: int) -> Row:
    """The row of the combat chart for so many hits, at least 1 (BE-2)."""
    return TABLES.charts[EFFECTS].band(hits)


def _told(state: EmpireState, target: str, shots: list[Shot], row: Row) -> Step:
    """One line a target: who hit it how often, and what comes of it."""
    by: dict[str, int] = {}
    for shot in shots:
        firer = state.units[shot.unit].name if shot.unit in state.units else shot.unit
        by[firer] = by.get(firer, 0) + shot.hits
    whose = f"by {next(iter(by))}" if len(by) == 1 else in_a_row(f"{hits} by {firer}" for firer, hits in by.items())
    return Step(
        text=f"{target}: {counted_hits(sum(by.values()))}{' ' if len(by) == 1 else ', '}{whose}",
        cite=ADDED_UP if len(shots) > 1 else row.cite,
        verdict=does(row),
    )


def does(row: Row) -> str:
    """`shaken and 1 kill`: what a row of the combat chart does to the target of fire."""
    return in_a_row(cell.text for name in ("disorder", "shaken", "kills") if (cell := _cell(row, name)).value)


def _cell(row: Row, column: str) -> Cell:
    return TABLES.charts[EFFECTS].cell(row, column)


def land_blows(play: Play[EmpireState]) -> None:
    """All melees of the phase land together; a round more is behind those who fought, and fanatic charges end."""
    melees = play.state.blows
    for blows in melees:
        strike(play, blows)
    fought = {each for blows in melees for each in (*blows.units, *blows.against)}
    contacts = tuple(
        each.model_copy(update={"rounds": each.rounds + 1}) if {each.attacker, each.defender} <= fought else each
        for each in play.state.contacts
    )
    spent = (remembering(unit, fanatic=False) for unit in play.state.units.values() if unit.this_turn.fanatic)
    play.state = play.state.with_unit(*spent)
    play.set(blows=(), supports=(), contacts=contacts)


def strike(play: Play[EmpireState], blows: Blows) -> None:
    """The side with fewer hits loses: kills by the difference, shared out from its primary on, and all shaken (BE-5).

    Of equals neither suffers (ruling).
    """
    state, ahead = play.state, blows.hits - blows.hits_against
    text = f"{_name(state, blows.units[0])} against {_name(state, blows.against[0])}"
    score = f"{counted_hits(blows.hits)} to {blows.hits_against}"
    if not ahead:
        play.say(Step(text=text, cite=EQUAL, verdict=f"{score}: no effect"))
        return
    losers = [each for each in (blows.against if ahead > 0 else blows.units) if each in state.units]
    row = effect(abs(ahead))
    kills = value(EFFECTS, row.label, "kills of the loser")
    verdict = f"{score}: {beaten(state, blows)}, {loss_of(row)}"
    play.say(Step(text=text, cite=row.cite if len(losers) == 1 else SHARED, verdict=verdict))
    rooms = tuple(kills_left(unit, state.options) if unit.on_table else 0 for unit in map(state.unit, losers))
    shaken = bool(value(EFFECTS, row.label, "loser of a melee"))
    for loser, share in zip(losers, shared(kills, rooms), strict=True):
        suffer(play, loser, kills=share, shaken=shaken, because="beaten in melee")


def beaten(state: EmpireState, blows: Blows) -> str:
    """The losing side, its primary first: `Zulu impi and uVe beaten`."""
    losers = blows.against if blows.hits > blows.hits_against else blows.units
    return f"{in_a_row(_name(state, each) for each in losers)} beaten"


def loss_of(row: Row) -> str:
    """`2 kills and shaken`: what a row of the combat chart does to those who lose a melee."""
    kills = value(EFFECTS, row.label, "kills of the loser")
    return (
        f"{counted_kills(kills)} and shaken" if value(EFFECTS, row.label, "loser of a melee") else counted_kills(kills)
    )


def shared(kills: int, rooms: tuple[int, ...]) -> tuple[int, ...]:
    """How many of the kills each loser takes: one each in turn, the first first, none more than it has room for."""
    taken = [0] * len(rooms)
    while kills and any(took < room for took, room in zip(taken, rooms, strict=True)):
        for at, room in enumerate(rooms):
            if kills and taken[at] < room:
                taken[at] += 1
                kills -= 1
    return tuple(taken)


def _name(state: EmpireState, unit_id: str) -> str:
    return state.units[unit_id].name if unit_id in state.units else unit_id
