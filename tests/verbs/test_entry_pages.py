"""What stands outside the entries of a page, and in pages without headings, is found like anything else."""

from __future__ import annotations

import json
from datetime import date
from typing import TYPE_CHECKING

import pytest
from ground import Filled
from pages import KEY, id_of
from stored import put

from wbmem_git.text.contents import contents_of, page_id
from wbmem_git.text.names import kind_of
from wbmem_git.text.settings import default_settings
from wbmem_git.verbs.ask.filters import Query
from wbmem_git.verbs.ask.recall import recall
from wbmem_git.verbs.ask.trace import trace
from wbmem_git.verbs.index_view import index_json, index_lines
from wbmem_git.verbs.lint.lint import lint

if TYPE_CHECKING:
    from collections.abc import Iterator

SETTINGS = default_settings(KEY)
TODAY = "2026-11-30"


@pytest.fixture
def filled() -> Iterator[Filled]:
    made = Filled.empty()
    yield made
    made.db.close()


def write(filled: Filled, path: str, text: str) -> None:
    kind = kind_of(path, SETTINGS)
    put(filled.db, contents_of(path, kind, text, KEY), path, kind, page_id(path, KEY))


def found(filled: Filled, q: str, scope: str = "all") -> list[tuple[str, str]]:
    return [(hit.source, hit.snippet) for hit in recall(filled.db, Query(q, TODAY, scope)).hits]


@pytest.mark.parametrize("scope", ["all", "memory"])
def test_a_list_without_an_entry_is_found(filled: Filled, scope: str) -> None:
    write(filled, "PINNED.md", "# Pinned\n\n- Always answer with zebracorn units\n")
    ((source, snippet),) = found(filled, "zebracorn", scope)
    assert source == "PINNED.md"
    assert snippet.endswith("- Always answer with zebracorn units")


@pytest.mark.parametrize(
    "text", ["- 2026-11-30\n  - fixed the wombatcache leak\n", "- 2026-11-30\n\n  A wombatcache paragraph\n"]
)
def test_the_first_item_of_a_log_is_found_whatever_it_says(filled: Filled, text: str) -> None:
    write(filled, "log/2026-11-30.md", text)
    assert [source for source, _ in found(filled, "wombatcache", "log")] == ["log/2026-11-30.md"]


def test_a_heading_of_a_ledger_above_its_sections_is_found(filled: Filled) -> None:
    write(filled, "handoff-20260914-101500.md", "# Handoff\n\n### Wombatcache\n\n## Goals\n\n- ship\n")
    assert len(found(filled, "wombatcache")) == 1


def test_the_page_as_a_whole_is_told_as_memory_and_has_no_index_line(filled: Filled) -> None:
    text = "# Pinned\n\nprose\n\n## Rule\n\nText.\n"
    write(filled, "PINNED.md", text)
    entries = json.loads("".join(index_json(filled.db)))["entries"]
    assert [(entry["kind"], entry["title"]) for entry in entries] == [
        ("memory", "Pinned"),
        ("memory", "Rule"),
    ]
    assert [line.partition("]")[0] for line in index_lines(filled.db)] == ["- [Rule"]
    traced = trace(filled.ground, page_id("PINNED.md", KEY))
    assert (traced.hit.entry.kind, traced.text) == ("memory", text)


def test_the_prose_of_an_entry_page_refers_to_cards_and_is_no_orphan_itself(filled: Filled) -> None:
    anchor = f"<!-- memory:{id_of('Alpha one')} -->\n<!-- date: 2026-01-01 -->\n"
    write(filled, "PLAN.md", f"# Plan\n\n## Doing\n\n### Alpha one\n{anchor}Next: go on\n")
    write(filled, "MEMORY.md", "# Memory\n\nprose\n")
    assert [one.title for one in lint(filled.db, SETTINGS, date(2026, 11, 30)) if one.rule == "N1"] == [
        "Alpha one"
    ]
    write(filled, "MEMORY.md", "# Memory\n\nsee Alpha one\n")
    assert not [one for one in lint(filled.db, SETTINGS, date(2026, 11, 30)) if one.rule == "N1"]
