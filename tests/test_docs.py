"""What the docs say is so: generated pages are up to date, every example is judged as its page says."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

import pytest
from generate_docs import DOCS, PAGES
from rules.building import change_of
from rules.loader import SETTINGS, Case, Content, card_id

from wbmem_git.rules.check import check
from wbmem_git.text.allowance import add_allow
from wbmem_git.text.keys import KEYS
from wbmem_git.text.languages import LANGUAGES
from wbmem_git.verbs.doctor.doctor import OLDEST_GIT
from wbmem_git.verbs.explain import EVERY, manual
from wbmem_git.verbs.report import as_text

if TYPE_CHECKING:
    from pathlib import Path

    from wbmem_git.rules.registry import Rule
    from wbmem_git.text.keys import Key
    from wbmem_git.verbs.lint.lint import LintRule

BOARD = """# Board

## Doing

### Fix the login timeout
<!-- memory:{en} -->
<!-- status: current / date: 2026-09-14 -->
Next: the handlers.

## 进行中

### 修复登录超时
<!-- memory:{zh} -->
<!-- status: current / date: 2026-09-14 -->
下一步：处理函数。
""".format(en=card_id("Fix the login timeout"), zh=card_id("修复登录超时"))
EXAMPLE = re.compile(
    r"^```markdown (?P<kind>good|bad) (?P<path>\S+)\n(?P<text>.*?)^```\n(?:\n```text\n(?P<said>.*?)^```\n)?",
    re.MULTILINE | re.DOTALL,
)


class Example(NamedTuple):
    """An example of docs/criteria.md: a page, and what the report says of it ("" where it is good)."""

    kind: str
    path: str
    text: str
    said: str
    line: int


def examples() -> list[Example]:
    page = (DOCS / "criteria.md").read_text(encoding="utf-8")
    return [
        Example(m["kind"], m["path"], m["text"], m["said"] or "", page.count("\n", 0, m.start()) + 1)
        for m in EXAMPLE.finditer(page)
    ]


def report_on(example: Example) -> str:
    """The report on an agent's commit that adds the page; a ledger finds a board there."""
    start = {"wbmem.yaml": Content(SETTINGS.encode())}
    if example.path != "PLAN.md":
        start["PLAN.md"] = Content(BOARD.encode())
    title = re.search("^### (.*)$", example.text, re.MULTILINE)
    text = example.text.replace("{id}", card_id(title[1]) if title else "")
    new = {**start, example.path: Content(text.encode())}
    case = Case("", 0, "", ("agent",), start, start, (start,), new, new, (), "", ())
    return as_text(check(change_of(case, "agent")))


def without_result(report: str) -> str:
    return report[: report.rindex("\n", 0, -1) + 1] if report.count("\n") > 1 else ""


@pytest.mark.parametrize("example", examples(), ids=lambda example: f"{example.line} {example.kind}")
def test_the_gate_says_of_an_example_what_the_page_says(example: Example) -> None:
    assert without_result(report_on(example)) == example.said
    assert bool(example.said) == (example.kind == "bad")


def test_a_bad_ledger_is_refused_and_a_good_one_passes() -> None:
    for example in examples():
        if example.path != "PLAN.md":
            result = report_on(example).splitlines()[-1]
            assert result.startswith("passed: nothing" if example.kind == "good" else "refused: ")


def test_there_is_a_good_and_a_bad_ledger_in_each_language() -> None:
    found = {
        (example.kind, language.code)
        for example in examples()
        for language in LANGUAGES
        if f"\n## {language.title('type:state')}\n" in example.text
    }
    assert found == {(kind, language.code) for kind in ("good", "bad") for language in LANGUAGES}


@pytest.mark.parametrize("name", PAGES)
def test_a_generated_page_is_up_to_date(name: str) -> None:
    assert (DOCS / name).read_text(encoding="utf-8") == PAGES[name](), "make docs writes it"


@pytest.mark.parametrize("rule", EVERY, ids=lambda rule: rule.id)
def test_a_rule_has_a_manual(rule: Rule | LintRule) -> None:
    """What it asks, why, and how to mend: whoever is refused reads nothing else."""
    text = manual(rule)
    assert "Why: " in text
    assert "How to mend: " in text
    assert "\n" not in text.partition("\n\n")[0]


@pytest.mark.parametrize("key", KEYS, ids=lambda key: key.name)
def test_the_template_shows_every_key(key: Key) -> None:
    template = (DOCS.parent / "templates" / "wbmem.yaml").read_text(encoding="utf-8")
    assert re.search(rf"^#? *{key.name.rpartition('.')[2]}:", template, re.MULTILINE)


# --- pages that people write ------------------------------------------------------------------------------

ROOT = DOCS.parent
PAGES_OF_PEOPLE = [*sorted(ROOT.glob("*.md")), *sorted(DOCS.glob("*.md"))]
LINK = re.compile(r"(?<!!)\[[^]]*\]\((?P<target>[^()\s]+)\)")


def modules() -> set[str]:
    """Every module as docs/architecture.md names it: `text.page`, `hooks.gate`."""
    found = set()
    for package, prefix in (("wbmem_git", ""), ("wbmem_hooks", "hooks.")):
        for path in (ROOT / package).rglob("*.py"):
            name = ".".join(path.relative_to(ROOT / package).with_suffix("").parts)
            if not name.endswith("__init__"):
                found.add(prefix + name)
    return found


def test_the_architecture_has_a_line_for_each_module() -> None:
    page = (DOCS / "architecture.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| `((?!wbmem_)[a-z_.]+)` \| ", page, re.MULTILINE)
    assert sorted(listed) == sorted(modules())


@pytest.mark.parametrize("page", PAGES_OF_PEOPLE, ids=lambda page: page.name)
def test_every_link_leads_somewhere(page: Path) -> None:
    text = without_code(page.read_text(encoding="utf-8"))
    for link in LINK.finditer(re.sub("`[^`\n]+`", "", text)):
        path, _, anchor = link["target"].partition("#")
        if "://" in path:
            continue
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), f"{page.name}: {link[0]}"
        assert not anchor or anchor in anchors(target), f"{page.name}: {link[0]}"


def anchors(page: Path) -> set[str]:
    """What the headings of a page can be linked by, as forges make it of their text."""
    headings = re.findall("^#+ (.*)$", without_code(page.read_text(encoding="utf-8")), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def without_code(text: str) -> str:
    return re.sub("^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("name", ["README.md", "README.zh-CN.md"])
def test_the_oldest_git_and_python_are_those_that_are_asked_for(name: str) -> None:
    page = (ROOT / name).read_text(encoding="utf-8")
    assert re.findall(r"git (\d+)\.(\d+)\+", page) == [tuple(map(str, OLDEST_GIT))]
    (python,) = re.findall(r"Python (\d+\.\d+)\+", page)
    assert f'requires-python = ">={python}"' in (ROOT / "pyproject.toml").read_text(encoding="utf-8")


def test_an_allowance_is_added_to_a_file_from_the_template() -> None:
    template = (DOCS.parent / "templates" / "wbmem.yaml").read_text(encoding="utf-8")
    text = template.replace("{workspace}", "demo").replace("{locale}", "zh")
    assert add_allow(text, "0123456789abcdef") == f'{text}allow:\n  - "0123456789abcdef"\n'
