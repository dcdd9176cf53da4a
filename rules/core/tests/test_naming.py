"""Names: typed text finds one name, or is refused with the possible or nearest names."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.core import naming
from rules.core.refusal import Refused
from rules.core.tabletop.place import TowardsUnit, parse_destination

UNITS = {
    "marines": "Royal Marines",
    "york": "1st York and Lancaster",
    "tamai": "Hadendoa of Tamai",
    "sinkat": "Hadendoa of Sinkat",
    "coy-1": "Company 1",
    "coy-10": "Company 10",
    "osman": "Osman Digna",
}
TROOPS = {"line": "British regulars", "rifles": "Indian regulars", "zulus": "Zulu impi", "armed": "Zulus with guns"}
KNOWN_BY = {
    "line": ("regular infantry",),
    "rifles": ("regular infantry", "breechloaders"),
    "zulus": ("massed assault",),
}
UNKNOWN = "No unit here is called {}."


@pytest.mark.parametrize(
    ("text", "match"),
    [
        ("marines", "marines"),
        ("ROYAL MARINES", "marines"),
        ("Royal Marine", "marines"),
        (" royal  marines, ", "marines"),
        ("york", "york"),
        ("1st York & Lancaster", "york"),
        ("york lanc", "york"),
        ("tamai", "tamai"),
        ("hadendoa tam", "tamai"),
        ("company 1", "coy-1"),
        ("Company 10", "coy-10"),
        ("Röyal Marînes", "marines"),
        ("smandi", None),
        ("sman", "osman"),
        ("sm", None),
    ],
)
def test_text_that_matches_one_name_finds_it(text: str, match: str | None) -> None:
    assert naming.find_matches(text, UNITS) == (() if match is None else (match,))


def test_the_four_nearest_are_named() -> None:
    towns = {str(number): f"Town {number}" for number in range(10, 20)}
    with pytest.raises(Refused, match=r"The nearest: Town \d\d, Town \d\d, Town \d\d, Town \d\d\.$"):
        naming.resolve_name("Towm", towns, "There is no {}.")


def test_names_with_commas_are_separated_by_semicolons() -> None:
    names = {"a": "Regulars, breechloaders", "b": "Regulars, magazine rifles"}
    with pytest.raises(Refused, match="these: Regulars, breechloaders; Regulars, magazine rifles"):
        naming.resolve_name("regulars", names, "There is no {}.")
    with pytest.raises(Refused, match="There are: Regulars, breechloaders; Regulars, magazine rifles"):
        naming.resolve_name("Zulu", names, "There is no {}.")


def test_words_in_order_rank_before_other_orders() -> None:
    names = {"a": "Lancers of the Royal Guard", "b": "Guard of Royal Lancers"}
    assert naming.find_matches("roy gua", names) == ("a",)
    assert naming.find_matches("roy lan", names) == ("b",)


def test_a_whole_word_goes_before_the_beginning_of_another() -> None:
    assert naming.find_matches("Zulu", TROOPS) == ("zulus",)
    assert naming.find_matches("zul", TROOPS) == ("zulus", "armed")


def test_plural_names_use_the_singular() -> None:
    light_infantry = {"marines": "Royal Marine Light Infantry", "berkshires": "1st Berkshires"}
    assert naming.find_matches("Royal Marines", light_infantry) == ("marines",)
    assert naming.find_matches("Royal Berkshires", light_infantry) == ()


def test_other_words_for_a_unit_rank_after_its_name() -> None:
    assert naming.find_matches("massed", TROOPS, KNOWN_BY) == ("zulus",)
    assert naming.find_matches("regular infantry", TROOPS, KNOWN_BY) == ("line", "rifles")
    assert naming.find_matches("indian infantry", TROOPS, KNOWN_BY) == ("rifles",)
    assert naming.find_matches("indian", TROOPS, {"line": ("indian",)}) == ("rifles",)


def test_several_are_refused_and_told_apart() -> None:
    with pytest.raises(Refused, match=r"“hadendoa” may be any of these: Hadendoa of Tamai, Hadendoa of Sinkat\. Say"):
        naming.resolve_name("hadendoa", UNITS, UNKNOWN)
    companies = {str(n): f"Company {n}" for n in range(1, 10)}
    with pytest.raises(Refused, match=r"Company 6 or 3 more\. Say which"):
        naming.resolve_name("comp", companies, UNKNOWN)
    with pytest.raises(Refused, match=r"Company 6\. Say which"):
        naming.resolve_name("comp", dict([*companies.items()][:6]), UNKNOWN)
    with pytest.raises(Refused, match=r"^There are 2 named “Scouts”\. Choose one from the list as you type\.$"):
        naming.resolve_name("scouts", {"a": "Scouts", "b": "Scouts"}, UNKNOWN)


def test_unknown_name_is_refused_with_the_nearest_or_all_of_few() -> None:
    with pytest.raises(Refused, match=r"No unit here is called “Royal Marynes”\. The nearest: Royal Marines"):
        naming.resolve_name("Royal Marynes", UNITS, UNKNOWN)
    with pytest.raises(Refused, match=r"There is no side “red”\. There are: British, Zulus\."):
        naming.resolve_name("red", {"a": "British", "b": "Zulus"}, "There is no side {}.")
    with pytest.raises(Refused, match=r"^It takes none: “red”\.$"):
        naming.resolve_name("red", {}, "It takes none: {}.")


@given(st.dictionaries(st.text(min_size=1, max_size=4), st.text(max_size=12), max_size=6), st.text(max_size=12))
def test_any_text_finds_keys_first_and_never_fails(names: dict[str, str], text: str) -> None:
    assert set(naming.find_matches(text, names)) <= names.keys()
    for key in names:
        assert key in naming.find_matches(key, names)


@pytest.mark.parametrize(
    ("words", "towards"),
    [
        ("towards Royal Marine", TowardsUnit(unit="marines")),
        ("towards york 6", TowardsUnit(unit="york", inches=6)),
        ("towards Company 10", TowardsUnit(unit="coy-10")),
        ("towards company 1 4", TowardsUnit(unit="coy-1", inches=4)),
    ],
)
def test_a_place_towards_a_unit_takes_its_name_like_any_other(words: str, towards: TowardsUnit) -> None:
    assert parse_destination(words, UNITS) == towards


def test_a_place_towards_several_units_is_refused() -> None:
    with pytest.raises(Refused, match="may be any of these"):
        parse_destination("towards hadendoa 6", UNITS)


def test_completion_offers_strictest_matches_first() -> None:
    assert naming.rank_matches("foot", {"a": "Guns and foot", "b": "Foot", "c": "Horse"}) == ("b", "a")
    assert naming.rank_matches("hadendoa", UNITS) == ("tamai", "sinkat")
    assert naming.rank_matches("regular infantry", TROOPS, KNOWN_BY) == ("line", "rifles")
    assert naming.rank_matches("zzz", UNITS) == ()
