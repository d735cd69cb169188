"""The one way for tests to see that a report is one."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from jsonschema import Draft202012Validator

if TYPE_CHECKING:
    from jsonschema.protocols import Validator


@cache
def schema() -> Validator:
    """The schema that ships with the package, itself checked."""
    text = files("wbmem_git").joinpath("report.schema.json").read_text(encoding="utf-8")
    loaded = json.loads(text)
    Draft202012Validator.check_schema(loaded)
    return Draft202012Validator(loaded)


def valid_report(report: Any) -> list[dict[str, Any]]:
    """The report, as it came, if it validates and its pages are in path order; fails otherwise."""
    faults = [f"{fault.json_path}: {fault.message}" for fault in schema().iter_errors(report)]
    assert not faults, "\n".join(faults)
    assert [page["page"] for page in report] == sorted(page["page"] for page in report)
    return list(report)
