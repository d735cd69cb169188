"""One more entry under `allow:` in `wbmem.yaml`, and nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from wbmem_git.text.allowance import add_allow
from wbmem_git.text.settings import parse_settings

if TYPE_CHECKING:
    from wbmem_git.model import Settings

HASH = "0123456789abcdef"
FIRM = settings(deadline=None, suppress_health_check=list(HealthCheck))


def read(text: str) -> Settings:
    found, findings = parse_settings(text)
    assert findings == ()
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("workspace: x\n", 'workspace: x\nallow:\n  - "HASH"  # why\n'),
        ("workspace: x", 'workspace: x\nallow:\n  - "HASH"  # why'),
        ("workspace: x\r\n", 'workspace: x\r\nallow:\r\n  - "HASH"  # why\r\n'),
        ("workspace: x\n# allow: []\n", 'workspace: x\n# allow: []\nallow:\n  - "HASH"  # why\n'),
        ("---\nworkspace: x\n...\n# end\n", '---\nworkspace: x\nallow:\n  - "HASH"  # why\n...\n# end\n'),
        ("  workspace: x\n", '  workspace: x\n  allow:\n    - "HASH"  # why\n'),
        ("workspace: x\nallow: []\n", 'workspace: x\nallow: ["HASH"]\n'),
        ("allow: [ ] # none\nworkspace: x\n", 'allow: ["HASH" ] # none\nworkspace: x\n'),
        ("allow: [aaaaaaaa,]\nworkspace: x\n", 'allow: [aaaaaaaa, "HASH",]\nworkspace: x\n'),
        (
            "allow: [aaaaaaaa, # one\n  bbbbbbbb # two\n ]\nworkspace: x\n",
            'allow: [aaaaaaaa, # one\n  bbbbbbbb, "HASH" # two\n ]\nworkspace: x\n',
        ),
        (
            "allow:\n- aaaaaaaa # one\n# end\nworkspace: x\n",
            'allow:\n- aaaaaaaa # one\n- "HASH"  # why\n# end\nworkspace: x\n',
        ),
        ("workspace: x\nallow:\n    - aaaaaaaa", 'workspace: x\nallow:\n    - aaaaaaaa\n    - "HASH"  # why'),
        ("allow:\nworkspace: x\n", 'allow:\n  - "HASH"  # why\nworkspace: x\n'),
        ("workspace: x\nallow: # none yet\n", 'workspace: x\nallow: # none yet\n  - "HASH"  # why\n'),
        ("allow: ~ # none yet\nworkspace: x\n", 'allow: ["HASH"] # none yet\nworkspace: x\n'),
        ("{workspace: x}\n", '{workspace: x, allow: ["HASH"]}\n'),
        ("{workspace: x, allow: }\n", '{workspace: x, allow: ["HASH"] }\n'),
    ],
)
def test_an_entry_is_added_and_nothing_else(before: str, after: str) -> None:
    assert add_allow(before, HASH, "why") == after.replace("HASH", HASH)


def test_an_entry_that_is_there_changes_nothing() -> None:
    text = f"workspace: x\nallow: [{HASH}]\n"
    assert add_allow(text, HASH) == text


@pytest.mark.parametrize("text", ["workspace: X\n", "nonsense\n", "", "workspace: x\nallow: [nothing]\n"])
def test_a_file_with_a_fault_is_not_edited(text: str) -> None:
    with pytest.raises(ValueError, match=r"wbmem\.yaml"):
        add_allow(text, HASH)


@pytest.mark.parametrize("fingerprint", ["", "xyz", "abc", HASH + "\nhandoff: off", HASH.upper()])
def test_what_is_no_fingerprint_is_not_added(fingerprint: str) -> None:
    with pytest.raises(ValueError, match="no fingerprint"):
        add_allow("workspace: x\n", fingerprint)


def test_a_comment_stays_on_its_line() -> None:
    after = add_allow("workspace: x\n", HASH, "one\nhandoff: off")
    assert read(after) == read("workspace: x\n")._replace(allow=(HASH,))


LINES = st.sampled_from(
    [
        "# a comment",
        "",
        "   ",
        "locale: zh",
        "format: 1  # one",
        "lint:\n  stale_days: 3",
        "lint: {stale_days: 3}",
        "boards:\n- a.md\n- b/*.md",
        "columns:\n    done:\n    - '完成'  # 中文\n    - Done",
        "handoff: off",
        "day_starts: 5",
    ]
)
ALLOW = st.sampled_from(
    [
        "allow: []",
        "allow:",
        "allow: ~",
        "allow: [aaaaaaaa, 'bbbbbbbb']",
        "allow: [\n  aaaaaaaa, # one\n  12345678,\n]",
        "allow:\n- aaaaaaaa",
        "allow:\n  # first\n  - aaaaaaaa  # one\n\n  - '12345678'\n  # last",
        '"allow": ["aaaaaaaa"]',
        "# allow: []",
    ]
)
HASHES = st.text("0123456789abcdef", min_size=8, max_size=64)


@st.composite
def files(draw: st.DrawFn) -> str:
    """A file as people write one: keys in any order, comments, any line end, with or without the last."""
    lines = draw(st.lists(LINES, max_size=5, unique_by=lambda line: line.split(":")[0]))
    lines += ["workspace: demo", draw(ALLOW)]
    text = "\n".join(draw(st.permutations(lines))) + draw(
        st.sampled_from(["", "\n", "\n\n", "\n...\n", "\n# end"])
    )
    return text.replace("\n", draw(st.sampled_from(["\n", "\r\n"])))


@FIRM
@given(files(), HASHES, st.text(max_size=20))
def test_whatever_the_file_only_the_entry_is_new(text: str, fingerprint: str, comment: str) -> None:
    before, findings = parse_settings(text)
    assert before is not None, findings
    after = add_allow(text, fingerprint, comment)
    if fingerprint in before.allow:
        assert after == text
        return
    assert read(after) == before._replace(allow=(*before.allow, fingerprint))
    prefix = next((i for i, (a, b) in enumerate(zip(text, after, strict=False)) if a != b), len(text))
    rest = text[prefix:]
    assert after.endswith(rest) or "~" in text
