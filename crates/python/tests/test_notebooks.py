"""What notebooks show."""

from __future__ import annotations

from xml.etree import ElementTree

import oddsmith


def cells(html: str) -> list[list[str]]:
    table = ElementTree.fromstring(html.replace("<br>", "<br/>"))
    return [["".join(cell.itertext()) for cell in row] for row in table.iter("tr")]


def test_odds(check):
    odds = check.odds(ability_rank=6, skill_rank=3, circ_boons=1)
    assert cells(odds._repr_html_())[1:] == [
        ["Miss", "1.01%", "81/8000"],
        ["Graze", "10.36%", "829/8000"],
        ["Hit", "32.69%", "523/1600"],
        ["Critical", "55.94%", "179/320"],
    ]


def test_distributions():
    assert cells(oddsmith.dist("1d2")._repr_html_())[1:] == [
        ["1", "50.00%", "100.00%", "50.00%"],
        ["2", "50.00%", "50.00%", "100.00%"],
    ]


def test_tables(check):
    shown = cells(check.table(circ_boons=range(-5, 6), ability_rank=[1, 4, 8])._repr_html_())
    assert shown[0][:2] == ["circ_boons", "ability_rank"]
    assert len(shown) == 1 + 20
    assert shown[1][:2] == ["-5", "1"]


def test_names_are_text_and_no_markup():
    game = oddsmith.loads("name = '<b>'\n[checks.c]\nbands = ['<i>', 'x']\nrules = 'show band = if 1d2 == 1 then \"<i>\" else x'\n")
    assert cells(game["c"].odds()._repr_html_())[1][0] == "<i>"


def test_charts(check, tmp_path):
    chart = check.chart("P(band >= Hit)", x="circ_boons=-5..=5", by="ability_rank=1,4,8")
    assert ElementTree.fromstring(chart._repr_svg_()).tag.endswith("svg")
    chart.save(tmp_path / "hit.svg")
    chart.save(tmp_path / "hit.png", theme="dark")
    assert (tmp_path / "hit.svg").read_text(encoding="utf-8") == chart.svg()
    assert (tmp_path / "hit.png").read_bytes().startswith(b"\x89PNG")
    assert chart.subtitle.startswith("Stars & Signs")
