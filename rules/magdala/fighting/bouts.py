"""A round of melee fought with dice, and reckoned beforehand (MM-4.2 to MM-4.5)."""

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction

from rules.core.model import Cite
from rules.core.odds import Odds, Outcome
from rules.core.report import Modifier, Step
from rules.core.wording import likely
from rules.magdala.model import Attack, MagdalaPlay, MagdalaState, MagdalaUnit
from rules.magdala.tables import SIDES

from .combats import Bout, Losses, chances, kills, losses
from .setting_up import CONTACT

COMBATS = Cite(rule="MM-4.3")
HARDLY = Fraction(1, 200)
"""The least chance of losses that the odds list."""


def fought(play: MagdalaPlay, of: Bout) -> Losses:
    """Throws every combat, and tells each as it fell: what each side loses."""
    attacker, defender = play.state.unit(of.attacker), play.state.unit(of.defender)
    ours = play.throw(of.combats, SIDES, f"{attacker.name}: melee", side=attacker.side)
    theirs = play.throw(of.combats, SIDES, f"{defender.name}: melee", side=defender.side)
    pairs = list(zip(ours.dice, theirs.dice, strict=True))
    won = [(a, d) for a, d in pairs if kills(a + of.edge, d)]
    lost = [(a, d) for a, d in pairs if kills(d, a + of.edge)]
    even = [pair for pair in pairs if pair not in won and pair not in lost]
    groups = ((f"{attacker.name} kills", won), (f"{defender.name} kills", lost), ("indecisive", even))
    play.say(
        _contact_step(of),
        Step(text=attacker.name, cite=COMBATS, throws=(ours,), modifiers=of.attacker_adds),
        Step(text=defender.name, cite=COMBATS, throws=(theirs,), modifiers=of.defender_adds),
        Step(text="Combats, die against die before adjustment", cite=COMBATS, verdict=_listed(groups)),
    )
    more = _overlapped(play, of, attacker, defender) if of.extra else (0, 0)
    return min(len(lost) + more[0], attacker.strength), min(len(won) + more[1], defender.strength)


def _contact_step(of: Bout) -> Step:
    noun = "combat" if of.combats == 1 else "combats"
    verdict = f"{of.touching} figures in contact, {of.combats} {noun}"
    where = "" if of.attack is Attack.FRONT else f", in the {of.attack}"
    return Step(text=f"Round {of.round}{where}", cite=CONTACT, verdict=verdict)


def _listed(groups: Iterable[tuple[str, list[Losses]]]) -> str:
    said = (f"{name} {len(pairs)} ({', '.join(f'{a}:{d}' for a, d in pairs)})" for name, pairs in groups if pairs)
    return "; ".join(said)


def _overlapped(play: MagdalaPlay, of: Bout, attacker: MagdalaUnit, defender: MagdalaUnit) -> Losses:
    """The extra combats: straight dice, in which the overlapped unit can only lose (MM-4.4)."""
    few, many = (attacker, defender) if of.overlapped == of.attacker else (defender, attacker)
    own = play.throw(of.extra, SIDES, f"{few.name}: overlapped", side=few.side)
    against = play.throw(of.extra, SIDES, f"{many.name}: overlapping", side=many.side)
    fallen = [(o, a) for o, a in zip(own.dice, against.dice, strict=True) if kills(a, o)]
    listed = f" ({', '.join(f'{o}:{a}' for o, a in fallen)})" if fallen else ""
    play.say(
        Step(
            text=f"{few.name} is overlapped: {of.extra} extra combats",
            cite=Cite(rule="MM-4.4"),
            throws=(own, against),
            verdict=f"loses {len(fallen)}{listed}",
        )
    )
    return (len(fallen), 0) if few.id == attacker.id else (0, len(fallen))


def odds(state: MagdalaState, of: Bout, asker: str) -> Odds:
    """Who wins the round, and by how many kills, seen from `asker` (a unit's id)."""
    attacker, defender = state.unit(of.attacker), state.unit(of.defender)
    mine = 0 if asker == of.attacker else 1
    unit, enemy = (attacker, defender) if mine == 0 else (defender, attacker)
    falls = losses(of)
    margins = chances(falls, lambda lost: lost[1 - mine] - lost[mine])

    def share(holds: Callable[[int], bool]) -> Fraction:
        return sum((chance for margin, chance in margins.items() if holds(margin)), Fraction(0))

    return Odds(
        question=f"{unit.name} against {enemy.name}, round {of.round}",
        steps=(
            _contact_step(of),
            _adds_step(attacker, of.attacker_adds),
            _adds_step(defender, of.defender_adds),
            _losses_step(attacker, chances(falls, lambda lost: lost[0])),
            _losses_step(defender, chances(falls, lambda lost: lost[1])),
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
    return Step(text=unit.name, cite=COMBATS, modifiers=adds, verdict="" if adds else "no adjustment")


def _losses_step(unit: MagdalaUnit, figures: Mapping[int, Fraction]) -> Step:
    """The chance of each number of figures lost, the hardly possible ones left out."""
    listed = ", ".join(f"{lost}: {likely(chance)}" for lost, chance in figures.items() if chance >= HARDLY)
    return Step(text=f"{unit.name}: loses", cite=COMBATS, verdict=listed)
