"""Short names of units: they differ, can be typed like whole names, and reveal no hidden unit."""

from rules.core.naming import find_matches
from rules.core.short_names import UnitNames, abbreviate_names


def test_initials_are_enough_to_tell_units_apart() -> None:
    names = (
        "1st Berkshires",
        "1st Berkshires detachment",
        "Hadendoa of Erkowit",
        "G Battery RHA",
        "Arteiga",
        "Sir John",
    )
    assert [*abbreviate_names(names).values()] == ["1B", "1Bd", "HE", "GBRHA", "Art", "SJ"]
    alike = abbreviate_names(("Amarar detachment", "Arteiga detachment", "Ali", "Amarar horse", "九", "Amarar d."))
    assert alike["Arteiga detachment"] == "Ard"
    assert len({*alike.values()}) == len(alike)
    assert all(alike.values())


def test_short_name_ranks_between_whole_names_and_parts() -> None:
    names = {"erkowit": "Hadendoa of Erkowit", "he": "Hedjaz", "heavy": "Heavy Camels", "shire": "1st Berkshires"}
    unit_names = UnitNames(names, lambda: {"erkowit": "HE", "heavy": "HC", "shire": "1B", "he": "Hed"})
    assert find_matches("he", unit_names) == ("he",), "an id comes first"
    assert find_matches("1b", unit_names) == ("shire",)
    assert find_matches("HC", unit_names) == ("heavy",)
    without = UnitNames({unit: name for unit, name in names.items() if unit != "he"}, lambda: {"erkowit": "HE"})
    assert find_matches("HE", without) == ("erkowit",), "not Heavy Camels, whose name begins so"
    assert find_matches("Hadendoa", without) == ("erkowit",)
