"""A stand-in for `typing` in the one process whose milliseconds are counted.

`typing` takes 3 ms to load, and compiles each annotation of a named tuple, 3 ms more for ours: a twelfth of
what a commit takes. Nobody in a hook looks at a type. So a native hook starts with this module in its place:
it has what our own modules take from `typing`, and hands over to the real one for any other name, and before
anything from site-packages is imported.
"""

from __future__ import annotations

import sys
from collections import namedtuple
from types import ModuleType

LATEST = (3, 14)
"""From here on a class keeps its annotations elsewhere, and `typing` itself has to look for them."""
OURS = ("wbmem_git", "wbmem_hooks")
_OF_THE_CLASS = {"__annotations__", "__module__", "__qualname__", "__classcell__"}


class StandIn(ModuleType):
    """`typing`, as far as our modules need it while they run."""

    def __getattr__(self, name: str) -> object:
        """Any other name is the real module's; the import system asks for some that no module has to have."""
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(restore(), name)


class _MakesTuples(type):
    """Makes of a class body with annotations a named tuple with its methods."""

    def __new__(cls, name: str, bases: tuple[type, ...], body: dict[str, object]) -> type:
        if not bases:
            return super().__new__(cls, name, bases, body)
        annotations: dict[str, object] = body.get("__annotations__", {})  # type: ignore[assignment]
        fields = list(annotations)
        defaults = [body.pop(field) for field in fields if field in body]
        made = namedtuple(name, fields, defaults=defaults, module=str(body["__module__"]))  # type: ignore[misc]  # noqa: PYI024
        for key, value in body.items():
            if key not in _OF_THE_CLASS:
                setattr(made, key, value)
        made.__annotations__ = annotations
        return made


class _NamedTuple(metaclass=_MakesTuples):
    """What `typing.NamedTuple` is to a class statement."""


class _Anything:
    """A special form: whatever is asked of it, nobody looks at the answer."""

    def __getitem__(self, _: object) -> object:
        return self


def stand_in() -> bool:
    """Take the place of `typing`, unless somebody has loaded it already; whether that was done."""
    if "typing" in sys.modules or sys.version_info >= LATEST:
        return False
    module = StandIn("typing")
    anything = _Anything()
    module.__dict__.update(
        TYPE_CHECKING=False,
        NamedTuple=_NamedTuple,
        cast=lambda _, value: value,
        **dict.fromkeys(("Any", "Final", "Literal", "Self"), anything),
    )
    sys.modules["typing"] = module
    return True


class _GivesWay:
    """A finder before all others that finds nothing: it sees who comes."""

    @staticmethod
    def find_spec(name: str, path: object = None, target: object = None) -> None:
        """Before a module that is neither ours nor the standard library's, `typing` is the real one."""
        del target
        if path is None and not name.startswith(OURS) and name not in sys.stdlib_module_names:
            sys.meta_path[:] = [one for one in sys.meta_path if one is not _GivesWay]
            restore()


def give_way() -> None:
    """Where Python was started with site-packages: be gone before anything from there is imported."""
    sys.meta_path.insert(0, _GivesWay)


def restore() -> ModuleType:
    """The real `typing`, from now on for everybody who imports it."""
    if isinstance(sys.modules.get("typing"), StandIn):
        del sys.modules["typing"]
    return __import__("typing")
