"""JSON that a terminal may be given."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from wbmem_git.text.plain_json import plain_json


@given(
    st.recursive(st.text() | st.integers(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner))
)
def test_it_says_the_same_and_all_of_it_can_be_printed(value: object) -> None:
    text = plain_json(value)
    assert text.isprintable()
    assert json.loads(text) == value


def test_what_can_be_printed_stays_as_it_is() -> None:
    assert plain_json({"标题": "“é” 🙂"}) == '{"标题": "“é” 🙂"}'


def test_controls_and_marks_of_direction_are_escaped_as_json_does_it() -> None:
    assert plain_json("\x7f\x9b\u202e\U000e0041") == r'"\u007f\u009b\u202e\udb40\udc41"'
