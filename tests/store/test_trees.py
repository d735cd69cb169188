"""Tree objects are read as git writes them, and compared without opening what is equal."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from memory import Memory

from wbmem_git.errors import GitError
from wbmem_git.store.object_database import KEPT_DIFFERENCES, OID_BYTES
from wbmem_git.store.repository import Repository
from wbmem_git.store.trees import Entry, OrderedTrees, ordered, parse_tree

if TYPE_CHECKING:
    from pathlib import Path

    from wbmem_git.store.trees import RawEntry

STRANGE = (
    "日志/2026-01-05 会议.md",
    "a b.md",
    'say "no".md',
    "line\nbreak.md",
    "-dash.md",
    "😀.md",
    "a\\xff.md",
)


def opened(memory: Memory, *, inside: bool = False) -> Repository:
    return Repository.open(str(memory.top), os.environ, inside=inside)


def raw_differences(memory: Memory, old: str, new: str) -> dict[str, tuple[str, str]]:
    """What `git diff-tree` says: path → (mode and oid before, after)."""
    out = subprocess.run(
        ["git", "diff-tree", "-r", "-z", "--raw", "--no-renames", "--no-abbrev", old, new],
        cwd=memory.top,
        capture_output=True,
        check=True,
    ).stdout.decode()
    fields = out.split("\0")[:-1]
    return {
        path: (" ".join((head.split()[0][1:], head.split()[2])), " ".join((head.split()[1], head.split()[3])))
        for head, path in zip(fields[::2], fields[1::2], strict=True)
    }


def ours(repository: Repository, old: str, new: str) -> dict[str, tuple[str, str]]:
    zero = "0" * 2 * OID_BYTES[repository.object_format]

    def shown(entry: Entry | None) -> str:
        return f"{entry.mode} {entry.oid}" if entry is not None else f"000000 {zero}"

    return {path: (shown(a), shown(b)) for path, (a, b) in repository.differing(old, new).items()}


@pytest.mark.parametrize("object_format", ["sha1", "sha256"])
def test_the_same_differences_as_git_names_whatever_the_names(tmp_path: Path, object_format: str) -> None:
    memory = Memory.create(tmp_path / "m", f"--object-format={object_format}")
    old = memory.commit(
        {**dict.fromkeys(STRANGE, "one\n"), "both/x.md": "x", "folder": "a file", "kept/y": "y"}
    )
    (memory.top / "folder").unlink()
    new = memory.commit(
        {"日志/2026-01-05 会议.md": "two\n", "line\nbreak.md": None, "folder/now": "a folder"}
    )
    with opened(memory) as repository:
        trees = repository.tree_of(old), repository.tree_of(new)
        assert ours(repository, *trees) == raw_differences(memory, old, new)
        assert len(ours(repository, *trees)) == 4
        assert repository.entries(trees[0]).keys() == {*STRANGE, "both/x.md", "folder", "kept/y"}


paths = st.sampled_from(["a.md", "b/a.md", "b/c/d.md", "b.md", "c", "c/e.md"])
sides = st.dictionaries(paths, st.sampled_from(["1", "2", "3"]), max_size=5)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(before=sides, after=sides)
def test_differences_are_those_of_the_two_listings(
    memory: Memory, before: dict[str, str], after: dict[str, str]
) -> None:
    with opened(memory) as repository:
        old, new = (made(memory, side) for side in (before, after))
        listed = [repository.entries(tree) for tree in (old, new)]
        expected = {
            path: (listed[0].get(path), listed[1].get(path))
            for path in listed[0].keys() | listed[1].keys()
            if listed[0].get(path) != listed[1].get(path)
        }
        assert repository.differing(old, new) == expected


def made(memory: Memory, side: dict[str, str]) -> str:
    """A tree, built in an index of its own; a file in the way of a folder isn't put in."""
    env = {"GIT_INDEX_FILE": str(memory.top / ".git/test-index")}
    memory.git("read-tree", "--empty", env=env)
    for path, text in sorted(side.items(), reverse=True):
        if path == "c" and "c/e.md" in side:
            continue
        oid = memory.git("hash-object", "-w", "--stdin", stdin=text)
        memory.git("update-index", "--add", "--cacheinfo", f"100644,{oid},{path}", env=env)
    return memory.git("write-tree", env=env)


def test_a_folder_that_is_equal_on_both_sides_is_not_opened(memory: Memory) -> None:
    old = memory.commit({f"f{number}/page.md": "x" * number for number in range(30)})
    new = memory.commit({"f3/page.md": "changed"})
    with opened(memory) as repository:
        trees = repository.tree_of(old), repository.tree_of(new)
        before = repository.objects.reads
        assert list(repository.differing(*trees)) == ["f3/page.md"]
        assert repository.objects.reads - before == 4  # two roots, two folders


def test_links_and_submodules_have_their_modes_and_are_no_files(memory: Memory) -> None:
    memory.write("target", "x")
    (memory.top / "link").symlink_to("target")
    memory.git("add", "-A")
    memory.git("update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},module")
    with opened(memory) as repository:
        entries = repository.entries(repository.write_tree())
    assert {path: entry.mode for path, entry in entries.items()} == {
        "link": "120000",
        "module": "160000",
        "target": "100644",
    }
    assert [path for path, entry in entries.items() if entry.is_file] == ["target"]


def test_a_damaged_tree_is_never_half_a_tree() -> None:
    good = b"100644 a.md\0" + b"\0" * 20
    assert list(parse_tree(good, 20)) == [b"a.md"]
    for damaged in (good[:-1], good + b"x", b"junk " + good):
        with pytest.raises(GitError, match="a tree object is damaged"):
            parse_tree(damaged, 20)


def test_a_name_that_is_not_utf8_is_found_again_under_what_is_shown(memory: Memory) -> None:
    oid = memory.git("hash-object", "-w", "--stdin", stdin="x")
    tree = (
        subprocess.run(
            ["git", "mktree", "-z"],
            cwd=memory.top,
            input=b"100644 blob " + oid.encode() + b"\tbad\xff.md\0",
            capture_output=True,
            check=True,
        )
        .stdout.decode()
        .strip()
    )
    with opened(memory) as repository:
        (path,) = repository.differing("", tree)
        assert path == "bad\\xff.md"
        assert repository.entry(tree, path) == Entry("100644", oid)


def deep_tree(memory: Memory, path: str, text: str) -> str:
    """A tree with two pages of that text, `a.md` and one at `path`: git's index takes no path that deep."""
    files = "".join(f"M 100644 inline {name}\ndata {len(text)}\n{text}\n" for name in ("a.md", path))
    made = f"commit refs/heads/deep\ncommitter A <a@example.org> 0 +0000\ndata 1\nx\n{files}"
    memory.git("fast-import", "--quiet", "--force", stdin=made)
    return memory.git("rev-parse", "deep^{tree}")


def test_folders_deeper_than_python_recurses_are_walked_and_compared(memory: Memory) -> None:
    depth = sys.getrecursionlimit() + 200
    paths = ["a.md", "d/" * depth + "z.md"]
    old, new = (deep_tree(memory, paths[1], text) for text in ("one\n", "other\n"))
    with opened(memory) as repository:
        assert list(repository.entries(new)) == paths
        assert list(repository.differing(old, new)) == paths
        assert list(repository.differing("", new)) == paths
        assert repository.differing(new, new) == {}


NAMES = st.binary(min_size=1, max_size=4).filter(lambda name: not {0, 0x2F} & set(name))
RAWS = st.tuples(st.sampled_from([b"40000", b"100644", b"120000"]), st.binary(min_size=20, max_size=20))


@settings(deadline=None)
@given(st.dictionaries(NAMES, RAWS), st.lists(st.dictionaries(NAMES, st.none() | RAWS), max_size=4))
def test_a_tree_with_parts_exchanged_is_the_one_made_from_nothing(
    entries: dict[bytes, RawEntry], edits: list[dict[bytes, RawEntry | None]]
) -> None:
    tree = ordered(entries)
    for changed in edits:
        tree = tree.with_entries(changed)
        found = {**entries, **changed}
        entries = {name: raw for name, raw in found.items() if raw is not None}
        assert tree == ordered(entries)
        assert parse_tree(tree.data, 20) == entries == tree.entries
        assert list(tree.entries) == list(parse_tree(tree.data, 20))


def test_few_trees_are_kept_in_parts_and_each_until_it_is_used() -> None:
    trees = OrderedTrees()
    one = ordered({b"a": (b"100644", b"1" * 20)})
    for number in range(20):
        trees.keep(str(number), one)
    assert len(trees._kept) == 8
    assert trees.of("19", {}) is one
    assert trees.of("19", {b"a": (b"100644", b"1" * 20)}) == one
    large = ordered({b"%d" % number: (b"100644", b"1" * 20) for number in range(30_000)})
    trees.keep("x", large)
    trees.keep("y", large)
    assert list(trees._kept) == ["y"]


def test_what_differs_is_found_once_and_is_the_askers_own(memory: Memory) -> None:
    trees = []
    for number in range(KEPT_DIFFERENCES + 2):
        commit = memory.commit({"a.md": f"{number}\n", "log/b.md": f"{number}\n"})
        trees.append(memory.git("rev-parse", f"{commit}^{{tree}}"))
    with opened(memory) as repository:
        expected = repository.differing(trees[0], trees[1])
        repository.differing(trees[0], trees[1]).clear()
        assert repository.differing(trees[0], trees[1]) == expected
        assert list(expected) == ["a.md", "log/b.md"]
        for tree in trees[1:]:
            repository.differing("", tree)
        assert len(repository._differing) == KEPT_DIFFERENCES
