"""The short form of a report: a line for each throw, events without dice, and no repetition."""

from fractions import Fraction

from rules.core import glance
from rules.core.dice import Throw
from rules.core.model import Cite, Mark
from rules.core.report import CountedDie, Modifier, Report, Standing, Step
from rules.core.wording import percent_in_words

RULE, HOUSE = Cite(rule="X-1"), Cite(rule="X-2", mark=Mark.HOUSE)
FIGURES = Step(text="2 dice from 12 figures", cite=RULE, start=Fraction(12), score=Fraction(2))


def make_throw(text: str, *faces: int, **fields: object) -> Step:
    return Step(text=text, cite=RULE, throws=(Throw(number=1, label="", sides=6, dice=faces),), **fields)


def plus(value: int, reason: str, cite: Cite = RULE) -> Modifier:
    return Modifier(value=Fraction(value), reason=reason, cite=cite)


def glance_lines(headline: str, *steps: Step, outcome: str = "") -> list[str]:
    report = Report(headline=headline, steps=steps, outcome=outcome)
    return [glance.step_in_words(step) for step in glance.short_steps(report)]


def test_volley_is_a_line_without_its_calculation() -> None:
    volley = {"needed": "hits on 5-6", "verdict": "1 hit", "chance": Fraction(5, 9), "hope": "to hit at all"}
    volley["text_in_headline"] = True
    cover = Step(text="each die", cite=RULE, modifiers=(plus(-1, "cover", HOUSE),), needed="hits on 5-6")
    lines = glance_lines("A fire at B: 1 hit.", FIGURES, cover, make_throw("A fire at B", 6, 2, **volley))
    assert lines == ["2D6 6 2, -1 coverʰ, hits on 5-6: 1 hit (56% to hit at all) · X-1"]


def test_test_is_told_once_and_a_factor_with_its_parts() -> None:
    sum_ = {"start": Fraction(7), "score": Fraction(7), "chance": Fraction(1, 2), "hope": "to hold"}
    test = make_throw("A: morale", 3, 4, needed="against 7", against=Fraction(7), verdict="they hold", **sum_)
    assert glance_lines("B flee.", test) == ["A: morale: 2D6 3 4 = 7 against 7: they hold (50% to hold) · X-1"]
    test = test.model_copy(update={"text_in_headline": True, "verdict_in_headline": True})
    assert glance_lines("A: morale: they hold.", test) == ["2D6 3 4 = 7 against 7 (50% to hold) · X-1"]
    factor = Step(text="F", cite=RULE, start=Fraction(6), modifiers=(plus(1, "support"),), score=Fraction(7))
    assert glance_lines("A: morale: they hold.", factor, test) == [
        "2D6 3 4 = 7 against 7 (6, +1 support) (50% to hold) · X-1"
    ]
    hits = make_throw("A: fire", 3, 4, needed="hits on 7", verdict="1 hit", score=Fraction(7), start=Fraction(7))
    assert glance_lines("A: fire.", factor, hits) == ["A: fire: 2D6 3 4 = 7 hits on 7: 1 hit · X-1"], (
        "no factor, though equal"
    )


def test_event_without_dice_is_told_once() -> None:
    routs, gone = Step(text="C rout", cite=HOUSE, verdict="broken"), Step(text="D go", cite=RULE, verdict="D go")
    assert glance_lines("A move.", FIGURES, routs, gone) == ["C rout: broken · X-2ʰ", "D go · X-1"]
    fields = {"text_in_headline": True, "verdict_in_headline": True}
    assert glance_lines("A move, D go.", *(step.model_copy(update=fields) for step in (routs, gone))) == []


def test_counted_dice_show_the_killing_faces() -> None:
    counted = (CountedDie(7, True), CountedDie(3, False))
    melee = make_throw("A", 6, 2, modifiers=(plus(1, "fierce"),), counted=counted, verdict="*7* 3")
    assert glance_lines("A fight B.", melee) == ["A: *7* 3, +1 fierce · X-1"]


def test_an_outcome_leaves_out_units_that_stand_as_before() -> None:
    a, b = Standing("a", "A: 4 left."), Standing("b", "B: steady.")
    report = Report(headline="A fire at B.", outcome="They carry on.", standing=(a, b))
    assert glance.outcome_to_tell(report) == "They carry on. A: 4 left. B: steady."
    assert glance.outcome_to_tell(report, [b]) == "They carry on. A: 4 left."


def test_chances_are_whole_and_never_quite_certain() -> None:
    chances = (Fraction(0), Fraction(1, 500), Fraction(961, 1000), Fraction(999, 1000), Fraction(1))
    assert [percent_in_words(chance, places=0) for chance in chances] == ["0%", "under 1%", "96%", "over 99%", "100%"]
    assert glance.mark_legend((RULE, HOUSE)) == "ʰ house rule"


def test_units_with_equal_results_share_a_line() -> None:
    def rallied(name: str) -> Step:
        return Step(text=name, cite=RULE, subject=name, verdict="rallied")

    assert glance_lines("D rout.", *map(rallied, "ABC"), rallied("E")) == ["Rallied: A, B, C, E · X-1"]
    assert len(glance_lines("D rout.", *map(rallied, "ABC"))) == 3, "few are told one by one"


def test_tests_of_one_kind_share_a_line_for_each_result() -> None:
    def test(name: str, face: int, verdict: str) -> Step:
        sum_ = {"start": Fraction(face), "score": Fraction(face), "needed": "against 4", "verdict": verdict}
        return make_throw(f"{name} react", face, subject=name, kind="reaction", **sum_)

    tests = [test("A", 6, "they hold"), test("B", 2, "they flee"), test("C", 4, "they hold")]
    assert len(glance_lines("D rout.", *tests)) == 3, "few are told one by one"
    flight = Step(text="B flee", cite=RULE, verdict="B flee")
    assert glance_lines("D rout.", *tests, flight, test("E", 5, "they hold")) == [
        "Reaction against 4, they hold: A 6, C 4, E 5 · X-1",
        "B react: D6 2 against 4: they flee · X-1",
        "B flee · X-1",
    ]
