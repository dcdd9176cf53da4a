"""Turn, orders, moves and battles of any unit, battle dice, hits and flags (GW-1)."""

import icepool
import pytest

from rules.core.scene import DieFace
from rules.great_war.battle_dice import Volley
from rules.great_war.ground import terrain_named
from rules.great_war.model import Arm
from rules.great_war.moving import ways
from rules.great_war.options import GreatWarOptions
from rules.great_war.reckoning import Target, Thrower, dice, volley
from rules.great_war.tables import dice_at, faces, spec

from .field import (
    BRITISH,
    BURST,
    DEADLY,
    FLAG,
    GERMANS,
    HQ,
    OPEN,
    SOLDIER,
    SYSTEM,
    at,
    buttons,
    do,
    field,
    h,
    may,
    on,
    refusal,
    told,
    unit,
)

OPTIONS = GreatWarOptions()


def test_gw_1_1_a_map_has_12_by_11_hexes() -> None:
    for scenario in SYSTEM.scenarios:
        hexes = SYSTEM.scene(SYSTEM.setup(scenario, {}, None), BRITISH).board.cells
        assert len(hexes) == 12 * 11


def test_gw_1_1_orders_moves_battles_then_the_other_side() -> None:
    state, seen = field(OPEN, "british infantry 0203", "germans infantry 0303", phase="orders"), []
    for _ in range(7):
        seen.append((state.active, state.phase))
        for each in state.of_side(state.active) if state.phase == "orders" else ():
            state, _ = do(state, "order", unit=each.id)
        state, _ = do(state, "turn_next")
    assert seen[:4] == [(BRITISH, "orders"), (BRITISH, "moves"), (BRITISH, "battles"), (GERMANS, "orders")]
    assert seen[6] == (BRITISH, "orders")


def test_gw_1_1_only_so_many_are_ordered() -> None:
    state = field(OPEN, "british infantry 0203", "british mg 0204", phase="orders", orders=1)
    state, _ = do(state, "order", unit="infantry")
    assert "1 unit may be ordered in a turn" in refusal(state, "order", unit="mg")
    assert "ordered already" in refusal(state, "order", unit="infantry")


@pytest.mark.parametrize("kind", ["move", "melee"])
def test_gw_1_1_only_ordered_units_act(kind: str) -> None:
    phase = "moves" if kind == "move" else "battles"
    state = field(OPEN, "british infantry 0203", "germans infantry 0303", phase=phase)
    args = {"to": "0204"} if kind == "move" else {"target": "infantry-2"}
    assert "not ordered this turn" in (why := refusal(state, kind, unit="infantry", **args))
    assert "Go on with /turn next." in why
    ready = state.with_unit(unit("british mg 0204 ordered"))
    assert "Choose one that is: Mg." in refusal(ready, kind, unit="infantry", **args)


@pytest.mark.parametrize(
    ("kind", "phase", "what_to_do"),
    [
        ("order", "moves", "is over until the next turn of the British. Move ordered units now, or go on with /turn"),
        ("move", "battles", "is over until the next turn of the British. Battle with ordered units now, or go on"),
        ("melee", "moves", "is done in the phase of battles. Go on to it with /turn next."),
    ],
)
def test_gw_1_1_in_its_own_phase_alone(kind: str, phase: str, what_to_do: str) -> None:
    state = field(OPEN, "british infantry 0203 ordered", "germans infantry 0303", phase=phase)
    args = {"order": {}, "move": {"to": "0204"}, "melee": {"target": "infantry-2"}}[kind]
    assert f"phase of {phase}" in (why := refusal(state, kind, unit="infantry", **args))
    assert what_to_do in why
    theirs = refusal(state.model_copy(update={"active": GERMANS}), kind, unit="infantry", **args)
    assert "Wait until the Germans have ended theirs." in theirs


def test_gw_1_1_who_acted_is_fresh_in_the_next_turn_on_both_sides() -> None:
    state = field(OPEN, "british infantry 0203 ordered has_battled entered", "germans infantry 0503 ordered entered")
    after, _ = do(state, "turn_next")
    assert all(not each.this_turn.is_ordered and each.this_turn.entered is None for each in after.units.values())


def test_gw_1_2_a_unit_battles_and_moves_once() -> None:
    state = field(OPEN, "british infantry 0203 ordered", "germans infantry 0303")
    after, _ = do(state, "melee", (HQ, HQ, HQ), unit="infantry", target="infantry-2")
    assert "battled this turn" in refusal(after, "melee", unit="infantry", target="infantry-2")
    state = field(OPEN, "british infantry 0203 ordered", phase="moves")
    after, _ = do(state, "move", unit="infantry", to="0204")
    assert "moved this turn" in refusal(after, "move", unit="infantry", to="0203")


def test_gw_1_2_losses_take_no_dice() -> None:
    state = field(OPEN, "british infantry 0203 ordered figures:1", "germans infantry 0303")
    do(state, "melee", (HQ, HQ, HQ), unit="infantry", target="infantry-2")


@pytest.mark.parametrize(
    ("arm", "moved", "battles"),
    [("infantry", 1, True), ("infantry", 2, False), ("mg", 1, False), ("mortar", 1, False), ("gun", 1, False)]
    + [(tank, 2, True) for tank in ("male", "female", "a7v")],
)
def test_gw_1_2_moved_so_far_and_battle_or_not(arm: str, moved: int, battles: bool) -> None:
    state = field(OPEN, f"british {arm} 0203 ordered moved:{moved}", "germans infantry 0303")
    target = "infantry-2" if arm == "infantry" else "infantry"
    assert may(state, "melee", unit=arm, target=target) is battles
    if not battles:
        assert f"moved {moved} hex" in refusal(state, "melee", unit=arm, target=target)


@pytest.mark.parametrize(
    ("arm", "most"),
    [("infantry", 2), ("mg", 1), ("mortar", 1), ("gun", 1), ("male", 2), ("female", 2), ("a7v", 2)],
)
def test_gw_1_2_and_gw_2_how_far_each_moves(arm: str, most: int) -> None:
    state = field(OPEN, f"british {arm} 0403 ordered", phase="moves")
    reach = ways(state, state.unit(arm))
    assert max(map(h("0403").distance, reach)) == most
    assert len(reach) == {1: 6, 2: 18}[most]
    assert f"out of reach of {arm.title()}" in refusal(state, "move", unit=arm, to="0803")


def test_gw_1_2_never_onto_or_through_another() -> None:
    ring = [f"germans infantry {hex_.label}" for hex_ in h("0403").neighbours()[:5]]
    state = field(OPEN, "british male 0403 ordered", *ring, phase="moves")
    free = h("0403").neighbours()[5]
    for end, way in ways(state, state.unit("male")).items():
        assert way[0] == free, end
    taken = h("0403").neighbours()[0].label
    assert "out of reach" in refusal(state, "move", unit="male", to=taken)
    assert f"from 0403 to {taken}" in refusal(state, "move", unit="male", to=f"{taken} 0204")


def test_gw_1_2_a_way_named_hex_by_hex() -> None:
    state = field(OPEN, "british infantry 0403 ordered", phase="moves")
    after, _ = do(state, "move", unit="infantry", to="0404 0405")
    assert at(after, "infantry") == "0405"
    assert "2 hexes at most" in refusal(state, "move", unit="infantry", to="0404 0405 0406")
    assert "already in 0403" in refusal(state, "move", unit="infantry", to="0403")
    assert "from 0403 to 0405" in refusal(state, "move", unit="infantry", to="0405 0404")


def test_gw_1_2_no_dice_left_no_battle() -> None:
    state = field(OPEN, "british infantry 0203 ordered", "germans mg 0503", wire="0203")
    assert "no dice left" in refusal(state, "fire", unit="infantry", target="mg")


def test_gw_1_3_six_faces() -> None:
    assert faces() == (
        DieFace.SOLDIER,
        DieFace.SOLDIER,
        DieFace.BURST,
        DieFace.FLAG,
        DieFace.HQ,
        DieFace.DEADLY,
    )


def test_gw_1_4_hits_and_tokens() -> None:
    state = field(OPEN, "british infantry 0203 ordered", "germans infantry 0303")
    after, report = do(state, "melee", (SOLDIER, DEADLY, HQ), unit="infantry", target="infantry-2")
    assert after.unit("infantry-2").figures == 2
    assert after.tokens == {BRITISH: 1}
    assert "1 HQ token to the British" in told(report)


def test_gw_1_4_no_tokens_from_bog_and_recovery_dice() -> None:
    state = field(OPEN, "british male 0203 ordered", phase="moves")
    assert not do(state, "move", (HQ,), unit="male", to="0402")[0].tokens
    state = field(OPEN, "british male 0203 ordered bogged", phase="orders")
    assert not do(state, "recover", (HQ,), unit="male")[0].tokens


@pytest.mark.parametrize(
    ("side", "here", "back"),
    [
        ("british", "0403", {"0302", "0303"}),
        ("british", "0303", {"0203", "0204"}),
        ("germans", "0403", {"0502", "0503"}),
        ("germans", "0303", {"0403", "0404"}),
    ],
)
def test_gw_1_4_either_hex_nearer_the_owners_edge(side: str, here: str, back: set[str]) -> None:
    other = "germans" if side == "british" else "british"
    state = field(OPEN, f"{side} infantry {here}", f"{other} mg 0006", flags=flags("infantry", "mg", 1))
    assert {action.to for action in SYSTEM.legal(state, side, "retreat")} == back
    after, _ = do(state, "retreat", unit="infantry", to=min(back))
    assert at(after, "infantry") == min(back)
    assert after.unit("infantry").figures == 4


def flags(of: str, by: str, number: int, may_ignore: int = 0, may_gain: bool = False) -> dict:
    """Flags to be answered."""
    return {"unit": of, "by": by, "flags": number, "may_ignore": may_ignore, "may_gain": may_gain}


def waiting(*lines: str, ground: str = OPEN, **said):
    """A field where flags wait for an answer."""
    return field(ground, *lines, flags=flags(**said))


def test_gw_1_4_never_fewer_hexes_than_a_free_way_allows() -> None:
    state = waiting("germans infantry 0403", "british mg 0303", of="infantry", by="mg", number=2)
    ends = {action.to for action in SYSTEM.legal(state, GERMANS, "retreat")}
    assert ends == {"0602", "0603", "0604"}


def test_gw_1_4_hexes_not_made_cost_a_figure_each() -> None:
    lines = ("germans infantry 0703", "british mg 0603")
    state = waiting(*lines, of="infantry", by="mg", number=3)
    after, _ = do(state, "retreat", unit="infantry", to="0803")
    assert (at(after, "infantry"), after.unit("infantry").figures) == ("0803", 2)


def test_gw_1_4_a_tank_with_no_way_back_loses_its_token() -> None:
    state = waiting("germans male 0803", "british gun 0603", of="male", by="gun", number=1)
    after, _ = do(state, "retreat", unit="male", to="0803")
    assert at(after, "male") == "gone"
    assert after.medals == {BRITISH: 2}


def test_gw_1_4_on_a_retreat_wire_and_ground_do_not_stop() -> None:
    ground = on("f", "0502", "0503")
    state = waiting("germans infantry 0403", "british mg 0303", ground=ground, of="infantry", by="mg", number=2)
    state = state.model_copy(update={"wire": frozenset(map(h, ("0602", "0603", "0604")))})
    after, _ = do(state, "retreat", unit="infantry", to="0603")
    assert at(after, "infantry") == "0603"
    assert len(after.wire) == 3


def test_gw_1_4_a_dead_end_is_chosen_at_the_price_of_a_figure() -> None:
    lines = ("germans infantry 0403", "british mg 0303", "germans mortar 0602", "germans gun 0603")
    state = waiting(*lines, of="infantry", by="mg", number=2)
    said = buttons(state, "flags")
    assert said == ["Infantry: retreat to 0604", "Infantry: retreat to 0502, lose 1 figure"]


def test_gw_1_4_only_the_owner_answers_and_all_else_waits() -> None:
    state = waiting("germans infantry 0403", "british mg 0303 ordered", of="infantry", by="mg", number=1, may_ignore=1)
    assert not [*SYSTEM.legal(state, BRITISH)]
    assert {action.kind for action in SYSTEM.legal(state, GERMANS)} == {"retreat"}
    assert SYSTEM.side_of(state, SYSTEM.parse("retreat", {"unit": "infantry", "to": "0403"})) == GERMANS
    assert "First the Germans answer" in refusal(state, "melee", unit="mg", target="infantry")
    assert "cannot go on yet" in refusal(state, "turn_next")
    assert buttons(state, "flags")[0] == "Infantry: stand fast"
    assert "no answer to the flags" in refusal(state, "retreat", unit="infantry", to="0403")
    after, _ = do(state, "retreat", unit="infantry", to="0403", ignores=1)
    assert (at(after, "infantry"), after.flags) == ("0403", None)


def test_gw_1_4_stuck_tanks_are_not_made_to_retreat() -> None:
    for stuck in ("bogged", "ditched"):
        state = field(OPEN, "british infantry 0203 ordered", f"germans a7v 0303 {stuck}")
        after, report = do(state, "melee", (FLAG, FLAG, FLAG), unit="infantry", target="a7v")
        assert after.flags is None
        assert "flags do not move it" in told(report)


RANGES = {
    "infantry": (3, 2, 1, 1),
    "mg": (3, 3, 3, 1, 1),
    "mortar": (2, 2, 2, 2, 2),
    "gun": (3, 3, 3, 2, 2, 1),
    "male": (4, 3, 2, 1),
    "female": (4, 3, 2, 1),
    "a7v": (4, 3, 2, 1),
}


@pytest.mark.parametrize("word", RANGES)
def test_gw_1_5_and_gw_2_dice_by_range(word: str) -> None:
    arm = unit(f"british {word} 0000").arm
    assert tuple(dice_at(arm, hexes) for hexes in range(1, 8)) == RANGES[word] + (0,) * (7 - len(RANGES[word]))
    for hexes in range(1, 8):
        state = field(OPEN, f"british {word} 0003 ordered", f"germans mortar {hexes:02}03")
        target = "mortar-2" if word == "mortar" else "mortar"
        distance = h("0003").distance(h(f"{hexes:02}03"))
        assert distance == hexes
        number = dice_at(arm, hexes)
        if not number:
            assert f"reach {len(RANGES[word])}" in refusal(state, "fire", unit=word, target=target).replace(
                "reaches", "reach"
            )
        else:
            do(state, "melee" if hexes == 1 else "fire", (HQ,) * number, unit=word, target=target)


def test_gw_1_5_strengths_and_medals() -> None:
    assert [spec(arm, "figures") for arm in Arm] == [4, 3, 2, 2, 1, 1, 2]
    assert [spec(arm, "medals") for arm in Arm] == [1, 1, 1, 1, 2, 2, 2]
    state = field(OPEN, "british infantry 0203 ordered", "germans mg 0303 figures:1", "germans gun 0803")
    after, report = do(state, "melee", (SOLDIER, HQ, HQ), unit="infantry", target="mg")
    assert after.medals == {BRITISH: 1}
    assert "1 medal to the British" in told(report)


def test_gw_1_5_only_a_mortar_fires_over_what_blocks() -> None:
    ground = on("h", "0303")
    for word, sees in (("mortar", True), ("infantry", False), ("mg", False), ("gun", False), ("male", False)):
        state = field(ground, f"british {word} 0203 ordered", "germans infantry 0404")
        target = "infantry-2" if word == "infantry" else "infantry"
        assert may(state, "fire", unit=word, target=target) is sees
        if not sees:
            assert "not see" in refusal(state, "fire", unit=word, target=target)


def test_gw_1_5_who_has_the_medals_has_won_and_after_the_last_turn_who_has_more() -> None:
    lines = ("british infantry 0203 ordered", "germans mg 0303 figures:1", "germans gun 0803")
    after, report = do(field(OPEN, *lines, medals_to_win=1), "melee", (SOLDIER, HQ, HQ), unit="infantry", target="mg")
    assert after.over is not None
    assert after.over.winner == BRITISH
    assert "The game ends" in report.outcome
    last = field(OPEN, *lines, turn=24, medals={GERMANS: 1})
    assert do(last, "turn_next")[0].over.winner == GERMANS
    draw = last.model_copy(update={"medals": {}})
    assert do(draw, "turn_next")[0].over.winner is None
    assert "game is over" in refusal(do(draw, "turn_next")[0], "turn_next")


def test_gw_1_5_a_side_alone_has_won() -> None:
    state = field(OPEN, "british infantry 0203 ordered", "germans mg 0303 figures:1")
    after, _ = do(state, "melee", (SOLDIER, HQ, HQ), unit="infantry", target="mg")
    assert after.over.winner == BRITISH


CONFIRMED = [
    *((arm, hexes, 3) for arm in ("gun",) for hexes in (1, 2)),
    *((arm, 1, 5) for arm in ("infantry", "mg", "mortar")),
    *((arm, 2, 6) for arm in ("infantry", "mg", "mortar")),
    *((arm, hexes, 6) for arm in ("male", "female", "a7v") for hexes in (1, 2)),
]


@pytest.mark.parametrize(("word", "hexes", "needed"), CONFIRMED)
def test_gw_1_6_hits_on_tanks_are_confirmed(word: str, hexes: int, needed: int) -> None:
    kind, number = ("melee" if hexes == 1 else "fire"), RANGES[word][hexes - 1]
    for die in range(1, 7):
        state = field(OPEN, f"british {word} 0203 ordered", f"germans a7v {2 + hexes:02}03", "germans gun 0806")
        target = "a7v-2" if word == "a7v" else "a7v"
        fell = (BURST, *(SOLDIER,) * (number - 1), die)
        after, _ = do(state, kind, fell, unit=word, target=target)
        assert after.unit(target).figures == (1 if die >= needed else 2), die


def test_gw_1_6_the_last_token_destroys() -> None:
    state = field(OPEN, "british gun 0203 ordered", "germans a7v 0403", "germans mg 0806")
    after, _ = do(state, "fire", (BURST, BURST, SOLDIER, 3, 3), unit="gun", target="a7v")
    assert at(after, "a7v") == "gone"
    assert after.medals == {BRITISH: 2}


def against(word: str, target: str, hexes: int, terrain: str) -> Volley:
    """The volley of one at another, with what the terrain does."""
    thrower = Thrower(unit(f"british {word} 0000").arm)
    number, _ = dice(thrower, hexes, OPTIONS)
    at_ = Target(unit(f"germans {target} 0000").arm, terrain_named(terrain))
    return volley(thrower, at_, hexes, number, OPTIONS)[0]


def naive(found: Volley, fell: tuple[DieFace, ...]) -> tuple[int, int]:
    """Hits thrown and flags to be answered, counted face by face."""
    hits = [face for face in fell if face is DieFace.BURST or (face is DieFace.DEADLY and found.deadly)]
    soldiers = 0 if found.at_tank else max(fell.count(DieFace.SOLDIER) - found.soldiers_ignored, 0)
    return len(hits) + soldiers, max(fell.count(DieFace.FLAG) - found.must_ignore, 0) if found.retreats else 0


@pytest.mark.parametrize("target", ["infantry", "gun", "male"])
@pytest.mark.parametrize("terrain", ["countryside", "trench", "building"])
@pytest.mark.parametrize(("word", "hexes"), [("infantry", 1), ("gun", 2), ("male", 1), ("female", 2)])
def test_gw_1_4_chances_are_those_of_icepool(word: str, hexes: int, target: str, terrain: str) -> None:
    found = against(word, target, hexes, terrain)

    def counted(*shown: int) -> tuple[int, int]:
        return naive(found, tuple(faces()[die - 1] for die in shown))

    exact = icepool.map(counted, *[icepool.d6] * found.dice)
    if found.confirmed is not None:
        sure = icepool.d6 >= found.confirmed
        exact = exact.map(lambda hits, flags: icepool.tupleize(hits @ sure if hits else 0, flags))
    ours = {pair: chance for pair, chance in found.spread.items() if chance}
    assert sum(ours.values()) == 1
    assert ours == {pair: exact.probability(pair) for pair in exact}
