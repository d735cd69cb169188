"""The kind of YAML that settings are written in: small, closed, with the line of every fault."""

from __future__ import annotations

import pytest

from wbmem_git.text.yaml import SIZE_LIMIT_BYTES, Node, Unreadable, read_yaml


def plain(node: Node | Unreadable) -> object:
    """The node as dicts, lists and text."""
    assert isinstance(node, Node), node
    if node.kind == "map":
        return {key.value: plain(value) for key, value in node.value}
    if node.kind == "list":
        return [plain(item) for item in node.value]
    return node.value


def test_mappings_lists_and_scalars() -> None:
    text = "a: 1\nb: [x, 'y z']\nc:\n  d: on\n  e:\n  - f # g\n"
    assert plain(read_yaml(text)) == {"a": "1", "b": ["x", "y z"], "c": {"d": "on", "e": ["f"]}}


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("1", "number"),
        ("0.75", "number"),
        ("true", "truth"),
        ("on", "text"),
        ("'true'", "text"),
        ("", "nothing"),
        ("~", "nothing"),
        ("012345678901", "number"),
        ("x", "text"),
    ],
)
def test_what_a_plain_scalar_means(text: str, kind: str) -> None:
    root = read_yaml(f"a: {text}\n")
    assert isinstance(root, Node)
    assert root.value[0][1].kind == kind
    assert root.value[0][1].value == text.strip("'")


def test_every_place_is_one_of_the_text() -> None:
    text = "\ufeffa: 1\r\nbc:\r\n- def\r\n"
    root = read_yaml(text)
    assert isinstance(root, Node)
    (a, one), (bc, items) = root.value
    (item,) = items.value
    assert [text[node.start : node.end] for node in (a, one, bc, item)] == ["a", "1", "bc", "def"]
    assert [node.line for node in (a, one, bc, item)] == [1, 1, 2, 3]


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("", 1, "empty"),
        ("# only a comment\n", 1, "empty"),
        ("a: 1\nb: &x 2\n", 2, "anchors"),
        ("a: 1\nb: *x\n", 2, "anchors"),
        ("a: 1\nb: !!str 2\n", 2, "tags"),
        ("a: 1\nb: !x 2\n", 2, "tags"),
        ("a: 1\nb: 2\na: 3\n", 3, "'a' stands there twice"),
        ("a:\n  b: 1\n  b: 2\n", 3, "'b' stands there twice"),
        ("a: 1\n---\nb: 2\n", 2, "more than one document"),
        ("a: 1\nb: \x07\n", 2, "a character"),
        ("a: [1\nb: 2\n", 2, "expected"),
        ("a: 1\n\tb: 2\n", 2, "tab"),
        ("[a, b]: 1\n", 1, "a list or a map"),
        ("a: " + "[" * 7, 1, "deeper than"),
        ("a: 1\n" * 3, 2, "twice"),
    ],
)
def test_a_fault_with_its_line(text: str, line: int, reason: str) -> None:
    read = read_yaml(text)
    assert isinstance(read, Unreadable), read
    assert (read.line, reason in read.reason.replace("'\\t'", "tab")) == (line, True), read


def test_a_file_that_is_too_large() -> None:
    read = read_yaml("a: " + "文" * (SIZE_LIMIT_BYTES // 3))
    assert isinstance(read, Unreadable)
    assert "64 KB" in read.reason


@pytest.mark.parametrize(
    "unit", ["[", "{", "- ", "? ", "a: ", "&a ", "'", '"', "|\n", "!", "%", "*", "\ufeff"]
)
@pytest.mark.timeout(60)  # a guard against hanging, not a measurement
def test_no_text_makes_it_hang(unit: str) -> None:
    read = read_yaml(unit * (SIZE_LIMIT_BYTES // len(unit.encode())))
    assert read is not None
