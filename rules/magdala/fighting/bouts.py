"""A round of melee set up from the table, fought with dice, and reckoned beforehand (MM-4.2 to MM-4.5)."""

from collections.abc import Callable, Mapping
from fractions import Fraction

from rules.core.dice import Dice, Throw
from rules.core.model import Cite, Mark
from rules.core.odds import Odds, Outcome
from rules.core.report import Modifier, Step
from rules.core.ruleset import Refused
from rules.core.wording import likely
from rules.magdala.model import Attack, MagdalaState, MagdalaUnit
from rules.magdala.morale.trials import SIDES

from .attack import FLANK, REAR, figures_touching, most_touching, placed, said_to_be
from .combats import Bout, Losses, adjustments, chances, combats, extra_combats, kills, losses
from .facing_off import figures_in_melee, flanks_overlapped, outnumbered

OVERLAPPED = {"overlapped one flank": 1, "overlapped both flanks": 2}
ROUNDS = {"second round": 2, "third round": 3, "fourth round": 4}
FOR_TARGET = {"target +1": "umpire +1", "target -1": "umpire -1"}
FOR_UNIT = ("umpire +1", "umpire -1")
HARDLY = Fraction(1, 200)
"""The least chance of losses that the odds list."""
MELEE_WORDS = (FLANK, REAR, *OVERLAPPED, *ROUNDS, *FOR_UNIT, *FOR_TARGET)


def bout(
    state: MagdalaState,
    attacker: MagdalaUnit,
    defender: MagdalaUnit,
    said: tuple[str, ...],
    contact: int | None,
    speaker: str,
) -> Bout:
    """The round as it stands; the umpire's adjustments are for `speaker` (a unit's id) and for its target.

    Raises Refused on more figures in contact than there are, or an overlap of a unit that is not outnumbered.
    """
    round_ = max(attacker.melee_round, *(number for word, number in ROUNDS.items() if word in said), 1)
    attack = Attack.FRONT if defender.in_square else said_to_be(said) or attacker.melee_attack
    touching = _touching(state, attacker, defender, attack, contact)
    few, flanks = _overlap(state, attacker, defender, said, attack)
    many = defender if few is not None and few.id == attacker.id else attacker
    spare = many.strength - touching
    ours, theirs = _words(said, attacker.id == speaker), _words(said, defender.id == speaker)
    return Bout(
        attacker=attacker,
        defender=defender,
        round=round_,
        attack=attack,
        touching=touching,
        combats=combats(touching),
        attacker_adds=adjustments(state, attacker, defender, True, round_, ours),
        defender_adds=adjustments(state, defender, attacker, False, round_, theirs),
        overlapped=few.id if few is not None and flanks else "",
        extra=extra_combats(flanks, round_, spare) if few is not None else 0,
        notes=_notes(state, attacker, defender, said, attack, contact),
    )


def _notes(
    state: MagdalaState,
    attacker: MagdalaUnit,
    defender: MagdalaUnit,
    said: tuple[str, ...],
    attack: Attack,
    contact: int | None,
) -> tuple[Step, ...]:
    """What has been supposed of figures in contact, and a word for the attack that changes nothing (MM-4.2)."""
    rule = Cite(rule="MM-4.2", mark=Mark.RULING)
    notes: tuple[Step, ...] = ()
    if contact is None and attack is not Attack.FRONT and not placed(attacker, defender):
        text = f"Places are unknown: its whole {attack} is taken to touch, by the sizes of bases"
        notes += (Step(text=text, cite=rule, verdict="“contact” says otherwise"),)
    word = next((word for word in said if word in (FLANK, REAR)), None)
    idle = _idle(state, attacker, defender, said, attack, contact) if word else ""
    return (*notes, Step(text=f"“{word}” changes nothing here", cite=rule, verdict=idle)) if idle else notes


def _idle(
    state: MagdalaState,
    attacker: MagdalaUnit,
    defender: MagdalaUnit,
    said: tuple[str, ...],
    attack: Attack,
    contact: int | None,
) -> str:
    """Why it makes no difference that the attack is in flank or rear; empty where it does."""
    if defender.in_square:
        return "a square has neither flank nor rear"
    if _overlap(state, attacker, defender, said, attack) != _overlap(state, attacker, defender, said, Attack.FRONT):
        return ""
    if contact is not None:
        within = contact <= most_touching(state, attacker, defender, Attack.FRONT)
        return "the figures in contact are given" if within else ""
    here, in_front = (figures_touching(state, attacker, defender, each) for each in (attack, Attack.FRONT))
    return "as many combats as in front" if combats(here) == combats(in_front) else ""


def _words(said: tuple[str, ...], speaks: bool) -> tuple[str, ...]:
    """What is said of one of the two: the umpire's adjustments are for the unit named, or for its target."""
    common = (word for word in said if word not in FOR_TARGET and word not in FOR_UNIT)
    own = (word for word in said if word in FOR_UNIT)
    other = (FOR_TARGET[word] for word in said if word in FOR_TARGET)
    return (*common, *(own if speaks else other))


def _touching(
    state: MagdalaState, attacker: MagdalaUnit, defender: MagdalaUnit, attack: Attack, contact: int | None
) -> int:
    most = most_touching(state, attacker, defender, attack)
    if contact is not None and contact > most:
        raise Refused(f"At most {most} figures can be in contact here. Count again.", Cite(rule="MM-4.2"))
    return contact or figures_touching(state, attacker, defender, attack)


def _overlap(
    state: MagdalaState, attacker: MagdalaUnit, defender: MagdalaUnit, said: tuple[str, ...], attack: Attack
) -> tuple[MagdalaUnit | None, int]:
    """The outnumbered unit, and how many of its flanks are overlapped (MM-4.4)."""
    few = outnumbered(state, attacker, defender)
    told = max((flanks for word, flanks in OVERLAPPED.items() if word in said), default=None)
    if few is None:
        if told:
            ours, theirs = figures_in_melee(state, attacker, defender)
            raise Refused(
                f"Neither is outnumbered, {ours} figures against {theirs}: none is overlapped.", Cite(rule="MM-4.4")
            )
        return None, 0
    if told is not None:
        return few, told
    many = defender if few.id == attacker.id else attacker
    in_front = attack is Attack.FRONT
    return few, (flanks_overlapped(state, few, many) or 0) if in_front else 0


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
        *of.notes,
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
    return Step(text=f"Round {of.round}{where}", cite=Cite(rule="MM-4.2", mark=Mark.RULING), verdict=verdict)


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
            *of.notes,
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
    )


def _adds_step(unit: MagdalaUnit, adds: tuple[Modifier, ...]) -> Step:
    return Step(text=unit.name, cite=Cite(rule="MM-4.3"), modifiers=adds, verdict="" if adds else "no adjustment")


def _losses_step(unit: MagdalaUnit, figures: Mapping[int, Fraction]) -> Step:
    """The chance of each number of figures lost, the hardly possible ones left out."""
    listed = ", ".join(f"{lost}: {likely(chance)}" for lost, chance in figures.items() if chance >= HARDLY)
    return Step(text=f"{unit.name}: loses", cite=Cite(rule="MM-4.3"), verdict=listed)
