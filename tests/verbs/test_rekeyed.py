"""Another workspace key as a pure function: what becomes of texts, of ids, and of nothing else."""

from __future__ import annotations

from string import ascii_lowercase
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pages import KEY, SETTINGS, archived, board, card, id_of

from wbmem_git.text.ids import card_id
from wbmem_git.text.page import parse_page
from wbmem_git.text.workspace_key import with_key
from wbmem_git.verbs.rekeyed import Memory, Rekeyed, exchanged, rekeyed

if TYPE_CHECKING:
    from collections.abc import Mapping

NEW = "other-87654321"
FOREIGN = "mem_" + "f0" * 16


def memory(pages: Mapping[str, str], *files: tuple[str, str], key: str = KEY) -> Memory:
    kinds = {path: "board" if path == "PLAN.md" else "entries" for path in pages}
    parsed = {path: parse_page(path, text, key, kinds[path]) for path, text in pages.items()}  # type: ignore[arg-type]
    archive = {path.removeprefix("archive/").removesuffix(".md"): text for path, text in files}
    return Memory(key, SETTINGS.replace(KEY, key), parsed, archive)


def new_id(title: str, page: str = "PLAN.md", n: int = 1) -> str:
    return card_id(NEW, page, title, n)


def text_of(made: Rekeyed, path: str) -> str:
    text = made.edits[path]
    assert text is not None
    return text


def test_anchors_metadata_and_references_say_the_new_ids() -> None:
    text = board(card("A"), card("B", f"Next: as {id_of('A')} says", more=f" / supersedes: {id_of('A')}"))
    made = rekeyed(memory({"PLAN.md": text}), NEW)
    assert made.ids == {id_of(title): new_id(title) for title in "AB"}
    assert text_of(made, "PLAN.md") == text.replace(id_of("A"), new_id("A")).replace(id_of("B"), new_id("B"))
    assert text_of(made, "wbmem.yaml") == SETTINGS.replace(KEY, NEW)
    assert made.edits.keys() == {"PLAN.md", "wbmem.yaml"}


def test_an_archive_file_goes_by_its_new_name() -> None:
    path, text = archived("Old", card("Old", f"Next: see {id_of('A')}"), superseded_by=id_of("A"))
    made = rekeyed(memory({"PLAN.md": board(card("A"))}, (path, text)), NEW)
    assert made.edits[path] is None
    now = text_of(made, f"archive/{new_id('Old')}.md")
    assert now == text.replace(id_of("Old"), new_id("Old")).replace(id_of("A"), new_id("A"))


def test_a_user_zone_stays_byte_for_byte() -> None:
    text = board(card("A", f"as {id_of('B')}", user=f"as {id_of('B')}\n\n- and {id_of('A')}"), card("B"))
    now = text_of(rekeyed(memory({"PLAN.md": text}), NEW), "PLAN.md")
    assert f"<!-- user -->\nas {id_of('B')}\n\n- and {id_of('A')}\n<!-- /user -->" in now
    assert f"as {new_id('B')}\n<!-- /model -->" in now


def test_a_zone_without_an_end_hides_no_card() -> None:
    text = board(card("A", user="mine").replace("<!-- /user -->\n", ""), card("B"))
    assert f"<!-- memory:{new_id('B')} -->" in text_of(rekeyed(memory({"PLAN.md": text}), NEW), "PLAN.md")


def test_an_id_that_came_from_another_page_keeps_its_origin() -> None:
    moved = card("A", page="MEMORY.md")
    pages = {"PLAN.md": board(moved), "MEMORY.md": "# Memory\n"}
    assert rekeyed(memory(pages), NEW).ids == {id_of("A", "MEMORY.md"): new_id("A", "MEMORY.md")}


def test_namesakes_keep_their_numbers_also_where_one_is_archived() -> None:
    second = card_id(KEY, "PLAN.md", "A", 2)
    page = board(card("A", anchor=second))
    made = rekeyed(memory({"PLAN.md": page}, archived("A", card("A"))), NEW)
    assert made.ids == {second: new_id("A", n=2), id_of("A"): new_id("A")}


def test_an_id_that_nothing_explains_gets_the_first_free_one() -> None:
    page = board(card("A"), card("A", anchor=FOREIGN))
    assert rekeyed(memory({"PLAN.md": page}), NEW).ids == {id_of("A"): new_id("A"), FOREIGN: new_id("A", n=2)}


def test_a_longer_word_is_no_id() -> None:
    name = id_of("A")
    assert (
        exchanged(f"x{name} {name}0 {name}\r\n{name}.", {name: "mem_x"}) == f"x{name} {name}0 mem_x\r\nmem_x."
    )


def test_every_other_byte_of_the_settings_stays() -> None:
    text = f"# ours\r\nformat: 1\r\nworkspace:   '{KEY}'  # the key\r\nlocale: zh\r\n"
    assert with_key(text, NEW) == text.replace(f"'{KEY}'", NEW)
    assert with_key(SETTINGS, "12") == SETTINGS.replace(KEY, '"12"')
    assert with_key(f"{{format: 1, workspace: {KEY}}}\n", "null") == '{format: 1, workspace: "null"}\n'


@pytest.mark.parametrize("key", ["", "A", "a b", "x" * 65, "a\nlocale: zh", "ä"])
def test_what_is_no_key_is_said(key: str) -> None:
    with pytest.raises(ValueError, match="no workspace key"):
        rekeyed(memory({}), key)


KEYS = st.text(f"{ascii_lowercase}-", min_size=1, max_size=9)
TITLES = st.lists(st.sampled_from("ABCDE"), min_size=1, max_size=5, unique=True)


@given(TITLES, TITLES, KEYS, KEYS)
def test_a_property_there_and_back_is_the_same_and_by_any_way_too(
    plan: list[str], kept: list[str], key: str, other: str
) -> None:
    pages = {
        "PLAN.md": board(*(card(title, f"see {id_of(plan[0])}") for title in plan)),
        "MEMORY.md": "# Memory\n\n" + "\n".join(card(f"m{title}", page="MEMORY.md") for title in plan),
    }
    start = memory(pages, *(archived(f"x{title}", card(f"x{title}")) for title in kept))
    there = after(start, rekeyed(start, key), key)
    assert after(there, rekeyed(there, KEY), KEY) == start
    by_way = after(there, rekeyed(there, other), other)
    assert by_way == after(start, rekeyed(start, other), other)


def after(before: Memory, made: Rekeyed, key: str) -> Memory:
    """The memory as it is with these edits."""
    pages = {
        path: made.edits.get(path) or "".join(page.document.lines) for path, page in before.pages.items()
    }
    files = {
        path: text for path, text in made.edits.items() if path.startswith("archive/") and text is not None
    }
    return memory(pages, *sorted(files.items()), key=key)._replace(
        settings=text_of(made, "wbmem.yaml"),
        archive={path[8:-3]: text for path, text in sorted(files.items())},
    )
