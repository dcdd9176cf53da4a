"""What machine guns leave open: how many dice to throw, and jams that may be cleared (BE-4)."""

from collections.abc import Iterable

from rules.core.model import UMPIRE, Cite
from rules.core.report import Offer, Owed
from rules.core.wording import percent
from rules.empire.model import Burst, EmpireState

from . import clearing
from .aiming import Fire, aim
from .clearing import Clear
from .fire import with_each_number
from .machine_guns import CHOSEN, choice_words, jam_chance


def owed(state: EmpireState) -> Iterable[Owed]:
    """The choice of dice for each machine gun that has taken aim, then the jams that may be cleared."""
    for burst in state.bursts:
        orders = with_each_number(state, burst)
        if orders:
            yield _how_many_dice(state, burst, orders)
    for order in clearing.legal(state, UMPIRE):
        yield _jam(state, order)


def _how_many_dice(state: EmpireState, burst: Burst, orders: tuple[Fire, ...]) -> Owed:
    unit, target = state.unit(burst.unit), state.unit(burst.target)
    key = f"burst:{unit.id}:{target.id}:{state.turn}"
    return Owed(
        key=key,
        unit=unit.id,
        side=unit.side,
        text=f"{unit.name} fires at {target.name}: with how many dice?",
        cite=CHOSEN,
        offers=tuple(
            Offer(label=_label(state, order), kind=Fire.kind, args=_args(order), side=unit.side, key=key)
            for order in orders
        ),
    )


def _label(state: EmpireState, order: Fire) -> str:
    """`3 dice: jams 33.3%`."""
    aimed = aim(state, order)
    volley = aimed.volley
    return choice_words(volley.chosen, jam_chance(state, aimed.unit, volley.chosen, volley.dice))


def _args(order: Fire) -> dict[str, object]:
    given: dict[str, object] = {
        "unit": order.unit,
        "target": order.target,
        "range": order.range,
        "dice": order.dice,
        "with": order.circumstances or None,
    }
    return {name: what for name, what in given.items() if what is not None}


def _jam(state: EmpireState, order: Clear) -> Owed:
    unit = state.unit(order.unit or "")
    key = f"clear:{unit.id}:{state.turn}"
    label = f"Clear {unit.name}: {percent(clearing.chance(unit))}"
    return Owed(
        key=key,
        unit=unit.id,
        side=unit.side,
        text=f"{unit.name} is jammed: one attempt to clear it this turn",
        cite=Cite(rule="BE-4"),
        offers=(Offer(label=label, kind=Clear.kind, args={"unit": unit.id}, side=unit.side, key=key),),
        blocks_turn=False,
    )
