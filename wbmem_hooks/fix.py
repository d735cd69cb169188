"""`wbmem-fix` of the pre-commit framework: anchors and archive files that a commit lacks, put in and staged.

As every fixer it fails the commit when it has changed something, so that a person looks before the next try.
"""

from __future__ import annotations

from time import gmtime, strftime

from wbmem_git.rules.wording import shown
from wbmem_git.store.repository import Repository
from wbmem_git.verbs.fix import fix
from wbmem_hooks import environment
from wbmem_hooks.voice import tell


def main(_argv: list[str]) -> int:
    """1 where something was mended."""
    now = strftime("%Y-%m-%dT%H:%M:%SZ", gmtime())
    with Repository.open(".", environment.read().variables, inside=True) as repository:
        done = fix(repository, now=now).done
    for each in done:
        tell(f"wbmem: {each.what}: {shown(each.path)}:{each.line}: {shown(each.title)}")
    changed = [each for each in done if each.what != "left"]
    if changed:
        tell(f"wbmem: {len(changed)} mended and staged; look at them (git diff --cached), then commit again")
    return 1 if changed else 0
