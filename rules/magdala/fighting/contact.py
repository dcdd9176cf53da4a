"""Units that come into contact, and a round of melee before its dice (MM-4.1 to MM-4.4)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from rules.core.model import Cite, Mark
from rules.core.refusal import refuse
from rules.core.report import Modifier
from rules.core.tabletop import table
from rules.core.tabletop.table import Base, extent_along_bearing
from rules.core.wording import decimal_text
from rules.magdala import engagement
from rules.magdala.arms import BREASTWORKS, has_own_morale, is_british_infantry
from rules.magdala.firing.fire import FIRE, Fire
from rules.magdala.model import Attack, MagdalaPlay, MagdalaState, MagdalaUnit, Morale, Nation, Test, Troop
from rules.magdala.morale.flight import GONE_OR_GOING, remove_from_table
from rules.magdala.options import MagdalaOptions
from rules.magdala.placement import base, base_size
from rules.magdala.shared import FOR_TARGET, FOR_UNIT
from rules.magdala.stored_prompts import MOVES, add_prompt, forget_prompts
from rules.magdala.tables import TABLES, limit

from .bouts import CONTACT, OVERLAPS, Bout, count_combats, count_extra_combats

ROUTED = Cite(rule="MM-4.6", mark=Mark.RULING)
OVERLAPPED = {"overlapped one flank": 1, "overlapped both flanks": 2}
ROUNDS = {"second round": 2, "third round": 3, "fourth round": 4}
AGAINST_WORKS = "against fieldworks"
ADJUSTMENTS = "melee-adjustments"
"""Id of the chart of modifiers to melee dice (MM-4.3)."""
MELEE_WORDS = (engagement.FLANK, engagement.REAR, *OVERLAPPED, *ROUNDS, *FOR_UNIT, *FOR_TARGET, AGAINST_WORKS)


def make_contact(
    play: MagdalaPlay, attacker_id: str, target_id: str, moved: float, attack: Attack = Attack.FRONT
) -> None:
    """Bring the attacker into contact after a move of `moved` inches; the defender fires first (MM-4.1).

    A routed target is destroyed, unless the attacker fought this turn or did not move (ruling).
    """
    attacker, target = play.state.unit(attacker_id), play.state.unit(target_id)
    meets = f"{attacker:meet} {target.name}"
    if not engagement.can_attack(attacker, target):
        play.note(meets, Cite(rule="MM-4"), "no melee")
    elif target.morale is not Morale.ROUTED:
        at = Attack.FRONT if target.in_square else attack
        fire = _begin_melee(play, attacker_id, target_id, moved, at)
        play.note(f"{meets}{'' if at is Attack.FRONT else f' in the {at}'}", Cite(rule="MM-4.1"), fire)
    elif moved > table.CONTACT and not attacker.this_turn.fought:
        play.state = remove_from_table(play.state, target_id)
        play.note(f"{meets} in rout", ROUTED, f"{target:are} destroyed")
    else:
        play.note(f"{meets} in rout", ROUTED, f"{attacker:they do} not come up with {target:them}")


def _begin_melee(play: MagdalaPlay, attacker_id: str, target_id: str, moved: float, attack: Attack) -> str:
    """Put both units in melee, and return a sentence about the defender's fire.

    A formed defender that is able to fire then owes defensive fire.
    """
    target = play.state.unit(target_id)
    is_formed = has_own_morale(target) and target.morale not in GONE_OR_GOING
    is_free = is_formed and not engagement.is_engaged(play.state, target)
    play.state = forget_prompts(engagement.start_melee(play.state, attacker_id, target_id, attack), target_id, MOVES)
    half = moved < limit("approach that halves the defender's fire") - table.CONTACT
    state = add_prompt(play.state, target_id, Test.DEFENSIVE_FIRE, by=attacker_id, half_effect=half)
    fire = FIRE.plan_if_allowed(state, Fire(unit=target_id, target=attacker_id))
    if not is_free or fire is None:
        return f"{target:have} no fire to give"
    play.state = state
    why = f": the attackers came {decimal_text(moved)} inches" if half else ""
    return f"{target:fire} first, at {'half' if fire.half else 'full'} effect{why}"


def melee_adjustments(
    unit: MagdalaUnit, enemy: MagdalaUnit, options: MagdalaOptions, *, attacks: bool, first: bool
) -> Mapping[str, bool]:
    """Return for each row of the chart of melee modifiers whether it applies (MM-4.3, MM-7).

    `attacks`: whether the unit is the attacker; `first`: whether the round is the first.
    """
    british_horse = enemy.nation is Nation.BRITISH and enemy.troop is Troop.REGULAR_CAVALRY
    return {
        "British infantry": is_british_infantry(unit),
        "regular cavalry": unit.troop is Troop.REGULAR_CAVALRY,
        "Zulus or Mahdists": unit.nation in (Nation.ZULU, Nation.MAHDIST) and not british_horse,
        "fierce": unit.fierce,
        "lancers, first round": unit.lancer and first and options.lancer_bonus,
        "attacking field defences": attacks and enemy.works in BREASTWORKS,
    }


@dataclass(frozen=True)
class MeleePair:
    """An attacker and defender in melee, with the stated `circumstances` and number of figures in `contact`."""

    state: MagdalaState
    attacker: MagdalaUnit
    defender: MagdalaUnit
    circumstances: tuple[str, ...] = ()
    contact: int | None = None

    def make_bout(self, named_unit: str) -> Bout:
        """Return the next round, with the umpire's adjustments “for the unit” given to the unit `named_unit`.

        Raises Refused if `contact` is too large, or if an overlap is stated but neither side is outnumbered.
        """
        attacker, defender = self.attacker, self.defender
        stated_rounds = (number for word, number in ROUNDS.items() if word in self.circumstances)
        round_ = max(attacker.melee_round, *stated_rounds, 1)
        attack = engagement.find_stated_attack(self.circumstances) or attacker.melee_attack
        attack = Attack.FRONT if defender.in_square else attack
        most = self._max_in_contact(attack)
        too_many = (self.contact or 0) > most
        refuse(Cite(rule="MM-4.2"), (too_many, f"At most {most} figures can be in contact here. Count again."))
        touching = self.contact or self.figures_touching(attack)
        overlapped, flanks = self._overlapped_unit_and_flanks(attack)
        spare = (defender if overlapped == attacker.id else attacker).strength - touching
        pairs = ((attacker, defender), (defender, attacker))
        ours, theirs = (self._modifiers(unit, enemy, round_, named_unit) for unit, enemy in pairs)
        return Bout(
            fighters=(attacker.id, defender.id),
            strengths=(attacker.strength, defender.strength),
            round=round_,
            attack=attack,
            touching=touching,
            adds=(ours, theirs),
            overlapped=overlapped if flanks else "",
            extra=count_extra_combats(flanks, round_, spare),
            warnings=tuple(self._warnings(attack)),
        )

    def _modifiers(self, unit: MagdalaUnit, enemy: MagdalaUnit, round_: int, named_unit: str) -> tuple[Modifier, ...]:
        """Return the modifiers of each die that the unit throws against `enemy` (MM-4.3, MM-7)."""
        attacks = unit is self.attacker
        favour, against = FOR_UNIT if unit.id == named_unit else FOR_TARGET
        rows = {
            **melee_adjustments(unit, enemy, self.state.options, attacks=attacks, first=round_ == 1),
            "attacking field defences": attacks and (enemy.works in BREASTWORKS or AGAINST_WORKS in self.circumstances),
            "umpire in its favour": favour in self.circumstances,
            "umpire against it": against in self.circumstances,
        }
        return TABLES.row_modifiers(ADJUSTMENTS, rows)

    def _overlapped_unit_and_flanks(self, attack: Attack) -> tuple[str, int]:
        """Return the id of the overlapped unit (or empty) and the number of its overlapped flanks (MM-4.4)."""
        stated = max((flanks for word, flanks in OVERLAPPED.items() if word in self.circumstances), default=0)
        ours, theirs = count_figures_in_melee(self.state, self.attacker, self.defender)
        if ours == theirs:
            refuse(OVERLAPS, (stated, f"Neither is outnumbered, {ours} figures against {theirs}: none is overlapped."))
            return "", 0
        few, many = (self.attacker, self.defender) if ours < theirs else (self.defender, self.attacker)
        in_front = attack is Attack.FRONT and not stated
        return few.id, (count_overlapped_flanks(self.state, few, many) or 0) if in_front else stated

    def _warnings(self, attack: Attack) -> Iterable[str]:
        """Yield a warning if the figures in contact are assumed, or a flank or rear attack has no effect (MM-4.2)."""
        if self.contact is None and attack is not Attack.FRONT and None in (self.attacker.place, self.defender.place):
            front = f"as far as the front of {self.attacker.name} reaches"
            touches = f"the {attack} of {self.defender.name} is taken to touch {front}"
            yield f"Places are unknown, so {touches} ({CONTACT}). Say “contact” if fewer or more do."
        word = next((word for word in self.circumstances if word in (engagement.FLANK, engagement.REAR)), None)
        idle = self._reason_for_no_effect(attack) if word else ""
        if idle:
            yield f"“{word}” changes nothing here: {idle} ({CONTACT})."

    def _reason_for_no_effect(self, attack: Attack) -> str:
        """Return why a flank or rear attack has no effect, or an empty string."""
        if self.defender.in_square:
            return "a square has neither flank nor rear"
        if self._overlapped_unit_and_flanks(attack) != self._overlapped_unit_and_flanks(Attack.FRONT):
            return ""
        if self.contact is not None:
            return "the figures in contact are given" if self.contact <= self._max_in_contact(Attack.FRONT) else ""
        is_same = count_combats(self.figures_touching(attack)) == count_combats(self.figures_touching(Attack.FRONT))
        return "as many combats as in front" if is_same else ""

    def figures_touching(self, attack: Attack) -> int:
        """Return the number of figures in contact, by the inches along which the bases touch.

        If places are unknown, as many figures as possible are assumed to touch (ruling).
        """
        ours, theirs = base(self.attacker), base(self.defender)
        if ours is not None and theirs is not None:
            inches = max(engagement.contact_lengths(ours, theirs))
        elif attack is Attack.FRONT:
            return max(self._max_in_contact(attack), 1)
        else:
            width, depth = base_size(self.defender)
            inches = min(base_size(self.attacker)[0], width if attack is Attack.REAR else depth)
        sides = (self.attacker, self.defender)
        along = (min(round(unit.strength * inches / base_size(unit)[0]), unit.strength) for unit in sides)
        return max(self._count_figures_in_contact(attack, *along), 1)

    def _max_in_contact(self, attack: Attack) -> int:
        """Return the maximum number of figures in contact."""
        return self._count_figures_in_contact(attack, self.attacker.strength, self.defender.strength)

    def _count_figures_in_contact(self, attack: Attack, ours: int, theirs: int) -> int:
        """Return the smaller of both numbers, as the figures in contact (ruling).

        In flank or rear, the option flank_counts_defenders counts all of `theirs` instead.
        """
        all_defenders = attack is not Attack.FRONT and self.state.options.flank_counts_defenders
        return theirs if all_defenders else min(ours, theirs)


def count_figures_in_melee(state: MagdalaState, attacker: MagdalaUnit, defender: MagdalaUnit) -> tuple[int, int]:
    """Return the attacker's and the defender's figures, with all units linked to them by melees (ruling)."""
    ids = [attacker.id, defender.id]
    for unit_id in ids:  # the loop appends to the list
        ids.extend(enemy.id for enemy in engagement.enemies_in_contact(state, unit_id) if enemy.id not in ids)
    members = [state.unit(unit_id) for unit_id in ids]
    own_figures = sum(member.strength for member in members if member.side == attacker.side)
    return own_figures, sum(member.strength for member in members if member.side != attacker.side)


def count_overlapped_flanks(state: MagdalaState, few: MagdalaUnit, many: MagdalaUnit) -> int | None:
    """Return the number of flanks of `few` that `many` overlaps, 0 to 2; None without positions.

    Friends beside `few` cover its flanks.
    """
    own_base, enemy_base = base(few), base(many)
    if own_base is None or enemy_base is None:
        return None
    front = own_base.facing + 90
    left, right = extent_along_bearing(own_base, front)
    low, high = extent_along_bearing(enemy_base, front)
    covered = sorted(extent_along_bearing(friend, front) for friend in _friends_covering(state, few, own_base))
    beyond = ((low, min(high, left)), (max(low, right), high))
    return sum(_uncovered_inches(start, end, covered) >= state.options.overlap_by for start, end in beyond)


def _friends_covering(state: MagdalaState, unit: MagdalaUnit, own_base: Base) -> Iterable[Base]:
    """Yield the bases of formed friends near enough to cover a flank (ruling)."""
    for friend in state.units_of(unit.side):
        friend_base = base(friend)
        is_formed = has_own_morale(friend) and friend.morale not in GONE_OR_GOING and friend.id != unit.id
        if friend_base is not None and is_formed and table.is_within(own_base, friend_base, state.options.covers_flank):
            yield friend_base


def _uncovered_inches(low: float, high: float, covered: Iterable[tuple[float, float]]) -> float:
    """Return the inches of a front from `low` to `high` that no stretch in `covered` covers."""
    free, at = high - low, low
    for start, end in covered:
        begins, ends = max(start, at), min(end, high)
        if ends > begins:
            free, at = free - (ends - begins), ends
    return free
