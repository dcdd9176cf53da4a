"""A round of melee as it stands before the dice: set up from the table, or as it is said (MM-4.2, MM-4.4)."""

from collections.abc import Iterable

from rules.core.model import Cite, Mark
from rules.core.ruleset import Refused
from rules.magdala.attack import FLANK, REAR, figures_touching, most_touching, placed, said_to_be
from rules.magdala.model import Attack, MagdalaState, MagdalaUnit

from .combats import Bout, adjustments, combats, extra_combats
from .facing_off import figures_in_melee, flanks_overlapped, outnumbered

OVERLAPPED = {"overlapped one flank": 1, "overlapped both flanks": 2}
ROUNDS = {"second round": 2, "third round": 3, "fourth round": 4}
FOR_TARGET = {"target +1": "umpire +1", "target -1": "umpire -1"}
FOR_UNIT = ("umpire +1", "umpire -1")
MELEE_WORDS = (FLANK, REAR, *OVERLAPPED, *ROUNDS, *FOR_UNIT, *FOR_TARGET)
CONTACT = Cite(rule="MM-4.2", mark=Mark.RULING)


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
        attacker=attacker.id,
        defender=defender.id,
        strengths=(attacker.strength, defender.strength),
        round=round_,
        attack=attack,
        touching=touching,
        combats=combats(touching),
        attacker_adds=adjustments(state, attacker, defender, True, round_, ours),
        defender_adds=adjustments(state, defender, attacker, False, round_, theirs),
        overlapped=few.id if few is not None and flanks else "",
        extra=extra_combats(flanks, round_, spare) if few is not None else 0,
        warnings=tuple(_warnings(state, attacker, defender, said, attack, contact)),
    )


def _warnings(
    state: MagdalaState,
    attacker: MagdalaUnit,
    defender: MagdalaUnit,
    said: tuple[str, ...],
    attack: Attack,
    contact: int | None,
) -> Iterable[str]:
    """What is supposed of the figures in contact, and a word for the attack that changes nothing (MM-4.2)."""
    if contact is None and attack is not Attack.FRONT and not placed(attacker, defender):
        taken = f"the {attack} of {defender.name} is taken to touch as far as the front of {attacker.name} reaches"
        yield f"Places are unknown, so {taken} ({CONTACT}). Say “contact” if fewer or more do."
    word = next((word for word in said if word in (FLANK, REAR)), None)
    idle = _idle(state, attacker, defender, said, attack, contact) if word else ""
    if idle:
        yield f"“{word}” changes nothing here: {idle} ({CONTACT})."


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
