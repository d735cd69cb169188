"""Archive files: read without an exception, written and read again as they were, and YAML says the same."""

from __future__ import annotations

from fuzz.inputs import ID, KEY, text_of
from wbmem_git.text.archive import FIELDS, parse_archive, render_archive
from wbmem_git.text.contents import contents_of
from wbmem_git.text.document import parse_document, render
from wbmem_git.text.indexed import words_of
from wbmem_git.text.yaml import SIZE_LIMIT_BYTES, Node, read_yaml


def check(data: bytes) -> None:
    """One file, and a file made of what it says."""
    text = text_of(data)
    file = parse_archive(text, KEY)
    document = parse_document(text)
    assert render(document) == text, "a file isn't put together again as it was"
    assert "".join(document.lines[: document.body]) + file.body == text, "the body isn't what stands below"
    (content,) = contents_of(f"archive/{ID}.md", "archive", text, KEY)
    assert content.id == ID, "a file is asked for by another id than its name's"
    words_of(content)
    values = {name: str(getattr(file, name)) for name in FIELDS}
    _comes_back(values, file.body)
    lines = [*text.split("\n"), *[""] * len(FIELDS)]
    _comes_back(dict(zip(FIELDS, lines, strict=False)), text)


def _comes_back(values: dict[str, str], body: str) -> None:
    written = render_archive(**values, body=body)
    again = parse_archive(written, KEY)
    assert {name: getattr(again, name) for name in FIELDS} == values, "a field comes back as another"
    assert again.body == body, "the body comes back as another"
    front = "".join(parse_document(written).lines[1 : parse_document(written).body - 1])
    if len(front.encode()) < SIZE_LIMIT_BYTES:
        root = read_yaml(front)
        assert isinstance(root, Node), f"YAML can't read the front matter: {root}"
        said = {name.value: value for name, value in root.value}
        for name, value in said.items():
            assert value.value == values[name], f"YAML reads another {name}"
            assert value.kind == "text" or not values[name], f"YAML reads {name} as a {value.kind}"
