"""A ledger's title and sections."""

from __future__ import annotations

from wbmem_git.text.ledger import parse_ledger

PATH = "handoff-20260914-101500.md"
TEXT = """# Handoff: login
<!-- wbmem: imported -->

## Tried and failed
- lock → deadlock

### detail
```
## not a section
```
## 目标
x
## **Goals**
## Extra ##
y
# Appendix
z
"""


def test_sections_run_to_the_next_heading_of_level_one_or_two() -> None:
    ledger = parse_ledger(PATH, TEXT)
    assert [(section.title, section.tag, section.line) for section in ledger.sections] == [
        ("Tried and failed", "type:dead-end", 4),
        ("目标", "type:goal", 11),
        ("Goals", "", 13),
        ("Extra", "", 14),
    ]
    assert ledger.sections[0].lines == (
        (5, "- lock → deadlock"),
        (6, ""),
        (7, "### detail"),
        (8, "```"),
        (9, "## not a section"),
        (10, "```"),
    )
    assert ledger.sections[1].lines == ((12, "x"),)
    assert ledger.sections[2].lines == ()
    assert ledger.sections[3].lines == ((15, "y"),)


def test_the_title_is_the_first_lines_level_1_heading() -> None:
    assert parse_ledger(PATH, TEXT).title == "Handoff: login"
    assert parse_ledger(PATH, "\ufeff# `a`\r\n").title == "a"
    for text in ("", "\n# a\n", "## a\n", "text\n# a\n", "#a\n"):
        assert parse_ledger(PATH, text).title == ""


def test_imported_is_the_second_line() -> None:
    assert parse_ledger(PATH, TEXT).imported
    assert parse_ledger(PATH, TEXT.replace("\n", "\r\n")).imported
    assert not parse_ledger(PATH, "# a\n\n<!-- wbmem: imported -->\n").imported
    assert not parse_ledger(PATH, "# a").imported


def test_lines_have_no_ends_whatever_they_are() -> None:
    ledger = parse_ledger(PATH, "# a\r\n## Goals\r\nx \rz")
    assert ledger.sections[0].lines == ((3, "x "), (4, "z"))


def test_a_setext_heading_is_a_section_too() -> None:
    ledger = parse_ledger(PATH, "# a\nGoals\n---\nx\n")
    assert [(section.tag, section.line, section.lines) for section in ledger.sections] == [
        ("type:goal", 2, ((4, "x"),))
    ]
