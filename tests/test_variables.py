"""The variables that are wbmem's own: each is named in one place, and the ones for users in the manual."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from wbmem_git import variables

ROOT = Path(__file__).resolve().parents[1]
NAME = re.compile(r"WBMEM_[A-Z]+")
NAMED = {value for value in vars(variables).values() if isinstance(value, str) and NAME.fullmatch(value)}


def test_no_other_module_spells_the_name_of_a_variable() -> None:
    found = {}
    for path in sorted((*ROOT.glob("wbmem_git/**/*.py"), *ROOT.glob("wbmem_hooks/**/*.py"))):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        said = {
            node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and node.value in NAMED
        }
        if said:
            found[path.relative_to(ROOT).as_posix()] = said
    assert found == {"wbmem_git/variables.py": NAMED}


def test_every_variable_that_any_module_tells_of_is_in_the_table() -> None:
    told = {
        name
        for folder in ("wbmem_git", "wbmem_hooks")
        for path in ROOT.glob(f"{folder}/**/*.py")
        for name in re.findall(r"(?<![_A-Z])WBMEM_[A-Z]+", path.read_text(encoding="utf-8"))
    }
    assert told == NAMED


def test_those_for_users_are_in_the_docs() -> None:
    docs = "".join(path.read_text(encoding="utf-8") for path in ROOT.glob("docs/*.md"))
    assert [name for name in sorted(NAMED) if name not in docs] == [variables.REMARKS]


def test_the_sidecar_follows_unless_it_is_told_never_to() -> None:
    assert [variables.follows({variables.DETACH: said}) for said in ("", "0", "1", "never")] == [
        *(True, True, True),
        False,
    ]
    assert variables.follows({})
