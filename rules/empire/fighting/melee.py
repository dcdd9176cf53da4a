"""Melee: both sides throw at once, and it lands when the phase ends (BE-5)."""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import ClassVar

from rules.core.action_type import Deed
from rules.core.dice import Dice
from rules.core.model import UMPIRE, Cite, Mark, Viewer
from rules.core.odds import Odds, Outcome
from rules.core.report import Report, Step
from rules.core.ruleset import Refused
from rules.core.state import Action
from rules.empire.model import Blows, Contact, EmpireState, EmpireUnit
from rules.empire.orders import find_fighter, in_phase, remembering
from rules.empire.phases import Phase

from .contacts import in_contact, melee_of
from .engagement import Party, engagement
from .landing import beaten, effect, loss_of, strike
from .strokes import MELEE, counted_hits, counting, margins, stroke, thrown

ROUND = Cite(rule="BE-5", mark=Mark.RULING)
"""Who fights whom, and once a turn."""
FLANK, NO_FLANK = "flank", "not in the flank"


class Melee(Action):
    """The melee of `unit` and `target`, each the primary of its side, with all whom contact joins to them."""

    kind: ClassVar[str] = "melee"
    circumstance_names: ClassVar[tuple[str, ...]] = (FLANK, NO_FLANK)

    target: str | None = None


def umpires_words(_state: EmpireState, action: Action) -> Iterable[str]:
    """How a unit charged is noted with its contact; only the umpire says otherwise."""
    return (FLANK, NO_FLANK) if isinstance(action, Melee) else ()


def fight(state: EmpireState, action: Melee, dice: Dice) -> tuple[EmpireState, Report]:
    """Throws for both sides, and keeps the blows until the phase ends. Raises Refused before any die."""
    ours, theirs = _parties(state, action)
    chances = margins(ours, theirs)
    hits, our_steps = thrown(ours, dice)
    suffered, their_steps = thrown(theirs, dice)
    blows = Blows(units=ours.ids, hits=hits, against=theirs.ids, hits_against=suffered)
    everyone = (*ours.ids, *theirs.ids)
    fought = state.with_unit(*(remembering(state.unit(each), fought=True) for each in everyone))
    fought = fought.model_copy(update={"blows": (*state.blows, blows)})
    unit, target = ours.primary, theirs.primary
    report = Report(
        headline=f"{unit.name} against {target.name}: {counted_hits(hits)} to {suffered}.",
        side=unit.side,
        steps=(*our_steps, *their_steps, _compared(state, blows, chances)),
        outcome="It tells when the phase ends." if hits != suffered and state.scenario else "",
        units=everyone,
        warnings=_idle(action, target),
    )
    return fought, report


def _compared(state: EmpireState, blows: Blows, chances: Mapping[int, Fraction]) -> Step:
    ahead = blows.hits - blows.hits_against
    verdict = f"{beaten(state, blows)}, {loss_of(effect(abs(ahead)))}" if ahead else "no effect"
    return Step(
        text=f"{counted_hits(blows.hits)} to {blows.hits_against}",
        cite=effect(abs(ahead)).cite if ahead else ROUND,
        verdict=verdict,
        chance=sum((chance for margin, chance in chances.items() if margin > 0), Fraction(0)),
        hope=f"for {state.unit(blows.units[0]).name} to win",
    )


def odds(state: EmpireState, action: Melee) -> Odds:
    """The exact chances of either side's loss. Raises Refused as the melee itself."""
    ours, theirs = _parties(state, action)
    spread = margins(ours, theirs)
    found: dict[tuple[bool | None, str], Fraction] = {}
    for margin, chance in sorted(spread.items(), reverse=True):
        outcome = (margin > 0 if margin else None, _label(state, ours, theirs, margin))
        found[outcome] = found.get(outcome, Fraction(0)) + chance
    return Odds(
        question=f"{ours.primary.name} against {theirs.primary.name}",
        steps=tuple(step for party in (ours, theirs) for step in (*counting(party), *_strokes(party))),
        outcomes=tuple(Outcome(label=label, chance=chance, good=good) for (good, label), chance in found.items()),
        spread=tuple(spread.items()),
        spread_of="hits more than it suffers",
        pass_from=1,
        warnings=_idle(action, theirs.primary),
    )


def _idle(action: Melee, target: EmpireUnit) -> tuple[str, ...]:
    """That the word for a charge in the flank changes nothing, where it does not."""
    if FLANK not in action.circumstances or not target.in_square:
        return ()
    return (f"“{FLANK}” changes nothing here: {target.name} is in square, which has none ({ROUND}).",)


def _strokes(party: Party) -> Iterable[Step]:
    for fighter in party.fighters:
        number = f"{fighter.dice} {'die' if fighter.dice == 1 else 'dice'}"
        yield stroke(fighter).model_copy(update={"verdict": number})


def _label(state: EmpireState, ours: Party, theirs: Party, margin: int) -> str:
    """What a difference of hits brings: who is beaten, with what loss, and who is destroyed by it."""
    if not margin:
        return "equal: no effect"
    blows = Blows(units=ours.ids, hits=max(margin, 0), against=theirs.ids, hits_against=max(-margin, 0))
    after, _ = strike(state, blows)
    gone = [each for each in (*ours.ids, *theirs.ids) if after.unit(each).destroyed]
    lost = f", {len(gone)} destroyed" if len(gone) > 1 else ", destroyed" if gone else ""
    return f"{beaten(state, blows)}: {loss_of(effect(abs(margin)))}{lost}"


def _parties(state: EmpireState, action: Melee) -> tuple[Party, Party]:
    """Both sides of the melee ordered. Raises Refused."""
    unit = find_fighter(state, action.unit)
    in_phase(state, unit, Phase.MELEE)
    target = _target(state, unit, action.target)
    joined = melee_of(state, unit.id)
    tired = next((state.unit(each) for each in joined if state.unit(each).this_turn.fought), None)
    if tired is not None:
        raise Refused(f"{tired.name} has fought this turn. The melee goes on next turn.", ROUND)
    return engagement(_charged(state, action, unit, target), unit.id, target.id)


def _target(state: EmpireState, unit: EmpireUnit, named: str | None) -> EmpireUnit:
    """The enemy named, or the only one in contact. Raises Refused."""
    opponents = state.opponents(unit.id)
    if not in_contact(state, unit):
        raise Refused(
            f"{unit.name} is in contact with no enemy. Units charge in phase 4B; friends use /do action:support.", MELEE
        )
    if named is None and len(opponents) == 1:
        return opponents[0]
    names = " or ".join(foe.name for foe in opponents)
    if named is None:
        raise Refused(f"{unit.name} is in contact with several: name {names} as its target.", ROUND)
    target = find_fighter(state, named, "target")
    if target.side == unit.side:
        raise Refused(f"{unit.name} and {target.name} are on the same side. Choose {names}.", MELEE)
    if target.id not in (foe.id for foe in opponents):
        raise Refused(f"{unit.name} is not in contact with {target.name}. Choose {names}.", MELEE)
    return target


def _charged(state: EmpireState, action: Melee, unit: EmpireUnit, target: EmpireUnit) -> EmpireState:
    """The state with the charge as the umpire says it was. Raises Refused."""
    said = {FLANK, NO_FLANK} & set(action.circumstances)
    if not said:
        return state
    if len(said) > 1:
        raise Refused("It was either in the flank or not: say one of them.", MELEE)
    charge = next(
        (each for each in state.contacts if (each.attacker, each.defender) == (unit.id, target.id)),
        None,
    )
    if charge is None:
        raise Refused(f"{target.name} charged {unit.name}: name {target.name} first, with the word.", MELEE)
    if charge.rounds:
        raise Refused(
            f"{unit.name} charged in an earlier turn; its dice are doubled no more. Leave the word out.", MELEE
        )
    corrected = charge.model_copy(update={"flank": FLANK in said})
    return state.model_copy(
        update={"contacts": tuple(corrected if each is charge else each for each in state.contacts)}
    )


def open_contacts(state: EmpireState) -> tuple[Contact, ...]:
    """Contacts whose melee is still to be fought this turn."""
    if state.now is not Phase.MELEE:
        return ()
    tired: dict[str, bool] = {}
    for each in state.contacts:
        if each.attacker not in tired:
            group = melee_of(state, each.attacker)
            tired.update(dict.fromkeys(group, any(state.unit(unit).this_turn.fought for unit in group)))
    return tuple(each for each in state.contacts if not tired[each.attacker])


def legal(state: EmpireState, side: Viewer) -> Iterable[Action]:
    """Every melee still to be fought, with any pair in contact as its primaries."""
    for each in open_contacts(state):
        for unit, target in ((each.attacker, each.defender), (each.defender, each.attacker)):
            whose = state.unit(unit).side
            if whose in state.acting and side in (whose, UMPIRE):
                yield Melee(unit=unit, target=target)


DEED: Deed[EmpireState] = Deed(Melee, fight, odds, legal)
