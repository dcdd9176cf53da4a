"""Phases as data."""

from rules.core.dice import NoDice
from rules.core.model import Model
from rules.core.phases import Phase, PhaseKind, Phases
from rules.core.play import Play

from .drill import RULE, DrillState, Squad, start_drill

SIDES = ("red", "blue")


def has_units(state: DrillState, side: str) -> bool:
    return any(unit.side == side and not unit.brave for unit in state.units.values())


def alone(phase: Phase[DrillState]) -> Phases[DrillState]:
    return Phases((phase,), lambda _: SIDES, lambda state: state, lambda _: False, RULE)


def test_a_side_with_nothing_to_do_in_a_phase_is_idle() -> None:
    fight: Phase[DrillState] = Phase("fight", "Phase 2: fight", PhaseKind.SIMULTANEOUS, has_to_do=has_units)
    state = start_drill().model_copy(update={"phase": "fight"})
    units = {key: unit.model_copy(update={"brave": unit.side == "blue"}) for key, unit in state.units.items()}
    assert alone(fight).idle_sides(state) == ()
    assert alone(fight).idle_sides(state.model_copy(update={"units": units})) == ("blue",)


def test_in_an_automatic_phase_all_are_idle() -> None:
    phase: Phase[DrillState] = Phase("rest", "Phase 3: rest", PhaseKind.AUTOMATIC, has_to_do=has_units)
    assert alone(phase).idle_sides(start_drill().model_copy(update={"phase": "rest"})) == SIDES


def test_only_automatic_phases_act_by_themselves() -> None:
    def late(play: Play[DrillState]) -> None:
        play.set(turn=play.state.turn + 1)

    phase: Phase[DrillState] = Phase("rest", "Phase 3: rest", PhaseKind.AUTOMATIC, on_end=late)
    play = Play(start_drill(), NoDice())
    phase.on_begin(play)
    assert play.state is play.before
    phase.on_end(play)
    assert play.state.turn == play.before.turn + 1


def test_simultaneous_phase_waits_for_each_side_with_actions() -> None:
    class Both(DrillState):
        done: tuple[str, ...] = ()

    through: list[tuple[str, ...]] = []
    talk = Phase[Both]("talk", "talk", PhaseKind.SIMULTANEOUS, on_begin=lambda play: through.append(play.state.done))
    both: Phases[Both] = Phases(
        (talk, Phase("fight", "fight", PhaseKind.SIMULTANEOUS, has_to_do=has_units)),
        order=lambda _: SIDES,
        next_turn=lambda state: state,
        is_over=lambda _: None,
        cite=RULE,
    )
    brave = {key: unit.model_copy(update={"brave": unit.side == "blue"}) for key, unit in start_drill().units.items()}
    state = Both.model_validate(start_drill().model_dump() | {"phase": "talk", "done": ("red", "blue")})
    state = state.model_copy(update={"units": brave})
    play = Play(state, NoDice())
    both.advance(play)
    assert (play.state.phase, play.state.active, play.state.done) == ("fight", "red", ("blue",))
    both.advance(play)
    assert (play.state.turn, play.state.phase, play.state.done, through) == (2, "fight", ("blue",), [()])


def test_phases_to_come_and_an_assumed_phase() -> None:
    kinds = (PhaseKind.SEQUENTIAL, PhaseKind.AUTOMATIC, PhaseKind.SIMULTANEOUS, PhaseKind.SEQUENTIAL)
    turn: Phases[DrillState] = Phases(
        tuple(Phase(str(number), "", kind) for number, kind in enumerate(kinds, start=1)),
        order=lambda _: SIDES,
        next_turn=lambda state: state,
        is_over=lambda _: None,
        cite=RULE,
    )
    state = start_drill().model_copy(update={"phase": "1"})
    assert (turn.player_phases, turn.later_phases(state)) == (("1", "3", "4"), ("3", "4"))
    later = turn.suppose_phase(state, "4", "blue")
    assert later == state.model_copy(update={"phase": "4", "active": "blue"})
    assert turn.later_phases(later) == ()


def test_memory_of_the_turn_can_be_changed() -> None:
    class Memory(Model):
        moved: int = 0
        fired: bool = False

    class Minded(Squad):
        this_turn: Memory = Memory(fired=True)

    play = Play(start_drill().with_unit(Minded(id="a", name="Able", side="red")), NoDice())
    play.remember("a", moved=3)
    assert play.state.units["a"].this_turn == Memory(moved=3, fired=True)


def rallies(play: Play[DrillState]) -> None:
    play.set(owing=(*play.state.owing, play.state.active))


def advance_phase(**update) -> tuple[DrillState, list[str]]:
    """Advance from a phase of sides in sequence. Return the state and the told steps."""
    turn: Phases[DrillState] = Phases(
        (
            Phase("fight", "phase 1 (fight)", PhaseKind.SEQUENTIAL, has_to_do=has_units, side_begins=rallies),
            Phase("rest", "phase 2 (rest)", PhaseKind.AUTOMATIC),
        ),
        order=lambda _: SIDES,
        next_turn=lambda state: state,
        is_over=lambda state: state.over,
        cite=RULE,
    )
    play = Play(start_drill().model_copy(update={"phase": "fight", **update}), NoDice())
    turn.advance(play)
    return play.state, [step.text for step in play.report.steps]


def test_turn_advances_to_the_next_actor_and_tells_skipped_phases() -> None:
    state, lines = advance_phase()
    assert (state.turn, state.phase, state.active, state.owing, lines) == (1, "fight", "blue", ("blue",), [])
    state, lines = advance_phase(active="blue")
    assert (state.turn, state.phase, state.active, state.owing) == (2, "fight", "red", ("red",))
    assert lines == ["Phase 2 (rest): nobody has anything to do"]
    idle = {key: unit.model_copy(update={"brave": unit.side == "blue"}) for key, unit in start_drill().units.items()}
    state, lines = advance_phase(units=idle)
    assert (state.turn, state.phase, state.active) == (2, "fight", "red")
    assert lines == ["Phase 1 (fight): the Blue have nothing to do", "Phase 2 (rest): nobody has anything to do"]
    state, lines = advance_phase(active="blue", units={})
    assert (state.turn, state.phase, len(lines)) == (2, "fight", 1)


def wait_for_turn(
    side: str, *, limit: int = 9, happens: int = 99, ends: int = 99, **update
) -> tuple[DrillState, list[str]]:
    """Return the state after waiting. A note comes in turn `happens`, and the game ends in turn `ends`."""

    def rest(play: Play[DrillState]) -> None:
        if play.state.turn == happens:
            play.note("Somebody comes", RULE)

    turn: Phases[DrillState] = Phases(
        (
            Phase("fight", "phase 1 (fight)", PhaseKind.SEQUENTIAL, has_to_do=has_units),
            Phase("rest", "phase 2 (rest)", PhaseKind.AUTOMATIC, on_end=rest),
        ),
        order=lambda _: SIDES,
        next_turn=lambda state: state,
        is_over=lambda state: state.over or state.turn >= ends,
        cite=RULE,
        turns=lambda _: limit,
    )
    play = Play(start_drill().model_copy(update={"phase": "fight", **update}), NoDice())
    if side:
        turn.skip_idle_turns(play, side)
    else:
        turn.advance(play)
    return play.state, [step.text for step in play.report.steps]


def blue_idle() -> dict[str, Squad]:
    return {key: unit.model_copy(update={"brave": unit.side == "blue"}) for key, unit in start_drill().units.items()}


def test_a_side_waits_until_the_other_may_act() -> None:
    state, lines = wait_for_turn("red")
    assert (state.turn, state.active, lines) == (1, "blue", ["Turn 1: the Red wait"])


def test_side_waits_for_turns_until_an_event_and_then_acts() -> None:
    state, lines = wait_for_turn("red", units=blue_idle(), happens=4)
    assert (state.turn, state.phase, state.active) == (5, "fight", "red")
    assert lines == ["Turns 1 to 4: the Red wait", "Somebody comes"]


def test_a_side_waits_no_longer_than_the_game_lasts() -> None:
    state, lines = wait_for_turn("red", units=blue_idle(), ends=6)
    assert (state.turn, lines) == (6, ["Turns 1 to 5: the Red wait"])
    assert wait_for_turn("red", units=blue_idle(), limit=3)[0].turn == 4


def test_idle_turns_are_skipped_up_to_the_last() -> None:
    state, lines = wait_for_turn("", units={}, limit=5)
    assert state.turn == 6
    assert lines[-1] == "Turns 2 to 5: nobody has anything to do"
    assert wait_for_turn("", units={}, happens=3)[1][-1] == "Somebody comes"


def test_next_turn_of_a_side_has_phases_as_at_their_beginning() -> None:
    def tired(state: DrillState) -> DrillState:
        return state.model_copy(update={"scenario": f"{state.active} begin"})

    phases: Phases[DrillState] = Phases(
        (
            Phase("move", "", PhaseKind.SEQUENTIAL, begin_part=tired),
            Phase("answer", "", PhaseKind.SEQUENTIAL, is_answer_phase=True),
            Phase("rest", "", PhaseKind.AUTOMATIC),
            Phase("fight", "", PhaseKind.SEQUENTIAL),
        ),
        order=lambda state: ("blue",) if (state.phase == "answer") is (state.turn == 1) else ("red",),
        next_turn=lambda state: state,
        is_over=lambda _: None,
        cite=RULE,
    )
    moving = start_drill().model_copy(update={"phase": "move", "active": "red"})
    mine = phases.phases_of_own_turn(moving, "red")
    assert [*mine] == ["move", "fight"]
    assert mine["move"] is moving
    blue_turns = phases.phases_of_own_turn(moving.model_copy(update={"phase": "fight"}), "blue")
    assert {phase: state.turn for phase, state in blue_turns.items()} == {"move": 2, "fight": 2}
    assert (blue_turns["move"].active, blue_turns["move"].scenario) == ("blue", "blue begin")
