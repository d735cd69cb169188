"""The modes of files that come: as the umask says where they are new, as they were where not."""

from __future__ import annotations

import os
import stat
import threading
from functools import partial
from typing import TYPE_CHECKING

import pytest
from children import exits_well, in_child

from wbmem_git.verbs.commit.working_files import laid_ready

if TYPE_CHECKING:
    from pathlib import Path


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.parametrize("mask", [0o002, 0o022, 0o077])
def test_a_new_file_has_the_mode_that_the_umask_says(tmp_path: Path, mask: int) -> None:
    def work() -> None:
        os.umask(mask)
        assert mode(laid_ready(tmp_path / "new", b"x", tmp_path)) == 0o666 & ~mask
        (tmp_path / "old").touch()
        (tmp_path / "old").chmod(0o751)
        assert mode(laid_ready(tmp_path / "old", b"x", tmp_path)) == 0o751

    assert exits_well(in_child(work))


def test_files_of_other_threads_keep_their_modes_meanwhile(tmp_path: Path) -> None:
    assert exits_well(in_child(partial(_beside_another_thread, tmp_path)))


def _beside_another_thread(folder: Path) -> None:
    """A umask that is set for a moment would be seen there: it belongs to the process."""
    os.umask(0o022)
    asked: list[int] = []
    set_umask = os.umask

    def told(mask: int) -> int:
        asked.append(mask)
        return set_umask(mask)

    os.umask = told
    writer = threading.Thread(target=laid_ready, args=(folder / "new", b"x", folder))
    writer.start()
    writer.join()
    assert asked == []
