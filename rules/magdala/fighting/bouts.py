"""Rounds of melee: single combats thrown with dice, and their exact odds (MM-4.2 to MM-4.5)."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import comb

from rules.core.dice import Throw
from rules.core.model import Cite, Mark
from rules.core.odds import Odds, combine_outcomes
from rules.core.report import CountedDie, Modifier, Step
from rules.core.throws import Distribution
from rules.core.wording import count_of, counted_dice_in_words, percent_in_words
from rules.magdala.model import Attack, MagdalaPlay, MagdalaState, MagdalaUnit
from rules.magdala.tables import SIDES, TABLES, limit, value

CONTACT = Cite(rule="MM-4.2", mark=Mark.RULING)
COMBATS = Cite(rule="MM-4.3")
OVERLAPS = Cite(rule="MM-4.4")
LEAST_LISTED_CHANCE = Fraction(1, 200)
"""Minimum chance of a number of losses that the odds list."""
Losses = tuple[int, int]
"""Figures lost by the attacker, and by the defender."""


@dataclass(frozen=True)
class Bout:
    """A round of melee between two units. In each pair of values, the attacker's comes first."""

    fighters: tuple[str, str]
    strengths: Losses
    round: int
    touching: int
    attack: Attack = Attack.FRONT
    adds: tuple[tuple[Modifier, ...], tuple[Modifier, ...]] = ((), ())
    overlapped: str = ""
    extra: int = 0
    warnings: tuple[str, ...] = ()
    """Warnings about assumed facts, and about stated circumstances without effect."""

    @property
    def modifier_difference(self) -> int:
        """Return the attacker's die modifiers minus the defender's."""
        ours, theirs = (sum((modifier.value for modifier in adds), Fraction(0)) for adds in self.adds)
        return int(ours - theirs)

    def enemy_of(self, unit: str) -> str:
        """Return the opposing unit's id."""
        return self.fighters[unit == self.fighters[0]]

    def units(self, state: MagdalaState) -> tuple[MagdalaUnit, MagdalaUnit]:
        """Return the attacker and the defender."""
        return state.unit(self.fighters[0]), state.unit(self.fighters[1])


def count_combats(touching: int) -> int:
    """Return the number of combats: a third of the figures in contact, to the nearest whole, at least 1 (MM-4.2)."""
    return max(1, round(Fraction(touching, limit("figures in contact to a combat"))))


def count_extra_combats(flanks: int, round_: int, spare: int) -> int:
    """Return the number of extra combats in a round for overlapped `flanks`, at most `spare` (MM-4.4)."""
    *printed, later = TABLES.charts["overlaps"].rows
    row, beyond = printed[min(round_, len(printed)) - 1], max(round_ - len(printed), 0)
    per_flank = value("overlaps", row.label) + beyond * value("overlaps", later.label)
    return min(flanks * per_flank, max(spare, 0))


def is_kill(ours: int, theirs: int) -> bool:
    """Whether the adjusted die `ours` kills: it exceeds `theirs` by at least 2 (MM-4.3)."""
    return ours - theirs >= limit("difference that kills")


def fight_round(play: MagdalaPlay, bout: Bout) -> Losses:
    """Throw the dice of every combat, report the results, and return the losses of attacker and defender."""
    units = bout.units(play.state)
    combats = count_combats(bout.touching)
    ours, theirs = (play.throw(combats, SIDES, f"{unit.name}: melee", side=unit.side) for unit in units)
    difference, won, lost, even = bout.modifier_difference, list[str](), list[str](), list[str]()
    pairs = tuple(zip(ours.dice, theirs.dice, strict=True))
    for a, d in pairs:
        outcome = won if is_kill(a + difference, d) else lost if is_kill(d, a + difference) else even
        outcome.append(f"{a}:{d}")
    plus_ours, plus_theirs = (int(sum(modifier.value for modifier in adds)) for adds in bout.adds)
    as_ours = [CountedDie(a + plus_ours, is_kill(a + difference, d)) for a, d in pairs]
    as_theirs = [CountedDie(d + plus_theirs, is_kill(d, a + difference)) for a, d in pairs]
    groups = ((f"{units[0]:kill}", won), (f"{units[1]:kill}", lost), ("indecisive", even))
    verdict = "; ".join(f"{label} {len(results)} ({', '.join(results)})" for label, results in groups if results)
    play.say(
        _contact_step(bout),
        _throw_step(units[0].name, COMBATS, ours, as_ours, bout.adds[0]),
        _throw_step(units[1].name, COMBATS, theirs, as_theirs, bout.adds[1]),
        Step(text="Combats, die against die before adjustment", cite=COMBATS, needed=verdict),
    )
    extra_losses = _fight_extra_combats(play, bout) if bout.extra else 0
    ours_too = extra_losses if bout.overlapped == units[0].id else 0
    return min(len(lost) + ours_too, units[0].strength), min(len(won) + extra_losses - ours_too, units[1].strength)


def _fight_extra_combats(play: MagdalaPlay, bout: Bout) -> int:
    """Throw the extra combats, in which the overlapped unit can only lose; return its losses (MM-4.4)."""
    few, many = (play.state.unit(unit) for unit in (bout.overlapped, bout.enemy_of(bout.overlapped)))
    own = play.throw(bout.extra, SIDES, f"{few.name}: overlapped", side=few.side)
    against = play.throw(bout.extra, SIDES, f"{many.name}: overlapping", side=many.side)
    rolls = [(o, a, is_kill(a, o)) for o, a in zip(own.dice, against.dice, strict=True)]
    deaths = [f"{o}:{a}" for o, a, kills_it in rolls if kills_it]
    play.say(
        _throw_step(f"{few:are} overlapped", OVERLAPS, own, [CountedDie(o, False) for o, _, _ in rolls]),
        _throw_step(many.name, OVERLAPS, against, [CountedDie(a, falls) for _, a, falls in rolls]),
    )
    details = f" ({', '.join(deaths)})" if deaths else ""
    play.note_calculation(f"{bout.extra} extra combats", OVERLAPS, f"{few:lose} {len(deaths)}{details}")
    return len(deaths)


def _throw_step(text: str, cite: Cite, throw: Throw, dice: list[CountedDie], adds: tuple[Modifier, ...] = ()) -> Step:
    """Return the report step of a throw, with the adjusted `dice`."""
    verdict = counted_dice_in_words(dice)
    return Step(text=text, cite=cite, throws=(throw,), modifiers=adds, counted=tuple(dice), verdict=verdict)


def _contact_step(bout: Bout) -> Step:
    attack_text = "" if bout.attack is Attack.FRONT else f", in the {bout.attack}"
    in_contact = f"{bout.touching} figures in contact, {count_of(count_combats(bout.touching), 'combat')}"
    return Step(text=f"Round {bout.round}{attack_text}", cite=CONTACT, needed=in_contact)


@cache
def count_combat_results(difference: int) -> tuple[int, int, int]:
    """Return how many of the 36 results of two dice kill the attacker, the defender, and neither."""
    pairs = [(a + difference, d) for a in range(1, SIDES + 1) for d in range(1, SIDES + 1)]
    attacker = sum(is_kill(d, a) for a, d in pairs)
    defender = sum(is_kill(a, d) for a, d in pairs)
    return attacker, defender, len(pairs) - attacker - defender


def count_loss_results(bout: Bout) -> Mapping[Losses, int]:
    """Return how many results of the dice lead to each pair of losses. No unit loses more than its strength."""
    count, extra, (us, them) = count_combats(bout.touching), bout.extra, bout.strengths
    fallen, killed, neither = count_combat_results(bout.modifier_difference)
    straight = count_combat_results(0)[0]
    overlaps = [comb(extra, n) * straight**n * (SIDES**2 - straight) ** (extra - n) for n in range(extra + 1)]
    is_ours = bout.overlapped == bout.fighters[0]
    counts: Counter[Losses] = Counter()
    for a in range(count + 1):
        for d in range(count - a + 1):
            weight = comb(count, a) * fallen**a * comb(count - a, d) * killed**d * neither ** (count - a - d)
            for overlap, times in enumerate(overlaps):
                counts[min(a + overlap * is_ours, us), min(d + overlap * (not is_ours), them)] += weight * times
    return counts


def odds_of_round(state: MagdalaState, bout: Bout, asker: str) -> Odds:
    """Return the chance that the unit `asker` wins the round, and the chances of kills minus losses."""
    units = bout.units(state)
    index = bout.fighters.index(asker)
    unit, enemy = units[index], units[1 - index]
    results = count_loss_results(bout)
    margins = _loss_distribution(results, lambda pair: pair[1 - index] - pair[index])
    ends = {1: (f"{unit:win} the round", True), 0: ("even: the melee goes on", None)}
    worst = (f"{enemy:win} the round", False)
    return Odds(
        question=f"{unit.name} against {enemy.name}, round {bout.round}",
        steps=(_contact_step(bout), *_loss_steps(units[0], bout, results, 0), *_loss_steps(units[1], bout, results, 1)),
        outcomes=combine_outcomes(reversed(margins), lambda margin: ends.get(min(margin, 1), worst)),
        distribution=margins,
        score_label="kills more than losses",
        pass_from=1,
        warnings=bout.warnings,
    )


def _loss_distribution(results: Mapping[Losses, int], number_of: Callable[[Losses], int]) -> Distribution:
    """Return the chance of each value of `number_of`, a function of both sides' losses."""
    throws, counts = sum(results.values()), Counter[int]()
    for pair, weight in results.items():
        counts[number_of(pair)] += weight
    return tuple((number, Fraction(weight, throws)) for number, weight in sorted(counts.items()) if weight)


def _loss_steps(unit: MagdalaUnit, bout: Bout, results: Mapping[Losses, int], index: int) -> tuple[Step, Step]:
    """Return a step with the unit's modifiers, and a step with the chances of its losses."""
    adds, figures = bout.adds[index], _loss_distribution(results, lambda pair: pair[index])
    text = ", ".join(f"{loss}: {percent_in_words(chance)}" for loss, chance in figures if chance >= LEAST_LISTED_CHANCE)
    return (
        Step(text=unit.name, cite=COMBATS, modifiers=adds, verdict="" if adds else "no adjustment"),
        Step(text=f"{unit:lose}", cite=COMBATS, verdict=text),
    )
