"""What is owed and open, with the buttons that settle it: tests, answers, moves, rounds of melee (MM-4 to MM-6)."""

from collections.abc import Callable, Iterable

from rules.core.model import UMPIRE, Cite, Mark, Viewer
from rules.core.report import Prompt
from rules.core.state import Action

from .fighting.engagement import engaged, pairs
from .fighting.readiness import hindrance
from .fleeing.flight import HELD, pinned_down
from .model import MagdalaState, Test
from .owing import asked_by, offer
from .tables import limit


def prompts(state: MagdalaState) -> tuple[Prompt, ...]:
    """Everything owed and open, in the order in which it came; choices last."""
    if state.over is not None:
        return ()
    debts = (asked_by(state, debt) for debt in state.debts)
    return (*(item for item in debts if item), *_melees(state), *_held(state))


def blocking(state: MagdalaState) -> tuple[Prompt, ...]:
    """What keeps the turn from passing."""
    return tuple(item for item in prompts(state) if item.required)


def offering(kind: type[Action]) -> Callable[[MagdalaState, Viewer], Iterable[Action]]:
    """`legal` of a kind of action that is done only where it is owed or open."""

    def legal(state: MagdalaState, side: Viewer) -> Iterable[Action]:
        for item in prompts(state):
            for offered in item.offers:
                if offered.kind == kind.kind and side in (offered.side, UMPIRE):
                    yield kind.model_validate(offered.args)

    return legal


def _melees(state: MagdalaState) -> Iterable[Prompt]:
    """Each melee's round of this turn (MM-4.5)."""
    for attacker, defender in pairs(state):
        if defender.id in attacker.this_turn.fought_with:
            continue
        ready = hindrance(state, attacker, defender) is None
        key = f"melee:{attacker.id}:{defender.id}:{attacker.melee_round}:{state.turn}:{state.active}:{ready}"
        fight = offer(key, attacker, f"Melee: {attacker.name}", "melee", target=defender.id)
        yield Prompt(
            key=key,
            unit=attacker.id,
            side=attacker.side,
            text=f"{attacker.name} against {defender.name}: round {attacker.melee_round} of melee",
            cite=Cite(rule="MM-4.5", mark=Mark.RULING),
            offers=(fight,) if ready else (),
        )


def _held(state: MagdalaState) -> Iterable[Prompt]:
    """What a pinned or halted unit may choose in its own turn (MM-5.7)."""
    turns = limit("turns held before testing again")
    for unit in state.of_side(state.active):
        owing = any(debt.unit == unit.id and debt.test is not Test.WITNESS for debt in state.debts)
        if unit.morale not in HELD or pinned_down(unit) or owing or engaged(state, unit) or unit.this_turn.retreated:
            continue
        ready = unit.held_turns >= turns and not unit.this_turn.retested
        key = f"held:{unit.id}:{state.turn}:{state.active}:{ready}"
        back = offer(key, unit, f"Retreat: {unit.name}", "retire", danger=True)
        again = (offer(key, unit, f"Go on: {unit.name}", "morale"),) if ready else ()
        yield Prompt(
            key=key,
            unit=unit.id,
            side=unit.side,
            text=f"{unit.name} is {unit.morale}: it may {'test to go on, or ' if ready else ''}retreat",
            cite=Cite(rule="MM-5.7"),
            offers=(*again, back),
            required=False,
        )
