"""Phases as data."""

from rules.core.dice import NoDice
from rules.core.phases import Kind, Phase
from rules.core.play import Play

from .drill import DrillState, begun

SIDES = ("red", "blue")


def has_units(state: DrillState, side: str) -> bool:
    return any(unit.side == side and not unit.brave for unit in state.units.values())


def test_a_side_with_nothing_to_do_in_a_phase_is_idle() -> None:
    fight: Phase[DrillState] = Phase("fight", "Phase 2: fight", Kind.SIMULTANEOUS, has_to_do=has_units)
    state = begun()
    units = {key: unit.model_copy(update={"brave": unit.side == "blue"}) for key, unit in state.units.items()}
    assert fight.idle(state, SIDES) == ()
    assert fight.idle(state.model_copy(update={"units": units}), SIDES) == ("blue",)


def test_in_an_automatic_phase_all_are_idle() -> None:
    rest: Phase[DrillState] = Phase("rest", "Phase 3: rest", Kind.AUTOMATIC, has_to_do=has_units)
    assert rest.idle(begun(), SIDES) == SIDES


def test_nothing_happens_by_itself_unless_a_phase_says_so() -> None:
    def late(play: Play[DrillState]) -> None:
        play.set(turn=play.state.turn + 1)

    rest: Phase[DrillState] = Phase("rest", "Phase 3: rest", Kind.AUTOMATIC, on_end=late)
    play = Play(begun(), NoDice())
    rest.on_begin(play)
    assert play.state is play.before
    rest.on_end(play)
    assert play.state.turn == play.before.turn + 1
