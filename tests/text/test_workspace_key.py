"""The workspace key is exchanged where that can be; else it is said which of the two is at fault."""

from __future__ import annotations

import pytest

from wbmem_git.text.workspace_key import with_key


def test_a_key_that_is_written_in_an_unusual_way_is_told_as_that() -> None:
    with pytest.raises(ValueError, match="`workspace:` is written in an unusual way"):
        with_key("? workspace\n: >-\n  demo-1a2b3c4d\nformat: 1\n", "other-1")


def test_what_is_no_key_is_told_as_that() -> None:
    with pytest.raises(ValueError, match="'Other' is no workspace key"):
        with_key("format: 1\nworkspace: demo\n", "Other")
