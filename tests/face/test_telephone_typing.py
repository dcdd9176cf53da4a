"""Commands as telephones type them: bullets, typographic quotes and dashes, wide letters, names without accents."""

from cogs.kit.lookup.notes import NOTE
from rules.core.parsing import BEFORE_MEANING

from .table import Table, text


async def test_lists_orders_places_and_areas_accept_telephone_typing(table: Table) -> None:
    await table.start()
    troop = "british-breechloaders"
    for name, at in (("O’Neill’s Horse", "C2\u00a0NW"), ("Łódź", "30½，12")):
        added = await table.give(table.umpire, "unit add", troop=troop, side="british", name=name, figures=24, at=at)
        assert name in text(added.announced)
    assert "Łódź" in (await table.give(table.british, "unit show", unit="lodz")).text
    assert "O’Neill’s Horse" in (await table.give(table.british, "unit show", unit="O'Neill's Horse")).text
    assert "a part of the table" in (await table.give(table.umpire, "map", area="B2−D４")).text
    sheet = await table.give(table.mahdist, "turn orders", text="• Amarar： forward ６”；– Amarar: back 1½")
    assert "**1** Amarar: forward 6 " in sheet.private_text
    assert "**2** Amarar: back 1.5" in sheet.private_text
    assert "✎" not in sheet.private_text, "every line was read"


async def test_the_shown_names_of_completions_can_be_typed(table: Table) -> None:
    await table.start()
    choices = await table.mahdist.autocomplete(table.channel, "unit show", "unit", "")
    assert all(NOTE in choice["name"] for choice in choices)
    for choice in choices[:3]:
        by_name = await table.give(table.mahdist, "unit show", unit=choice["name"])
        assert by_name.private_text == (await table.give(table.mahdist, "unit show", unit=choice["value"])).private_text
    arguments = {"unit": "Amarar", "target": "1st Berkshires"}
    choices = await table.mahdist.autocomplete(table.channel, "fire", "with", "", **arguments)
    assert any(BEFORE_MEANING in choice["name"] for choice in choices)
    for choice in choices[:3]:
        by_name = await table.give(table.mahdist, "odds", test="fire", **arguments, **{"with": choice["name"]})
        by_value = await table.give(table.mahdist, "odds", test="fire", **arguments, **{"with": choice["value"]})
        assert by_name.private_text == by_value.private_text
        assert "circumstance" not in by_name.private_text
