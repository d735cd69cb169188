"""The case format itself: a table that is written wrongly says so, and what it means is what is built."""

from __future__ import annotations

import pytest
from rules.loader import CaseError, card_id, parse, tables

from wbmem_git.rules.registry import RULES
from wbmem_git.text import ids

TABLE = """Words on the table.

---- old PLAN.md
## Doing

### A
text

==== One
actor: agent
message: 一句话
trailer: Wbmem-Remarks: unconfirmed
---- new PLAN.md (edit)
-text
+other
-
---- old PLAN.md (edit)
+
+### B
---- expect
C2 hard already PLAN.md:3 | "a" | ! b
==== Two
parents: 0
---- expect
passes
"""


def test_a_side_inherits_what_it_does_not_name() -> None:
    one, _ = parse(TABLE, "C2")
    assert one.parents[0]["PLAN.md"].data == b"## Doing\n\n### A\ntext\n\n### B\n"
    assert one.new["PLAN.md"].data == b"## Doing\n\n### A\nother\n### B\n"
    assert "wbmem.yaml" in one.new


def test_header_and_expectation_are_read() -> None:
    one, two = parse(TABLE, "C2")
    assert one.actors == ("agent",)
    assert two.actors == ("agent", "human")
    assert one.message == "一句话"
    assert one.trailers == (("Wbmem-Remarks", "unconfirmed"),)
    assert one.expected[0][:6] == ("C2", "hard", True, False, "PLAN.md", 3)
    assert (one.expected[0].pieces, one.expected[0].absent) == (('"a"',), ("b",))
    assert two.parents == ()
    assert two.expected == ()


def test_merge_parents_start_from_the_base() -> None:
    text = """
==== M
---- base a.md
base
---- parent 3 a.md
three
---- old b.md
ours
---- expect
passes
"""
    (case,) = parse(text, "C2")
    assert [sorted(parent) for parent in case.parents] == [
        ["a.md", "b.md", "wbmem.yaml"],
        ["a.md", "wbmem.yaml"],
        ["a.md", "wbmem.yaml"],
    ]
    assert case.parents[2]["a.md"].data == b"three\n"
    assert case.new == case.parents[0]


def test_marks_and_places() -> None:
    text = r"""
---- old gone.md
x
---- old moved.md
y
==== M
---- new gone.md (gone)
---- new there.md (moved from moved.md)
---- new crlf.md (crlf, no newline)
a
b
---- new raw.md (bytes)
\xff\r\n
\x00
---- new link.md (symlink)
there.md
---- new run.md (executable)
{repeat 3 ab} {u+3000} mem_{A} mem_{A @ MEMORY.md #2}
---- expect
passes
"""
    (case,) = parse(text, "C2")
    assert "gone.md" not in case.new
    assert "moved.md" not in case.new
    assert case.new["there.md"].data == b"y\n"
    assert case.new["crlf.md"].data == b"a\r\nb"
    assert case.new["raw.md"].data == b"\xff\r\n\x00"
    assert case.new["link.md"] == (b"there.md", "120000")
    expanded = f"ababab \u3000 {card_id('A')} {card_id('A', 'MEMORY.md', 2)}\n"
    assert case.new["run.md"] == (expanded.encode(), "100755")


def test_ids_in_tables_are_those_of_the_code() -> None:
    for title, page, n in [("登录", "PLAN.md", 1), ("A b", "MEMORY.md", 3)]:
        assert card_id(title, page, n) == ids.card_id("demo-1a2b3c4d", page, title, n)


@pytest.mark.parametrize(
    ("case", "said"),
    [
        ("==== A\ncolour: red\n---- expect\npasses\n", "unknown header"),
        ("==== A\n---- newer PLAN.md\nx\n---- expect\npasses\n", "unknown side"),
        ("==== A\n---- new PLAN.md (edit)\n-x\n---- expect\npasses\n", "nothing to edit"),
        ("==== A\n---- new wbmem.yaml (edit)\n-nowhere\n---- expect\npasses\n", "exactly once"),
        ("==== A\n---- new wbmem.yaml (edit)\nlocale\n---- expect\npasses\n", "begin with"),
        ("==== A\n---- new PLAN.md\nx\n", "exactly one expect"),
        ("==== A\n---- expect\nC2 bad PLAN.md:3\n", "not an expectation"),
        ("==== A\n---- expect\npasses\nC2 hard PLAN.md:3\n", "either findings or"),
        ("==== A\nactor: robot\n---- expect\npasses\n", "robot"),
    ],
)
def test_a_wrong_table_is_no_passing_one(case: str, said: str) -> None:
    with pytest.raises(CaseError, match=said):
        parse(case, "C2")


def test_every_table_is_a_rule_and_every_rule_has_one() -> None:
    assert sorted(table.stem for table in tables()) == sorted(row.id for row in RULES)
