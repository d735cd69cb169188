"""The index as bytes: git reads what we write as if it had written it itself."""

from __future__ import annotations

import hashlib
import os
import random
from typing import TYPE_CHECKING

import pytest
from memory import Memory

from wbmem_git.store import index_file as module
from wbmem_git.store.index_file import IndexFile, read_index
from wbmem_git.store.trees import Entry

if TYPE_CHECKING:
    from pathlib import Path

NAMES = ("a", "a.md", "a-b", "a0", "b", "log", "é", "计划.md", "x y")
EMPTY = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"


def paths(chance: random.Random, count: int) -> list[str]:
    """Random paths; none is a folder of another."""
    found: list[str] = []
    for _ in range(count):
        depth = chance.choice((0, 0, 1, 2))
        path = "/".join([*(f"{chance.choice(NAMES)}.d" for _ in range(depth)), chance.choice(NAMES)])
        found.append(path)
    return list(dict.fromkeys(found))


def blob(memory: Memory, text: str) -> str:
    return memory.git("hash-object", "-w", "--stdin", stdin=text)


def staged(memory: Memory, data: bytes) -> tuple[str, str]:
    """What git finds in an index of these bytes: its entries, and its tree."""
    (memory.top / ".git/other").write_bytes(data)
    env = {"GIT_INDEX_FILE": str(memory.top / ".git/other")}
    return memory.git("ls-files", "--stage", env=env), memory.git("write-tree", env=env)


def by_git(memory: Memory, data: bytes, new: dict[str, Entry | None]) -> tuple[str, str]:
    (memory.top / ".git/another").write_bytes(data)
    env = {"GIT_INDEX_FILE": str(memory.top / ".git/another")}
    zero = "0" * len(blob(memory, ""))
    rows = "".join(f"{e.mode if e else 0} {e.oid if e else zero}\t{path}\0" for path, e in new.items())
    memory.git("update-index", "-z", "--index-info", env=env, stdin=rows)
    return memory.git("ls-files", "--stage", env=env), memory.git("write-tree", env=env)


def folders(memory: Memory, tree: str) -> dict[str, str]:
    said = memory.git("ls-tree", "-r", "-t", "-z", "-d", tree)
    rows = (row.partition("\t") for row in filter(None, said.split("\0")))
    return {"": tree} | {path: about.split()[2] for about, _, path in rows}


@pytest.mark.parametrize("options", [(), ("--object-format=sha256",)])
def test_git_reads_the_new_index_as_its_own(tmp_path: Path, options: tuple[str, ...]) -> None:
    memory = Memory.create(tmp_path / "handoff", *options)
    size = 32 if options else 20
    blobs = [blob(memory, text) for text in ("one\n", "two\n", "three\n")]
    for seed in range(12):
        chance = random.Random(seed)
        memory.git("read-tree", "--empty")
        every = paths(chance, 25)
        for path in every[:15]:
            memory.git("update-index", "--add", "--cacheinfo", f"100644,{chance.choice(blobs)},{path}")
        memory.git("write-tree")
        data = (memory.top / ".git/index").read_bytes()
        index = IndexFile(data, size)
        assert index.has_only_usual
        assert index.tree == memory.git("write-tree")
        new: dict[str, Entry | None] = {
            path: None
            if chance.random() < 0.3 and path in every[:15]
            else Entry("100755", chance.choice(blobs))
            for path in chance.sample(every, 8)
        }
        expected = by_git(memory, data, new)
        assert staged(memory, index.with_entries(new, {}, (), {})) == expected
        trees = folders(memory, expected[1])
        known = index.with_entries(new, {}, [chance.choice(every)], trees)
        assert vars(module._LAST[-1]) == vars(IndexFile(known, size))  # the next write finds it read
        assert IndexFile(known, size).tree == expected[1]
        assert staged(memory, known) == expected
        again = IndexFile(known, size).with_entries({every[0]: Entry("100644", blobs[0])}, {}, (), {})
        assert staged(memory, again)[1] == by_git(memory, known, {every[0]: Entry("100644", blobs[0])})[1]


def test_what_was_made_is_not_believed_where_another_file_lies(memory: Memory) -> None:
    memory.commit({"PLAN.md": "p\n"})
    place = memory.top / ".git/index"
    index, _ = read_index(str(place), 20)
    assert index is not None
    index.with_entries({"PLAN.md": None, "a.md": Entry("100644", EMPTY)}, {}, (), {})
    found, _ = read_index(str(place), 20)
    assert found is not None
    assert (found.entry("PLAN.md"), found.entry("a.md")) == (index.entry("PLAN.md"), None)
    assert len(module._LAST) == 1


def test_paths_out_of_order_are_left_to_git(memory: Memory) -> None:
    memory.commit({"a.md": "a\n", "b.md": "b\n"})
    place = memory.top / ".git/index"
    data = place.read_bytes()
    body = data.replace(b"a.md", b"x.md")[:-20]
    place.write_bytes(body + hashlib.sha1(body).digest())  # noqa: S324  # as git has it
    assert read_index(str(place), 20)[0] is None


def test_a_file_that_is_known_is_clean_and_a_later_edit_of_it_is_seen(memory: Memory) -> None:
    memory.commit({"PLAN.md": "old\n", "MEMORY.md": "other\n"})
    place = memory.top / ".git/index"
    index, written_s = read_index(str(place), 20)
    assert index is not None
    file = memory.write("PLAN.md", "new\n")
    new = {"PLAN.md": Entry("100644", blob(memory, "new\n"))}
    assert "MEMORY.md" in index.recent(written_s)
    place.write_bytes(index.with_entries(new, {"PLAN.md": file.lstat()}, (), {}))
    assert memory.git("diff-files") == ""
    memory.write("PLAN.md", "now\n")  # the same size, and maybe the same time
    assert memory.git("diff", "--name-only").split() == ["PLAN.md"]


def test_an_edit_that_its_time_doesnt_tell_is_found_by_git(memory: Memory) -> None:
    memory.commit({"PLAN.md": "old\n"})
    place = memory.top / ".git/index"
    index, _ = read_index(str(place), 20)
    assert index is not None
    time_ns = (memory.top / "PLAN.md").lstat().st_mtime_ns
    file = memory.write("PLAN.md", "new\n")
    os.utime(file, ns=(time_ns, time_ns))
    place.write_bytes(index.with_entries({}, {}, ["PLAN.md"], {}))
    os.utime(place, (time_ns // 10**9 + 9, time_ns // 10**9 + 9))
    assert memory.git("diff", "--name-only") == "PLAN.md"


def test_a_folder_whose_last_file_goes_is_in_no_tree(memory: Memory) -> None:
    memory.commit({"log/a.md": "a\n", "PLAN.md": "p\n"})
    index, _ = read_index(str(memory.top / ".git/index"), 20)
    assert index is not None
    tree = folders(memory, by_git(memory, index.data, {"log/a.md": None})[1])
    data = index.with_entries({"log/a.md": None}, {}, (), tree)
    assert IndexFile(data, 20).tree == tree[""]
    assert b"log\0" not in data


def test_a_tree_that_isnt_known_whole_is_not_believed(memory: Memory) -> None:
    memory.commit({"log/a.md": "a\n", "PLAN.md": "p\n"})
    index, _ = read_index(str(memory.top / ".git/index"), 20)
    assert index is not None
    data = index.with_entries({"log/b.md": Entry("100644", EMPTY)}, {}, (), {"": "1" * 40})
    assert IndexFile(data, 20).tree == ""


def test_what_a_sparse_checkout_leaves_out_stays_out(memory: Memory) -> None:
    memory.commit({"log/a.md": "a\n", "PLAN.md": "p\n"})
    memory.git("update-index", "--skip-worktree", "log/a.md")
    index, _ = read_index(str(memory.top / ".git/index"), 20)
    assert index is not None
    new = {"log/a.md": Entry("100644", blob(memory, "b\n")), "PLAN.md": Entry("100644", blob(memory, "q\n"))}
    (memory.top / ".git/index").write_bytes(index.with_entries(new, {}, (), {}))
    assert memory.git("ls-files", "-t").split("\n") == ["H PLAN.md", "S log/a.md"]


def test_an_intent_to_add_is_no_entry(memory: Memory) -> None:
    memory.commit({"PLAN.md": "p\n"})
    memory.write("MEMORY.md", "m\n")
    memory.git("add", "-N", "MEMORY.md")
    index, _ = read_index(str(memory.top / ".git/index"), 20)
    assert index is not None
    assert index.entry("MEMORY.md") is None
    assert index.tree == ""


@pytest.mark.parametrize("how", ["split", "version 4", "untracked cache", "unmerged", "damaged", "missing"])
def test_what_is_unusual_is_left_to_git(memory: Memory, how: str) -> None:
    memory.commit({"PLAN.md": "p\n"})
    place = memory.top / ".git/index"
    if how == "split":
        memory.git("update-index", "--split-index")
    elif how == "version 4":
        memory.git("update-index", "--index-version", "4")
    elif how == "untracked cache":
        memory.git("update-index", "--force-untracked-cache")
    elif how == "unmerged":
        oid = blob(memory, "p\n")
        rows = "".join(f"100644 {oid} {stage}\tPLAN.md\n" for stage in (1, 2))
        memory.git("update-index", "--index-info", stdin=f"0 {'0' * 40}\tPLAN.md\n{rows}")
    elif how == "damaged":
        place.write_bytes(place.read_bytes()[:40])
    else:
        place.unlink()
    assert read_index(str(place), 20)[0] is None


def test_a_path_is_no_file_and_folder_at_once(memory: Memory) -> None:
    memory.commit({"log/a.md": "a\n", "PLAN.md": "p\n"})
    index, _ = read_index(str(memory.top / ".git/index"), 20)
    assert index is not None
    one = Entry("100644", EMPTY)
    assert index.clash({"log": one}) == "log"
    assert index.clash({"PLAN.md/x": one}) == "PLAN.md/x"
    assert index.clash({"log": one, "log/a.md": None}) == ""
    assert index.clash({"PLAN.md/x": one, "PLAN.md": None}) == ""
    assert index.clash({"a/b": one, "a": one}) != ""
    assert index.clash({"log/b.md": one, "PLAN.md": one}) == ""


def test_a_hash_that_git_was_told_to_skip_is_skipped(memory: Memory) -> None:
    memory.commit({"PLAN.md": "p\n"})
    place = memory.top / ".git/index"
    place.write_bytes(place.read_bytes()[:-20] + b"\0" * 20)
    index, _ = read_index(str(place), 20)
    assert index is not None
    assert index.with_entries({"PLAN.md": None}, {}, (), {})[-20:] == b"\0" * 20


def test_whose_hash_git_checks(memory: Memory) -> None:
    memory.commit({"PLAN.md": "p\n"})
    index, _ = read_index(str(memory.top / ".git/index"), 20)
    assert index is not None
    data = index.with_entries({"PLAN.md": None}, {}, (), {})
    (memory.top / ".git/other").write_bytes(data)
    assert memory.git("fsck", env={"GIT_INDEX_FILE": str(memory.top / ".git/other"), **os.environ}) == ""
