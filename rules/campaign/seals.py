"""Seals of each command's daily orders, which prove the orders once the campaign is over (CA-1.9)."""

import hashlib
import json
from collections.abc import Sequence

from rules.core import sealed_texts
from rules.core.report import ReportAnnex, Step
from rules.core.sealed_texts import SealedText

from .columns import Orders
from .knowledge import viewers_of_orders
from .model import Battle, CampaignPlay, CampaignState, SealedOrders
from .orders import orders_in_words
from .telling import cite

SALT_DICE, SALT_SIDES = 8, 1000
"""Number of dice thrown for a salt, and sides of each die: 10^24 possible salts prevent guessing."""


def seal_orders(play: CampaignPlay) -> None:
    """Seal each command's orders with a salt of hidden dice. Report the seals publicly, then the salts privately."""
    salts: list[Step] = []
    for side in play.state.sides:
        state = play.state
        throw = play.throw(SALT_DICE, SALT_SIDES, f"{side.name}: salt of the orders", side=side.id, hidden=True)
        salt = "-".join(map(str, throw.dice))
        sheet = {column.name: column.orders.model_dump(mode="json") for column in state.units_of(side.id)}
        orders = json.dumps(sheet, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        sealed = SealedOrders(day=state.turn, command=side.id, orders=orders, salt=salt, seal=make_seal(orders, salt))
        play.set(seals=(*state.seals, sealed))
        play.say(Step(text=f"{side.name}: seal of the orders", cite=cite("1.9"), needed=sealed.seal))
        readers = viewers_of_orders(play.state, side.id)
        salts.append(Step(text=throw.label, cite=cite("1.9"), throws=(throw,), only_for=readers))
    play.say(*salts)


def make_seal(orders: str, salt: str) -> str:
    """Return the SHA-256 of a salt and the orders, in hexadecimal digits."""
    return sealed_texts.make_seal(f"{salt}|{orders}")


def list_sealed_texts(state: CampaignState) -> Sequence[SealedText]:
    """Return the seal of each day's orders, with the sealed text if a viewer's view `state` contains it."""
    texts: list[SealedText] = []
    for seal in state.seals:
        content = f"{seal.salt}|{seal.orders}" if seal.salt else None
        texts.append(SealedText(f"day {seal.day}, {state.side(seal.command).name}", seal.seal, content))
    return texts


def battle_seed(state: CampaignState, battle: Battle) -> str:
    """Return the random seed of a battle that the bot plays, from the seals of the battle's first day.

    Nobody can know the seed before the end of that day; afterwards everybody can compute it.
    """
    seals = "|".join(seal.seal for seal in state.seals if seal.day == battle.day)
    return hashlib.sha256(f"{battle.id}|{seals}".encode()).hexdigest()


def list_sealed_orders(state: CampaignState) -> Sequence[ReportAnnex]:
    """Return the orders that the viewer of `state` knows, with seals and salts, as an annex of the report."""
    parts: list[tuple[str, Sequence[str]]] = []
    for sealed in state.seals:
        if sealed.orders:
            sheet = {name: Orders.model_validate(orders) for name, orders in json.loads(sealed.orders).items()}
            lines = [f"{name}: {orders_in_words(state, orders)}" for name, orders in sheet.items()]
            proof = "genuine" if make_seal(sealed.orders, sealed.salt) == sealed.seal else "NOT that of these orders"
            seal_line = f"Seal {sealed.seal}, {proof}; salt {sealed.salt}"
            title = f"Day {sealed.day}, {state.side(sealed.command).name}"
            parts.append((title, (*(lines or ["no column"]), seal_line)))
    return (ReportAnnex("Sealed orders", parts),) if parts else ()
