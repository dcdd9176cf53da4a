"""A round of melee fought with dice, and reckoned beforehand (MM-4.2 to MM-4.5)."""

from collections.abc import Callable, Mapping
from fractions import Fraction

from rules.core.dice import Dice, Throw
from rules.core.model import Cite
from rules.core.odds import Odds, Outcome
from rules.core.report import Modifier, Step
from rules.core.wording import likely
from rules.magdala.model import Attack, MagdalaUnit
from rules.magdala.tables import SIDES

from .combats import Bout, Losses, chances, kills, losses
from .setting_up import CONTACT

HARDLY = Fraction(1, 200)
"""The least chance of losses that the odds list."""


def fought(of: Bout, dice: Dice) -> tuple[Losses, tuple[Step, ...]]:
    """Throws every combat: what each side loses, and each combat as it fell."""
    ours = dice.throw(of.combats, SIDES, f"{of.attacker.name}: melee", side=of.attacker.side)
    theirs = dice.throw(of.combats, SIDES, f"{of.defender.name}: melee", side=of.defender.side)
    pairs = list(zip(ours.dice, theirs.dice, strict=True))
    won = [(a, d) for a, d in pairs if kills(a + of.edge, d)]
    lost = [(a, d) for a, d in pairs if kills(d, a + of.edge)]
    even = [pair for pair in pairs if pair not in won and pair not in lost]
    steps: tuple[Step, ...] = (
        _contact_step(of),
        _dice_step(of.attacker, ours, of.attacker_adds),
        _dice_step(of.defender, theirs, of.defender_adds),
        Step(
            text="Combats, die against die before adjustment",
            cite=Cite(rule="MM-4.3"),
            verdict=_combats(of, won, lost, even),
        ),
    )
    fell = (len(lost), len(won))
    if of.extra:
        fell, extra = _overlapped(of, fell, dice)
        steps += extra
    capped = (min(fell[0], of.attacker.strength), min(fell[1], of.defender.strength))
    return capped, steps


def _contact_step(of: Bout) -> Step:
    noun = "combat" if of.combats == 1 else "combats"
    verdict = f"{of.touching} figures in contact, {of.combats} {noun}"
    where = "" if of.attack is Attack.FRONT else f", in the {of.attack}"
    return Step(text=f"Round {of.round}{where}", cite=CONTACT, verdict=verdict)


def _dice_step(unit: MagdalaUnit, throw: Throw, adds: tuple[Modifier, ...]) -> Step:
    return Step(text=unit.name, cite=Cite(rule="MM-4.3"), throws=(throw,), modifiers=adds)


def _combats(of: Bout, won: list[Losses], lost: list[Losses], even: list[Losses]) -> str:
    groups = (
        (f"{of.attacker.name} kills", won),
        (f"{of.defender.name} kills", lost),
        ("indecisive", even),
    )
    said = (f"{name} {len(pairs)} ({', '.join(f'{a}:{d}' for a, d in pairs)})" for name, pairs in groups if pairs)
    return "; ".join(said)


def _overlapped(of: Bout, fell: Losses, dice: Dice) -> tuple[Losses, tuple[Step, ...]]:
    """The extra combats: straight dice, in which the overlapped unit can only lose (MM-4.4)."""
    few, many = (of.attacker, of.defender) if of.overlapped == of.attacker.id else (of.defender, of.attacker)
    own = dice.throw(of.extra, SIDES, f"{few.name}: overlapped", side=few.side)
    against = dice.throw(of.extra, SIDES, f"{many.name}: overlapping", side=many.side)
    fallen = [(o, a) for o, a in zip(own.dice, against.dice, strict=True) if kills(a, o)]
    listed = f" ({', '.join(f'{o}:{a}' for o, a in fallen)})" if fallen else ""
    step = Step(
        text=f"{few.name} is overlapped: {of.extra} extra combats",
        cite=Cite(rule="MM-4.4"),
        throws=(own, against),
        verdict=f"loses {len(fallen)}{listed}",
    )
    more = (len(fallen), 0) if few.id == of.attacker.id else (0, len(fallen))
    return (fell[0] + more[0], fell[1] + more[1]), (step,)


def odds(of: Bout, asker: str) -> Odds:
    """Who wins the round, and by how many kills, seen from `asker` (a unit's id)."""
    mine = 0 if asker == of.attacker.id else 1
    unit, enemy = (of.attacker, of.defender) if mine == 0 else (of.defender, of.attacker)
    falls = losses(of)
    margins = chances(falls, lambda lost: lost[1 - mine] - lost[mine])

    def share(holds: Callable[[int], bool]) -> Fraction:
        return sum((chance for margin, chance in margins.items() if holds(margin)), Fraction(0))

    return Odds(
        question=f"{unit.name} against {enemy.name}, round {of.round}",
        steps=(
            _contact_step(of),
            _adds_step(of.attacker, of.attacker_adds),
            _adds_step(of.defender, of.defender_adds),
            _losses_step(of.attacker, chances(falls, lambda lost: lost[0])),
            _losses_step(of.defender, chances(falls, lambda lost: lost[1])),
        ),
        outcomes=(
            Outcome(label=f"{unit.name}: wins the round", chance=share(lambda margin: margin > 0), good=True),
            Outcome(label="even: the melee goes on", chance=share(lambda margin: margin == 0)),
            Outcome(label=f"{enemy.name}: wins the round", chance=share(lambda margin: margin < 0), good=False),
        ),
        spread=tuple(margins.items()),
        spread_of="kills more than it suffers",
        pass_from=1,
        warnings=of.warnings,
    )


def _adds_step(unit: MagdalaUnit, adds: tuple[Modifier, ...]) -> Step:
    return Step(text=unit.name, cite=Cite(rule="MM-4.3"), modifiers=adds, verdict="" if adds else "no adjustment")


def _losses_step(unit: MagdalaUnit, figures: Mapping[int, Fraction]) -> Step:
    """The chance of each number of figures lost, the hardly possible ones left out."""
    listed = ", ".join(f"{lost}: {likely(chance)}" for lost, chance in figures.items() if chance >= HARDLY)
    return Step(text=f"{unit.name}: loses", cite=Cite(rule="MM-4.3"), verdict=listed)
