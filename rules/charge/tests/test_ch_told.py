"""Texts for players: lists, cards, buttons, odds, refusals and reports."""

from fractions import Fraction

import pytest

from rules.charge.aim import Aim, aims_at_target, describe_faults, lines_of_fire
from rules.charge.bouts import combat_arrows, pair_men, pair_units
from rules.charge.figures import unit_size
from rules.charge.model import Fight, Formation, UnitTurn
from rules.core.model import UMPIRE
from rules.core.ruleset import Refused
from rules.core.scene import Feature, StatusMarker
from rules.core.state import Side
from rules.core.tests.scripted import ScriptedDice

from .field import SYSTEM, act, blue, field, fire_over, ground, gun, horse, red, refusal, text_of, wall

WAITS = {"answers_at_once": False}
FIGHT = (Fight(units=("a", "b"), since=1),)
IN_CONTACT = field(
    red("A", (36, 20), figures=3), blue("B", (36, 18.5), **horse(2)), phase="mêlées", began=2, fights=FIGHT
)


def aim(**fields) -> Aim:
    return Aim(**{"number": 1, "start": (0, 0), "end": (0, -3), "inches": 3, "degrees": 0, **fields})


def test_ch_2_1_reasons_why_figures_cannot_fire() -> None:
    assert not aim(degrees=45).describe_fault(6)
    assert not aim(degrees=-45 - 1e-9).describe_fault(6)
    assert aim(degrees=46).describe_fault(6) == "No 1 has it 46° to the right, and may fire 45° either way"
    assert (
        aim(number=0, degrees=-90).describe_fault(36) == "the gun has it 90° to the left, and may fire 45° either way"
    )
    assert not aim(inches=6 + 1e-9).describe_fault(6)
    assert aim(inches=6.01).describe_fault(6) == 'No 1 has it 6.1" away, and reaches 6"'
    assert aim(hidden_by="a wood").describe_fault(6) == "No 1 cannot see it for a wood"
    assert (
        aim(near_friend="B", clearance=0.5).describe_fault(6) == 'B, 0.5" from the line of No 1, must be 1" clear of it'
    )


def test_ch_2_1_report_gives_an_example_for_each_cause() -> None:
    faulty_aims = [
        *(aim(number=n, degrees=50 + n) for n in (1, 2)),
        *(aim(number=n, inches=7) for n in (3, 4)),
        *(aim(number=n, hidden_by="a hill") for n in (5, 6)),
        *(aim(number=n, near_friend="B", clearance=0.25) for n in (7, 8)),
        aim(number=9, near_friend="C", clearance=0.5),
        aim(number=10),
    ]
    assert describe_faults(faulty_aims, 6).split("; ") == [
        "2 figures have it out of their arc: No 1 has it 51° to the right, and may fire 45° either way",
        '2 figures are too far off: No 3 has it 7" away, and reaches 6"',
        "2 figures cannot see it: No 5 cannot see it for a hill",
        '2 figures have B too near their line: B, 0.2" from the line of No 7, must be 1" clear of it',
        'C, 0.5" from the line of No 9, must be 1" clear of it',
    ]


def test_ch_2_1_unplaced_units_have_no_aims() -> None:
    near = red("A", (36, 20))
    for shooter, target in ((near, blue("B")), (red("A"), blue("B", (36, 15)))):
        assert not aims_at_target(field(shooter, target), shooter, target)
        assert not lines_of_fire(field(shooter, target), shooter, target).fans
    foe = blue("B", (36, 15))
    sight = lines_of_fire(field(near, foe), near, foe)
    (fan,) = sight.fans
    assert (fan.at, fan.facing, fan.degrees, fan.side) == ((36, 19.25), 0, 45, "reds")
    assert fan.reach == max(aim.inches for aim in aims_at_target(field(near, foe), near, foe)) + 1
    assert [arrow.kind for arrow in sight.arrows] == ["aim"] * 16


def test_ch_2_1_a_refusal_of_fire_has_the_picture_of_its_arc_and_lines() -> None:
    state = field(red("A", (36, 20), facing=90), blue("B", (36, 15)))
    with pytest.raises(Refused) as why:
        act(state, "fire", unit="a", target="b")
    assert why.value.sight is not None
    assert {arrow.kind for arrow in why.value.sight().arrows} == {"barred"}


def test_ch_2_report_of_fire_has_all_its_factors() -> None:
    state = field(red("A", (36, 20)), blue("B", (36, 15), **horse()), blue("Others", (5, 5), figures=40))
    fired, report = act(state, "fire", [6, 6], unit="a", target="b")
    text = text_of(report)
    assert '2.8" from the middle of the front to the nearest figure' in text
    assert "16 of 16 figures can fire 2 dice" in text
    assert "Each pip ½ a casualty" in text
    assert report.headline == "A fire at B: 6 casualties."
    assert report.outcome == "B: 6 so far; men fall when the turn's fire is over."
    after, report = fire_over(fired, [2])
    assert "B: 6 by the fire of A" in text_of(report)
    assert after.unit("b").figures == 2
    assert "B lose 6 men (No 2, 3, 4, 6, 7 and 8 of 8)" in text_of(report)


def test_ch_2_question_tells_the_casualties_of_one_volley() -> None:
    state, fire = SYSTEM.ad_hoc.set_up("fire", {"troop": "company", "range": 5, "figures": 4})
    _, report = act(state, "fire", [2], **fire.model_dump(exclude_defaults=True, by_alias=True))
    assert report.outcome == "Alone that costs 1 figure (½)."
    assert report.headline.endswith("½ casualty.")


def test_ch_2_odds_of_fire_count_whole_men_up_to_the_target_strength() -> None:
    state, fire = SYSTEM.ad_hoc.set_up("fire", {"troop": "company", "range": 5, "figures": 8})
    odds = SYSTEM.odds(state, fire)
    assert dict(odds.distribution) == {1: Fraction(1, 3), 2: Fraction(1, 3), 3: Fraction(1, 3)}
    assert odds.pass_from == 1
    two = field(red("A"), blue("B", figures=2))
    most = SYSTEM.odds(two, SYSTEM.parse("fire", {"unit": "a", "target": "b", "range": 2}))
    assert max(men for men, _ in most.distribution) == 2
    assert SYSTEM.label(two, SYSTEM.parse("fire", {"unit": "a", "target": "b", "range": 2})) == "A fire at B: 100%"


def test_ch_2_3_report_of_a_gun_tells_its_needed_score() -> None:
    state = field(red("Gun", **gun()), blue("B"))
    _, report = act(state, "fire", [1], unit="gun", target="b", range=15)
    assert report.headline == "Gun fires at B: no effect."
    assert "To hit hits on 3-6 a miss" in text_of(report)
    assert report.outcome == ""
    odds = SYSTEM.odds(state, SYSTEM.parse("fire", {"unit": "gun", "target": "b", "range": 15}))
    assert next(outcome.chance for outcome in odds.outcomes if outcome.good is False) == Fraction(1, 3)


def test_lists_and_cards() -> None:
    units = {
        "a": red("A", (36, 20), figures=14, at_start=16, behind_cover=True, this_turn=UnitTurn(has_fired=True)),
        "g": red("G", (20, 20), **gun(4, gun_destroyed=True)),
        "b": blue("B", (36, 18.5)),
        "c": blue("C", (5, 5), figures=0, at_start=8),
    }
    state = field(*units.values(), fights=FIGHT)
    cards = {card.id: card for card in SYSTEM.roster(state, UMPIRE)}
    assert cards["a"].line == "14 figures, 2 lost · two ranks · behind cover · fired"
    assert cards["g"].line == "4 crew · gun destroyed"
    assert cards["c"].line == "gone"
    assert dict(cards["a"].details)["In contact with"] == "B"
    assert "In contact with" not in dict(cards["g"].details)
    assert SYSTEM.strengths(state, UMPIRE) == {"reds": "18 of 20 soldiers", "blues": "16 of 24 soldiers"}
    assert [said.text for said in SYSTEM.unit_standings(state, ["a", "c"])] == [f"A: {cards['a'].line}.", "C: gone."]


def test_pictures_show_what_units_have_done() -> None:
    state = field(
        red("A", (36, 20), this_turn=UnitTurn(has_fired=True)), blue("B", (36, 18.5)), red("C", (9, 9)), fights=FIGHT
    )
    bases = {base.unit: base for base in SYSTEM.scene(state, UMPIRE).bases}
    assert set(bases["a"].markers) == {StatusMarker.MELEE, StatusMarker.FIRED}
    assert set(bases["b"].markers) == {StatusMarker.MELEE}
    assert not bases["c"].markers
    assert bases["a"].strength == "16"
    assert len(bases["a"].figures) == 16


def test_pictures_show_the_lines_of_those_who_fired_since() -> None:
    before = field(red("A", (36, 20)), red("D", (44, 20)), blue("B", (36, 15)), blue("C", (44, 15)))
    first, _ = act(before, "fire", [1, 1], unit="a", target="b")
    second, _ = act(first, "fire", [1, 1], unit="d", target="c")
    assert [fan.at[0] for fan in SYSTEM.scene(first, UMPIRE, before).fans] == [36]
    assert [fan.at[0] for fan in SYSTEM.scene(second, UMPIRE, first).fans] == [44]
    assert len(SYSTEM.scene(second, UMPIRE, before).fans) == 2
    assert not SYSTEM.scene(second, UMPIRE, second).fans


def test_ch_4_report_has_the_dice_of_each_combat() -> None:
    after, report = act(IN_CONTACT, "melee", [3, 1, 2, 6], unit="a", target="b")
    text = text_of(report)
    # Three of foot against two of horse: the first two of foot fight one rider, and the doublings cancel.
    assert "1 combat of two infantrymen against a cavalryman × 1 against × 1" in text
    assert "1 combat of an infantryman against a cavalryman × 1 against × 2" in text
    assert "1. A 1 and A 3 against B 2: 3 to 2 both live" in text
    assert "2. A 2 against B 1: 1 to 6 × 2 = 12 A 2 falls" in text
    assert "A lose 1 man" in text
    assert after.unit("a").figures == 2
    cites = {step.text[:2]: str(step.cite) for step in report.steps}
    assert cites["1."] == "CH-4.4, ruling"
    assert cites["2."] == "CH-4.3"


def test_ch_4_the_odds_of_a_melee() -> None:
    odds = SYSTEM.odds(IN_CONTACT, SYSTEM.parse("melee", {"unit": "a", "target": "b"}))
    assert sum(outcome.chance for outcome in odds.outcomes) == 1
    assert [outcome.label for outcome in odds.outcomes] == ["A lose more", "as many on both sides", "B lose more"]
    assert [outcome.good for outcome in odds.outcomes] == [False, None, True]
    assert (odds.question, odds.pass_from) == ("A against B: who loses fewer men?", 1)


def test_suggested_moves() -> None:
    state = field(red("A", (36, 40)), blue("B", (36, 2)), phase="moves")
    words = {(move.to, *move.circumstances) for move in SYSTEM.legal_actions(state, "reds", "move")}
    assert ("towards b",) in words
    assert {(None, form.value) for form in Formation if form is not Formation.TWO_RANKS} <= words


def test_the_size_of_a_unit() -> None:
    assert unit_size(red("A")) == (6, 1.5)
    assert unit_size(red("A", figures=15)) == (6, 1.5)
    assert unit_size(red("A", figures=9, formation=Formation.COLUMN)) == (3, 2.25)
    assert unit_size(red("A", formation=Formation.LINE, **horse(3))) == (3, 1.5)
    assert unit_size(red("A", formation=Formation.SINGLE_FILE, **horse(3))) == (1, 4.5)
    assert unit_size(red("A", **gun())) == (3, 3)
    assert min(unit_size(red("A", figures=0, formation=Formation.COLUMN))) > 0


def test_ch_1_2_report_tells_hindrances_and_stops_of_a_move() -> None:
    slow = (ground(Feature.WOOD, 20, 38, 60, 39, "Copse"), wall((20, 33), (60, 33)))
    state = field(red("A", (36, 40)), blue("B", (36, 2)), phase="moves", terrain=slow)
    _, report = act(state, "move", unit="a", to="forward 2")
    assert "Copse: every inch counts two" in text_of(report)
    assert "wall" not in text_of(report), "it is not so far"
    bar = (ground(Feature.BUILDING, 20, 30, 60, 36, "Farm"),)
    state = field(red("A", (36, 40)), blue("B", (36, 2)), phase="moves", terrain=bar)
    _, report = act(state, "move", unit="a", to="towards b")
    assert "every inch" not in text_of(report)
    assert report.warnings == ('Halted after 3.2": Farm is in the way.',)
    assert report.outcome.startswith("They stand at")
    (step,) = [step for step in report.steps if step.text.startswith("Infantry")]
    assert step.text == "Infantry: 6 inches"
    state = field(red("A", (36, 40)), blue("B", (36, 2)), phase="moves", terrain=(wall((20, 37), (60, 37)),))
    _, report = act(state, "move", unit="a", to="towards b")
    assert "A wall: half of the move to cross" in text_of(report)


def test_ch_3_4_a_destroyed_gun_neither_moves_nor_fires_and_its_crew_fights_on() -> None:
    destroyed = red("Gun", (36, 20), **gun(5, gun_destroyed=True))
    assert "is destroyed" in refusal(
        field(destroyed, blue("B", (36, 10)), phase="moves"), "move", unit="gun", to="back 3"
    )
    assert "is destroyed" in refusal(field(destroyed, blue("B", (36, 10))), "fire", unit="gun", target="b")
    intact = red("Gun", (36, 20), **gun(5))
    act(field(intact, blue("B", (36, 10)), phase="moves"), "move", unit="gun", to="back 3")


def test_ch_2_infantry_is_not_told_as_a_gun() -> None:
    _, report = act(field(red("A", (36, 20)), blue("B", (36, 15))), "fire", [1, 1], unit="a", target="b")
    assert "gun" not in text_of(report)


def test_ch_4_5_unit_with_just_enough_room_gets_no_warning() -> None:
    fight = (Fight(units=("a", "b"), since=1),)
    fields = {"phase": "mêlées", "began": 2, "fights": fight}
    units = red("A", (36, 20), figures=2), blue("B", (36, 19.25), figures=2)
    _, report = act(field(*units, **fields), "melee", [3, 3, 3, 3], unit="a", target="b")
    assert 'A and B fall back 3"' in text_of(report)
    assert "no room" not in text_of(report)
    shut = (ground(Feature.BUILDING, 30, 20.4, 42, 30),)
    after, report = act(field(*units, terrain=shut, **fields), "melee", [3, 3, 3, 3], unit="a", target="b")
    assert "A have no room to fall back" in text_of(report)
    assert after.unit("a").place == units[0].place


def test_ch_4_6_combats_of_the_plain_kind_cite_the_rule_of_pairs() -> None:
    fight = (Fight(units=("a", "b"), since=1),)
    state = field(red("A", figures=2), blue("B", figures=2), phase="mêlées", began=2, fights=fight)
    _, report = act(state, "melee", [6, 1, 1, 6], unit="a", target="b")
    assert str(report.steps[0].cite) == "CH-4.6, ruling"
    assert report.headline == "A against B: A lose 1 man (1 left) and B lose 1 man (1 left)."


def test_ch_4_6_pairing_follows_the_direction_of_the_line() -> None:
    """Three units fight one unit that is far to the right of the place where pairing by numbers would put it."""
    reds = [red(name, (x, 30), figures=1) for name, x in (("A", 60), ("B", 62), ("C", 64))]
    pairs = pair_units(reds, [blue("E", (62, 29), figures=3)])
    assert [bout.ours[0].unit for bout in pairs] == ["c", "b", "a"]


@pytest.mark.parametrize(("facing_", "enemy", "right"), [(270, 29, "north"), (90, 31, "south")])
def test_ch_4_6_the_right_of_a_line_is_by_the_way_to_its_enemy(facing_: int, enemy: int, right: str) -> None:
    reds = [red(name, (30, y), facing_, figures=1) for name, y in (("South", 22), ("Middle", 21), ("North", 20))]
    pairs = pair_units(reds, [blue("E", (enemy, 21), figures=3)])
    assert pairs[0].ours[0].unit == right
    assert pairs[1].ours[0].unit == "middle"


def test_ch_4_6_arrows_lead_from_the_first_side_of_a_fight_to_the_other() -> None:
    arrows = [*combat_arrows(IN_CONTACT, FIGHT[0])]
    assert [(arrow.kind, arrow.side) for arrow in arrows] == [("duel", "reds")] * 3
    assert all(arrow.start[1] > arrow.end[1] for arrow in arrows), "A stand south of B"


def test_ch_1_3_three_sides_take_turns_in_their_order() -> None:
    third = Side(id="greens", name="Greens", index=2)
    state = field(red("A", (10, 40)), blue("B", (10, 4)), red("C", (60, 4), side="greens"), phase="moves")
    state = state.model_copy(update={"sides": (*state.sides, third)})
    movers = []
    for _ in range(4):
        state, _ = act(state, "turn_next")
        movers.append((state.turn, state.mover))
    assert movers == [(1, "blues"), (1, "greens"), (2, "reds"), (2, "blues")]


def test_ch_1_2_refusal_cites_the_hindrance_on_the_way() -> None:
    wood = (ground(Feature.WOOD, 20, 10, 60, 45, "Wood"),)
    state = field(red("A", (36, 40)), blue("B", (36, 2)), phase="moves", terrain=wood)
    why = refusal(state, "move", unit="a", to="forward 4")
    assert "It is slowed by Wood. (CH-1.2)" in why
    assert "(CH-1.1)" in refusal(state.model_copy(update={"terrain": ()}), "move", unit="a", to="forward 7")


def test_ch_2_7_option_makes_an_answer_wait() -> None:
    fired = red("A", (36, 20)), blue("B", (36, 15))
    state = field(*fired, answers_at_once=False)
    state, _ = act(state, "fire", [6, 6], unit="a", target="b")
    state, report = act(state, "turn_next")
    assert state.phase == "answering fire"
    assert [prompt.text for prompt in report.prompts] == ["B may answer A"]
    assert not [*SYSTEM.actions_without_choice(state)]
    assert not [*SYSTEM.actions_without_choice(field(*fired))], "nobody fires his own fire without being told"


def test_player_may_claim_facts_unknown_to_the_table() -> None:
    arguments = {"unit": "a", "target": "b", "range": 2, "with": ("target behind cover",)}
    assert SYSTEM.side_of(field(red("A"), blue("B")), SYSTEM.parse("fire", arguments)) == "reds"
    assert SYSTEM.side_of(field(red("A", (36, 20)), blue("B")), SYSTEM.parse("fire", arguments)) == "umpire"


@pytest.mark.parametrize(
    ("unit", "dice", "rule"),
    [
        (red("A", **gun()), [6, 6], "CH-2.4"),
        (red("A", figures=8), [6], "CH-2.5"),
        (red("A", figures=12), [6, 6], "CH-2.6"),
    ],
    ids=["gun", "infantry", "with an odd group"],
)
def test_ch_2_a_throw_for_casualties_cites_its_rule(unit, dice: list[int], rule: str) -> None:
    fire = SYSTEM.parse("fire", {"unit": "a", "target": "b", "range": 7 if unit.arm == "gun" else 2})
    _, report = SYSTEM.act(field(unit, blue("B")), fire, ScriptedDice(dice))
    assert str(next(step.cite for step in report.steps if step.verdict.endswith("casualties"))) == rule


def test_ch_4_6_empty_side_has_no_pairs() -> None:
    assert pair_men((), ()) == ()


def test_a_unit_may_form_on_its_way() -> None:
    state = field(red("A", (36, 40)), blue("B", (36, 2)), phase="moves")
    formed = {(move.to, *move.circumstances) for move in SYSTEM.legal_actions(state, "reds", "move") if move.to}
    assert ("forward 3", "column") in formed


@pytest.mark.parametrize(
    ("die", "text"),
    [(1, "in order from the right"), (2, "every second man"), (3, "every third man"), (5, "every 5th man")],
)
def test_ch_3_3_report_tells_the_casualties_of_the_die(die: int, text: str) -> None:
    fired, _ = act(field(red("A", (36, 20)), blue("B", (36, 15))), "fire", [1, 1], unit="a", target="b")
    after, report = fire_over(fired.model_copy(update={"options": fired.options.model_copy(update=WAITS)}), [die])
    assert text in text_of(report)
    assert not after.unit("b").hits, "what has fallen falls once"


def test_alt_text_tells_strength_and_contact() -> None:
    state = field(red("A", (36, 20)), blue("B", (36, 18.5)), red("C", (9, 9), figures=7), fights=FIGHT)
    alt = SYSTEM.scene(state, UMPIRE).alt
    assert "16 in contact" in alt
    assert "7 in contact" not in alt
    assert "C A1 7" in alt
