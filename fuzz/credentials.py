"""Credentials: what is found is cut out whole, and the coarse looks never miss what the table finds."""

from __future__ import annotations

import re

from fuzz.inputs import text_of
from wbmem_git.rules.credentials import COARSE_PATTERN, credentials_in, has_credential, mask
from wbmem_git.text.suspicion import may_hold

COARSE = re.compile(COARSE_PATTERN.replace("[\\][[:punct:]]", r"\\[!-/:-@\[-`{-~]"))


def check(data: bytes) -> None:
    """One text; `¦` is taken out before it is read, so that no scanner takes the seeds for a leak."""
    text = text_of(data).replace("¦", "")
    found = credentials_in(text)
    assert has_credential(text) == bool(found)
    done = 0
    for one in found:
        assert done <= one.start < one.end <= len(text), "two credentials in one place"
        assert one.line == text.count("\n", 0, one.start) + 1, "a credential on another line"
        done = one.end
    masked = mask(text)
    assert not credentials_in(masked), "a credential is left"
    assert mask(masked) == masked, "what is masked is masked again"
    if found:
        assert may_hold(text), "the quick look misses a credential"
        assert any(map(COARSE.search, text.split("\n"))), "the guard's pattern misses a credential"
    else:
        assert masked == text, "a text without credentials is cut"
