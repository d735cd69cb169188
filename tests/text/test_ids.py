from __future__ import annotations

import hashlib

import pytest

from wbmem_git.text.ids import card_id, is_id


def test_an_id_is_the_digest_of_key_page_and_title() -> None:
    digest = hashlib.sha256("ws-1234\0PLAN.md\0修复登录".encode()).hexdigest()
    assert card_id("ws-1234", "PLAN.md", "修复登录") == f"mem_{digest[:32]}"


def test_the_second_namesake_has_its_number_behind_a_nul() -> None:
    digest = hashlib.sha256(b"k\0PLAN.md\0Tasks\x002").hexdigest()
    assert card_id("k", "PLAN.md", "Tasks", 2) == f"mem_{digest[:32]}"


@pytest.mark.parametrize(
    "text",
    [
        "mem_" + "0" * 31,
        "mem_" + "0" * 33,
        "mem_" + "A" * 32,
        "MEM_" + "0" * 32,
        "mem_" + "0" * 32 + "\n",
        "mem_" + "٣" * 32,
    ],
)
def test_other_shapes_are_no_ids(text: str) -> None:
    assert not is_id(text)


def test_mem_and_32_hex_digits_are_an_id() -> None:
    assert is_id("mem_" + "0123456789abcdef" * 2)
