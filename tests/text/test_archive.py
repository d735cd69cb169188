"""Archive files: front matter that YAML and we read alike, and the card byte for byte."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from ruamel.yaml import YAML
from text.nasty import documents
from text.spec import TIMES

from wbmem_git.text.archive import parse_archive, render_archive
from wbmem_git.text.ids import card_id

ID = "mem_" + "0123456789abcdef" * 2
NEXT = "mem_" + "fedcba9876543210" * 2
CARD = f"### Fix login\n<!-- memory:{ID} -->\n<!-- user -->\nmine\n<!-- /user -->\n"
FIRM = settings(deadline=None, suppress_health_check=list(HealthCheck))


def rendered(title: str = "Fix login", reason: str = "done", body: str = CARD, page: str = "PLAN.md") -> str:
    return render_archive(
        id=ID, title=title, page=page, archived_at="2026-09-14T10:15:00Z", reason=reason, body=body
    )


def front_matter(text: str) -> object:
    return YAML(typ="safe", pure=True).load(text.removeprefix("---\n").partition("\n---\n")[0])


def test_an_archive_file_is_front_matter_and_the_card() -> None:
    assert rendered() == (
        f"---\nid: {ID}\ntitle: Fix login\npage: PLAN.md\n"
        f'archived_at: "2026-09-14T10:15:00Z"\nreason: done\n---\n{CARD}'
    )


def test_a_successor_is_named_where_there_is_one() -> None:
    text = render_archive(
        id=ID, title="a", page="PLAN.md", archived_at="x", reason="renamed", superseded_by=NEXT, body=CARD
    )
    assert f"\nsuperseded_by: {NEXT}\n---\n" in text
    assert parse_archive(text, "k").superseded_by == NEXT
    assert parse_archive(rendered(), "k").superseded_by == ""


words = st.one_of(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")), documents)


@settings(FIRM, max_examples=300 * TIMES)
@given(words, words, words)
@example("no", "~", "")
@example("0x1f", "1_000", "12:30:45")
@example("a: b", "- c", "# d")
@example("true", "2026-09-14", "=")
@example("\u2028", "\x85", "\ufeff")
@example("'", '"', "\\")
@example("<<", "null", "a #b")
def test_every_text_is_read_back_by_yaml_and_by_us(title: str, reason: str, page: str) -> None:
    title, reason, page = (text.replace("\0", "") for text in (title, reason, page))
    text = rendered(title, reason, "body", page)
    expected = {
        "id": ID,
        "title": title,
        "page": page,
        "archived_at": "2026-09-14T10:15:00Z",
        "reason": reason,
    }
    assert front_matter(text) == expected
    read = parse_archive(text, "k")
    assert (read.title, read.reason, read.page) == (title, reason, page)


@settings(FIRM, max_examples=200 * TIMES)
@given(documents)
def test_every_body_is_kept_as_it_is(body: str) -> None:
    assert parse_archive(rendered(body=body), "k").body == body


def test_the_card_is_read_as_on_its_page() -> None:
    card = parse_archive(rendered(), "k").card
    assert card is not None
    assert (card.id, card.title, card.path, card.line, card.end) == (ID, "Fix login", "PLAN.md", 8, 12)
    zone = card.zone("user")
    assert zone is not None
    assert zone.text == "mine\n"


def test_an_entry_may_have_deeper_headings() -> None:
    card = parse_archive(rendered(page="MEMORY.md", body="## Tea\n### Green\nx\n"), "k").card
    assert card is not None
    assert card.id == card_id("k", "MEMORY.md", "Tea")
    assert card.lines == ("## Tea", "### Green", "x")


@pytest.mark.parametrize("text", ["", "no front matter\n", "---\nid: x\n", "---\n: y\n---\n", "# a\n"])
def test_a_broken_file_is_read_as_far_as_it_goes(text: str) -> None:
    read = parse_archive(text, "k")
    assert (read.id, read.title, read.card) == ("", "", None)


def test_fields_are_read_as_people_write_them() -> None:
    text = "---\r\nid:   x \r\ntitle: 'it''s'\r\nreason: \"a\r\npage: PLAN.md\r\n---\r\n### it\r\n"
    read = parse_archive(text, "k")
    assert (read.id, read.title, read.reason, read.page) == ("x", "it's", '"a', "PLAN.md")
    assert read.body == "### it\r\n"
