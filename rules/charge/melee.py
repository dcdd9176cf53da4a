"""The mêlée: throw its single combats, remove the dead, and let the survivors fall back (CH-4)."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from typing_extensions import override

from rules.core.action_type import ActionType, Caption, Chance
from rules.core.ad_hoc import OURS, THEIRS, throwaway_state
from rules.core.model import Cite
from rules.core.odds import Odds, combine_outcomes
from rules.core.refusal import Refused, refuse
from rules.core.refusal_with_map import RefusedWithSightLines
from rules.core.report import Prompt, Step
from rules.core.scene import SightLines
from rules.core.state import Action
from rules.core.throws import Distribution, sum_distribution
from rules.core.wording import count_of, join_with_and, number_text

from .bouts import SINGLE, Bout, combat_arrows, describe_men, pair_units
from .contact import CONTACT, end_fight, fights_due
from .losses import report_army_losses
from .model import ChargePlay, ChargeState, Fight
from .shared import MELEES, complete_report, find_unit_on_table, make_unit_for_question
from .tables import SIDES

PAIRS = Cite(rule="CH-4.6").as_ruling


class Melee(Action):
    """The mêlée between `unit`, `target` and all other units in their fight."""

    target: str


@dataclass(frozen=True)
class MeleePlan:
    """An allowed mêlée: its fight and its single combats. In each combat, the men on the side of `unit` come first."""

    unit: str
    target: str
    fight: Fight
    bouts: tuple[Bout, ...]


class MeleeType(ActionType[ChargeState, Melee, MeleePlan]):
    """A mêlée, fought as single combats (CH-4)."""

    action = Melee
    question_fields = ("troop", "figures", "against", "against_figures")

    def suggest_actions(self, state: ChargeState) -> Iterable[Melee]:
        """Yield the mêlée of each fight that is due, begun by a unit of the moving side if one is left."""
        for fight in fights_due(state):
            units = [unit for unit_id in fight.units if (unit := state.units[unit_id]).on_table]
            first = min(units, key=lambda unit: unit.side != state.mover)
            yield Melee(unit=first.id, target=state.enemies_in_contact(first)[0].id)

    def settle(self, state: ChargeState, action: Melee, *, supposing: bool) -> MeleePlan:
        """Return the plan, which pairs all men of the fight.

        Raises Refused if the units are not in contact, or if the fight is not due yet (unless `supposing`).
        """
        unit, target = find_unit_on_table(state, action.unit), find_unit_on_table(state, action.target, "target")
        fight = state.fight_of(unit.id)
        refuse(None, (target.side == unit.side, f"{target:are} on the same side. Choose an enemy."))
        apart = f"{unit:are} not in contact with {target.name}. To attack, move “towards {target.name}”."
        refuse(CONTACT, (target not in state.enemies_in_contact(unit), apart))
        assert fight is not None
        is_due = state.phase == MELEES and fight.since < state.began
        later = "The mêlée is fought at the end of the turn after that of contact, when its fire is over."
        if state.scenario and not is_due and not supposing:
            raise RefusedWithSightLines(
                Refused(later, CONTACT), lambda: SightLines(arrows=tuple(combat_arrows(state, fight)))
            )
        ours, theirs = state.enemies_in_contact(target), state.enemies_in_contact(unit)
        return MeleePlan(unit.id, target.id, fight, pair_units(ours, theirs))

    def caption(self, state: ChargeState, plan: MeleePlan) -> Caption:
        """Return a caption such as `Grenadiers fight Hussars: 62% to lose fewer`."""
        fewer = sum((chance for ahead, chance in _loss_difference(plan.bouts) if ahead > 0), Fraction(0))
        names = f"{state.unit(plan.unit):fight} {state.unit(plan.target).name}"
        return Caption(names, Chance(fewer, "to lose fewer"))

    def odds(self, state: ChargeState, plan: MeleePlan) -> Odds:
        """Return the exact chances of each difference between the two sides' losses."""
        unit, target = state.unit(plan.unit), state.unit(plan.target)
        distribution, equal = _loss_difference(plan.bouts), ("as many on both sides", None)
        lose = {1: (f"{target.name} lose more", True), -1: (f"{unit.name} lose more", False)}
        return Odds(
            question=f"{unit.name} against {target.name}: who loses fewer men?",
            steps=_make_combat_steps(plan.bouts),
            outcomes=combine_outcomes(distribution, lambda ahead: lose.get((ahead > 0) - (ahead < 0), equal)),
            distribution=distribution,
            score_label=f"men that {target.name} lose more",
            pass_from=1,
        )

    def resolve(self, play: ChargePlay, plan: MeleePlan) -> None:
        """Throw for each combat, remove the dead, and let the survivors fall back."""
        before, unit, target = play.state, play.state.unit(plan.unit), play.state.unit(plan.target)
        text, dead, results = f"{unit.name} against {target.name}", Counter[str](), Counter[str]()
        play.say(*_make_combat_steps(plan.bouts))
        ours = play.throw(len(plan.bouts), SIDES, f"{text}, {unit.name}", side=unit.side)
        theirs = play.throw(len(plan.bouts), SIDES, f"{text}, {target.name}", side=target.side)
        for place, (bout, *dice) in enumerate(zip(plan.bouts, ours.dice, theirs.dice, strict=True), 1):
            fallen = bout.man_who_falls(*dice)
            dead.update([fallen.unit] if fallen else [])
            falls = f"{before.unit(fallen.unit).name} {fallen.number} falls" if fallen else "both live"
            ends = "drawn" if fallen is None else "lost" if before.unit(fallen.unit).side == unit.side else "won"
            results[ends] += 1
            if before.scenario:
                play.note_calculation(_describe_bout(before, bout, place, dice), bout.cite, falls)
        if not before.scenario:  # in a question without a game, no man falls on a table
            summary = ", ".join(f"{results[ends]} {ends}" for ends in ("won", "lost", "drawn") if results[ends])
            play.note_calculation(f"Combats of {unit.name}, die against die in order", SINGLE, summary)
        losses = []
        for unit_id in (unit_id for unit_id in plan.fight.units if dead[unit_id]):
            men_left = before.unit(unit_id).figures - dead[unit_id]
            play.change(unit_id, figures=men_left)
            men_lost = count_of(dead[unit_id], "man", "men")
            losses.append(f"{before.unit(unit_id):lose} {men_lost} ({men_left or 'none'} left)")
        outcome = join_with_and(losses) or "nobody falls"
        play.say(Step(text=text, cite=SINGLE, throws=(ours, theirs), verdict=outcome, text_in_headline=True))
        report_army_losses(play, before)
        end_fight(play, plan.fight)
        complete_report(play, f"{text}: {outcome}", *plan.fight.units, outcome="")

    @override
    def set_up_question(self, options: Mapping[str, Any], words: tuple[str, ...]) -> tuple[ChargeState, Melee]:
        """Return a table with two units in contact, and their mêlée, for a question without a game. Raises Refused."""
        if "against" not in options:
            raise Refused("Say whom they fight: melee needs “against”, as against:Hussars.")
        unit = make_unit_for_question(options, "unit", OURS, "troop", "figures")
        target = make_unit_for_question(options, "target", THEIRS, "against", "against_figures")
        if unit.name == target.name:
            target = target.model_copy(update={"name": f"{target.name} (theirs)"})
        fight = Fight(units=(unit.id, target.id), since=0)
        return throwaway_state(ChargeState, unit, target, fights=(fight,)), Melee(unit=unit.id, target=target.id)


def prompts(state: ChargeState) -> Iterable[Prompt]:
    """Yield a prompt for each mêlée to be fought now."""
    for melee in MELEE.suggest_actions(state) if state.phase == MELEES else ():
        unit, target = state.unit(melee.unit or ""), state.unit(melee.target)
        key = f"melee:{unit.id}:{target.id}:{state.began}"
        yield MELEE.prompt(state, (melee,), key, f"{unit.name} against {target.name}: the mêlée", CONTACT)


def _loss_difference(bouts: Iterable[Bout]) -> Distribution:
    """Return the chance of each difference: the enemy's losses less our own."""
    return sum_distribution(*(tuple(sorted(bout.distribution.items())) for bout in bouts))


def _make_combat_steps(bouts: tuple[Bout, ...]) -> tuple[Step, ...]:
    """Return a report step for each kind of combat: its number, its multipliers, and the chance to win one."""
    bouts_by_kind: dict[tuple[str, str], list[Bout]] = {}
    for bout in bouts:
        bouts_by_kind.setdefault((describe_men(bout.ours), describe_men(bout.theirs)), []).append(bout)
    return tuple(
        Step(
            text=f"{count_of(len(kind_bouts), 'combat')} of {ours} against {theirs}",
            cite=kind_bouts[0].cite if kind_bouts[0].cite != SINGLE else PAIRS,
            needed=f"× {number_text(kind_bouts[0].factors[0])} against × {number_text(kind_bouts[0].factors[1])}",
            chance=kind_bouts[0].distribution[1],
            hope="to win one",
        )
        for (ours, theirs), kind_bouts in bouts_by_kind.items()
    )


def _describe_bout(state: ChargeState, bout: Bout, number: int, dice: list[int]) -> str:
    """Describe a combat's dice: `3. Grenadiers 4 against Hussars 2 and 7: 5 to 3 × 2 = 6`."""
    sides = [
        " and ".join(f"{state.unit(man.unit).name} {man.number}" for man in men) for men in (bout.ours, bout.theirs)
    ]
    scores = [
        f"{die}{f' × {number_text(factor)} = {number_text(die * factor)}' if factor != 1 else ''}"
        for die, factor in zip(dice, bout.factors, strict=True)
    ]
    return f"{number}. {sides[0]} against {sides[1]}: {scores[0]} to {scores[1]}"


MELEE = MeleeType()
