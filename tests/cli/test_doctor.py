"""`wbmem doctor` as a person types it: exit status, `--json`, and where there is no memory."""

from __future__ import annotations

import json
import os
import shutil
import time
from typing import TYPE_CHECKING

import pytest
from memory import Memory

if TYPE_CHECKING:
    from pathlib import Path

    from desk import Desk, Run


@pytest.mark.parametrize(("lock", "status"), [("index.lock", 1), ("packed-refs.lock", 0)])
def test_what_stops_every_commit_is_exit_status_1(run: Run, it: Desk, lock: str, status: int) -> None:
    run("hooks", "install")
    path = it.memory.top / ".git" / lock
    path.write_text("")
    os.utime(path, (time.time() - 7200, time.time() - 7200))
    done, out, _ = run("doctor")
    assert done == status
    level = "bad" if status else "warn"
    assert f"{level:<4} locks: {path} is 2 h old" in out
    assert "     next: see that none works here from another machine" in out
    done, out, _ = run("doctor", "--json")
    (fact,) = (one for one in json.loads(out) if one["about"] == "locks")
    assert (done, list(fact), fact["level"]) == (status, ["about", "level", "message", "next"], level)


def test_a_repository_that_swallowed_the_memory_is_told_where_there_is_none(
    run: Run, it: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    outer = Memory.create(it.memory.top.parent)
    name = it.memory.top.name
    outer.git("-c", "advice.addEmbeddedRepo=false", "add", name)
    outer.git("commit", "-qm", "swept in")
    shutil.rmtree(it.memory.top)
    it.memory.top.mkdir()
    monkeypatch.chdir(outer.top)
    for words in (("doctor",), ("-w", name, "doctor")):
        status, out, _ = run(*words)
        assert status == 1
        assert f"records {name} as a gitlink without a submodule" in out
    status, out, _ = run("doctor", "--json")
    assert (status, [one["about"] for one in json.loads(out)]) == (1, ["outer"])


def test_where_nothing_is_doctor_says_so(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for words in (("doctor",), ("-w", "nowhere", "doctor")):
        status, _, err = run(*words)
        assert status == 2
        assert "no memory here" in err
