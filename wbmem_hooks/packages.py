"""Site-packages at the first import that needs them.

A hook starts with `python -I -S`: no site-packages, no `.pth` files, none of the milliseconds that they cost.
Most commits need nothing from there. Where one does (markdown-it for an ambiguous page, YAML for new
settings), the import that would fail calls `site` first and then finds what a normal start finds: in a
virtual environment, an editable install, a user's own site.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from wbmem_hooks.light_typing import restore

if TYPE_CHECKING:
    from collections.abc import Sequence
    from importlib.machinery import ModuleSpec
    from types import ModuleType


class LateSitePackages:
    """A finder behind all others: asked only for what none of them has."""

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The spec of a top-level module once site-packages are in; None for what only other systems have."""
        if path is not None or name in sys.stdlib_module_names:
            return None
        sys.meta_path.remove(self)
        import site  # the milliseconds that this class saves

        restore()
        site.main()
        return _find(name, target) or _find_in_user_site(name, target)


def _find(name: str, target: ModuleType | None) -> ModuleSpec | None:
    """What all finders say, also those that an editable install's `.pth` file has just put there."""
    for finder in list(sys.meta_path):
        spec = finder.find_spec(name, None, target)
        if spec is not None:
            return spec
    return None


def _find_in_user_site(name: str, target: ModuleType | None) -> ModuleSpec | None:
    """The user's own site, which `-I` leaves out: `pip install --user` put wbmem's libraries there."""
    import site

    if sys.prefix != sys.base_prefix:  # a virtual environment has everything of its own
        return None
    site.addsitedir(site.getusersitepackages())
    return _find(name, target)


def defer() -> None:
    """Put the finder in place where Python was started without `site`."""
    if sys.flags.no_site:
        sys.meta_path.append(LateSitePackages())
