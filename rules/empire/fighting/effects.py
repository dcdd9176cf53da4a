"""Effects of fire and melee on units, applied when a simultaneous phase ends (BE-1, BE-2)."""

from collections import Counter

from rules.core import odds
from rules.core.chart import Row
from rules.core.dice import NoDice
from rules.core.model import Cite, Mark
from rules.core.play import Play
from rules.core.throws import Distribution
from rules.core.wording import count_of, join_with_and
from rules.empire.model import Blows, Contact, EmpireState, EmpireUnit, Shot
from rules.empire.options import EmpireOptions
from rules.empire.phases import Phase
from rules.empire.shared import change_turn_record
from rules.empire.tables import TABLES, cite, value

EFFECTS = "combat-effects"
SUSTAINED = Cite(rule="BE-2.3")
KILL_SHARING = Cite(rule="BE-5", mark=Mark.RULING)
"""Citation for sharing kills among losers, one each in turn, and for equal hits, which have no effect."""


def effect_row(hits: int) -> Row:
    """Return the combat chart's row for the number of hits, which must be at least 1 (BE-2)."""
    return TABLES.charts[EFFECTS].row_for_score(hits)


def apply_shots(play: Play[EmpireState]) -> None:
    """Apply all hits of the phase together, added up by target (BE-2, BE-2.4). Store the shots in `landed`."""
    shots = play.state.shots
    play.set(shots=(), bursts=(), landed=shots)
    for target in map(play.state.unit, dict.fromkeys(shot.target for shot in shots if shot.hits)):
        if not target.on_table:
            continue
        at_it = [shot for shot in shots if shot.target == target.id and shot.hits]
        row = effect_row(sum(shot.hits for shot in at_it))
        cited = Cite(rule="BE-2.4", mark=Mark.RULING) if len(at_it) > 1 else row.cite
        play.note(f"{target.name}: {_hits_by_firer_in_words(play.state, at_it)}", cited, _effect_in_words(row))
        kills, shaken, disorder = (value(EFFECTS, row.label, column) for column in ("kills", "shaken", "disorder"))
        inflict_effects(play, target.id, "under fire", kills=kills, shaken=bool(shaken), disordered=bool(disorder))


def describe_pending_hits(state: EmpireState, target: EmpireUnit, count: int) -> str:
    """Return when `count` new hits take effect, and the target's hits so far, in words (BE-1, BE-2.4)."""
    before = sum(shot.hits for shot in state.shots if shot.target == target.id)
    if not count:
        return f"Nothing is added to the {hits_in_words(before)} on {target.name}." if before else ""
    if not state.scenario:
        return f"{hits_in_words(count)} on a target that is steady: {_effect_in_words(effect_row(count))}."
    lands = "It lands" if count == 1 else "They land"
    total = f", {before + count} hits in all so far" if before else ""
    return f"{lands} when the phase ends{total}."


def hits_in_words(count: int) -> str:
    """Return a number of hits in words: `no hits`, `1 hit`, `3 hits`."""
    return count_of(count, "hit") if count else "no hits"


def shot_outcomes(state: EmpireState, unit: str, target: str, distribution: Distribution) -> tuple[odds.Outcome, ...]:
    """Return the target's possible fates with their chances. Hits already thrown in this phase count too."""
    ends = {hits: _fate_after_fire(state, unit, target, hits) for hits in (0, *dict(distribution))}
    return odds.combine_outcomes(distribution, lambda hits: (ends[hits], ends[hits] != ends[0]))


def _fate_after_fire(state: EmpireState, unit: str, target: str, hits: int) -> str:
    """Return in words what becomes of the target after further hits."""
    shots = (shot for shot in state.shots if shot.target == target)
    play = Play(state.model_copy(update={"shots": (*shots, Shot(unit=unit, target=target, hits=hits))}), NoDice())
    apply_shots(play)
    before, after = state.unit(target), play.state.unit(target)
    marks = (
        "disordered" if after.disordered and not before.disordered else "",
        "shaken" if after.shaken and not before.shaken else "",
        count_of(after.kills - before.kills, "kill") if after.kills > before.kills else "",
    )
    return "destroyed" if after.destroyed else " and ".join(filter(None, marks)) or "no effect"


def _hits_by_firer_in_words(state: EmpireState, shots: list[Shot]) -> str:
    """Return the hits by firer: `2 hits by Buffs`, `3 hits, 1 by Buffs and 2 by 24th`."""
    hits_by_firer: Counter[str] = Counter()
    for shot in shots:
        hits_by_firer[state.unit(shot.unit).name] += shot.hits
    total = count_of(hits_by_firer.total(), "hit")
    if len(hits_by_firer) == 1:
        return f"{total} by {next(iter(hits_by_firer))}"
    return f"{total}, {join_with_and(f'{hits} by {firer}' for firer, hits in hits_by_firer.items())}"


def _effect_in_words(row: Row) -> str:
    """Return in words the effect of a combat chart row on a target of fire: `shaken and 1 kill`."""
    cells = (TABLES.charts[EFFECTS].cell(row, name) for name in ("disorder", "shaken", "kills"))
    return join_with_and(cell.text for cell in cells if cell.value)


def apply_all_melee_results(play: Play[EmpireState]) -> None:
    """Apply the results of all melees. Count a round for each contact that fought, and end fanatic charges."""
    melees = play.state.blows
    for blows in melees:
        apply_melee_result(play, blows)
    fought = {unit_id for blows in melees for unit_id in (*blows.units, *blows.against)}
    contacts = tuple(
        contact.model_copy(update={"rounds": contact.rounds + 1})
        if {contact.attacker, contact.defender} <= fought
        else contact
        for contact in play.state.contacts
    )
    for unit in play.state.units.values():
        if unit.this_turn.fanatic:
            play.remember(unit.id, fanatic=False)
    play.set(blows=(), supports=(), contacts=contacts)


def apply_melee_result(play: Play[EmpireState], blows: Blows) -> None:
    """Apply a melee's result: the side with fewer hits takes kills, and may be shaken (BE-5)."""
    state, ahead = play.state, abs(blows.hits - blows.hits_against)
    text = f"{state.unit(blows.units[0]).name} against {state.unit(blows.against[0]).name}"
    losers = [state.unit(unit_id) for unit_id in _loser_ids(blows)]
    cited = effect_row(ahead).cite if ahead and len(losers) == 1 else KILL_SHARING
    play.note(text, cited, f"{melee_score_in_words(blows)}: {melee_result_in_words(state, blows)}")
    if not ahead:
        return
    limits = tuple(kills_left(unit, state.options) if unit.on_table else 0 for unit in losers)
    shares = share_kills(value(EFFECTS, effect_row(ahead).label, "kills of the loser"), limits)
    shaken = bool(value(EFFECTS, effect_row(ahead).label, "loser of a melee"))
    for loser, share in zip(losers, shares, strict=True):
        inflict_effects(play, loser.id, "beaten in melee", kills=share, shaken=shaken)


def melee_score_in_words(blows: Blows) -> str:
    """Return both sides' hits in words: `3 hits to 1`."""
    return f"{count_of(blows.hits, 'hit')} to {blows.hits_against}"


def melee_result_in_words(state: EmpireState, blows: Blows, separator: str = ",") -> str:
    """Return the losing side, primary first, and its losses: `Zulu impi and uVe beaten, 2 kills and shaken`."""
    ahead = abs(blows.hits - blows.hits_against)
    if not ahead:
        return "no effect"
    label = effect_row(ahead).label
    shaken = " and shaken" if value(EFFECTS, label, "loser of a melee") else ""
    loss = count_of(value(EFFECTS, label, "kills of the loser"), "kill")
    losers = join_with_and(state.unit(unit_id).name for unit_id in _loser_ids(blows))
    return f"{losers} beaten{separator} {loss}{shaken}"


def _loser_ids(blows: Blows) -> tuple[str, ...]:
    """Return the ids of the units whose side scored fewer hits."""
    return blows.against if blows.hits > blows.hits_against else blows.units


def share_kills(kills: int, limits: tuple[int, ...]) -> tuple[int, ...]:
    """Return each loser's share of `kills`, dealt out one by one in turn, up to each loser's limit."""
    turns = sorted((turn, at) for at, limit in enumerate(limits) for turn in range(limit))[:kills]
    return tuple(sum(at == taker for _, taker in turns) for at in range(len(limits)))


def kills_to_destroy(unit: EmpireUnit, options: EmpireOptions) -> int:
    """Return the number of kills that destroy the unit (BE-2.3, ruling)."""
    return options.kills_crews if unit.is_crew else options.kills_foot_mounted


def kills_left(unit: EmpireUnit, options: EmpireOptions) -> int:
    """Return the kills that the unit can still take before it is destroyed."""
    return max(kills_to_destroy(unit, options) - unit.kills, 0)


def destroy_unit(state: EmpireState, unit_id: str) -> EmpireState:
    """Return the state with the unit destroyed, and without its contacts, supports and bursts.

    Attached pieces stay attached until the turn ends (BE-7).
    """
    bursts = tuple(burst for burst in state.bursts if unit_id not in (burst.unit, burst.target))
    return make_unit_give_way(state, unit_id).changed(unit_id, destroyed=True).model_copy(update={"bursts": bursts})


def make_unit_give_way(state: EmpireState, unit_id: str) -> EmpireState:
    """Return the state with the unit out of contact; in 4A and 4B, its opponents record that it gave way (BE-6)."""
    if state.current_phase in (Phase.COMMANDERS, Phase.UNITS):
        state = state.with_unit(*(change_turn_record(foe, opponent_gave_way=True) for foe in state.opponents(unit_id)))
    return break_contacts(state, unit_id)


def inflict_effects(
    play: Play[EmpireState], unit_id: str, cause: str, *, kills: int = 0, shaken: bool = False, disordered: bool = False
) -> None:
    """Apply the effects to the unit; a shaken unit shaken again takes 1 more kill (BE-2.2).

    `cause` follows the unit's name in the report: "under fire", "beaten in melee".
    """
    unit, options = play.state.unit(unit_id), play.state.options
    if not unit.on_table:
        return
    text = f"{unit.name} {cause}"
    if disordered and unit.disordered:
        play.note(text, Cite(rule="BE-2.1"), "disordered already")
    if shaken and unit.shaken:
        extra = value("unit-losses", "shaken again")
        play.note(text, cite("unit-losses", "shaken again"), f"shaken already: {count_of(extra, 'kill')} more")
        kills += extra
    losses = min(kills, kills_left(unit, options))
    marks = {"disordered": unit.disordered or disordered, "shaken": unit.shaken or shaken, "kills": unit.kills + losses}
    play.change(unit_id, **marks)
    play.remember(unit_id, kills=unit.this_turn.kills + losses)
    if kills:
        so_far = f"{count_of(kills, 'kill')}, so far {unit.kills + losses} of {kills_to_destroy(unit, options)}"
        fatal = losses == kills_left(unit, options)
        play.note(text, SUSTAINED.as_ruling if fatal else SUSTAINED, f"{so_far}: destroyed" if fatal else so_far)
        play.state = destroy_unit(play.state, unit_id) if fatal else play.state


def add_contact(state: EmpireState, attacker_id: str, defender_id: str, *, flank: bool) -> EmpireState:
    """Return the state with the units in contact, and without their supports; unchanged if they were in contact."""
    pair = {attacker_id, defender_id}
    if any({contact.attacker, contact.defender} == pair for contact in state.contacts):
        return state
    new_contact = Contact(attacker=attacker_id, defender=defender_id, flank=flank)
    supports = tuple(support for support in state.supports if support.unit not in pair)
    return state.model_copy(update={"contacts": (*state.contacts, new_contact), "supports": supports})


def break_contacts(state: EmpireState, unit_id: str) -> EmpireState:
    """Return the state without the unit's contacts and supports, and without supports for units out of contact."""
    contacts = tuple(contact for contact in state.contacts if unit_id not in (contact.attacker, contact.defender))
    fighting = {unit for contact in contacts for unit in (contact.attacker, contact.defender)}
    supports = tuple(support for support in state.supports if support.unit != unit_id and support.friend in fighting)
    return state.model_copy(update={"contacts": contacts, "supports": supports})
