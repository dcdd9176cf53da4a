"""Commands as a telephone types them: bullets, typographic quotes and dashes, wide forms, names without accents."""

from .table import Table, text


async def test_lists_orders_places_and_areas_are_read_as_telephones_type_them(table: Table) -> None:
    await table.start()
    troop = "british-breechloaders"
    for name, at in (("O’Neill’s Horse", "C2\u00a0NW"), ("Łódź", "30½，12")):
        added = await table.give(table.umpire, "unit add", troop=troop, side="british", name=name, figures=24, at=at)
        assert name in text(added.announced)
    assert "Łódź" in (await table.give(table.british, "unit show", unit="lodz")).text
    assert "O’Neill’s Horse" in (await table.give(table.british, "unit show", unit="O'Neill's Horse")).text
    assert "a part of the table" in (await table.give(table.umpire, "map", area="B2−D４")).text
    sheet = await table.give(table.mahdist, "turn orders", text="• Amarar： forward ６”；– Amarar: back 1½")
    assert '**1** Amarar: forward 6"' in sheet.private_text
    assert "**2** Amarar: back 1½" in sheet.private_text
    assert "✎" not in sheet.private_text, "all could be read"
