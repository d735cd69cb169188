"""Cues: the names in a text, also right beside ideographs and full-width punctuation."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wbmem_git.text.cues import CUE_CHARS, cues_in
from wbmem_git.text.folding import fold

UUID = "550e8400-e29b-41d4-a716-446655440000"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        # paths
        ("见src/登录.ts的retry()", ("src/登录.ts", "retry()")),
        ("src/a.ts和src/b.ts", ("src/a.ts", "src/b.ts")),
        ("改src/store的代码，（tests/）。", ("src/store", "tests/")),
        ("（文档/设计.md）、登录.ts", ("文档/设计.md", "登录.ts")),
        ("/usr/bin/env ~/x ./run ../y/z.", ("/usr/bin/env", "~/x", "./run", "../y/z")),
        (r"C:\src\登录.ts。", (r"C:\src\登录.ts",)),
        (r"C:\Users\ada\配置.ini文件 D:\a_b\ x", (r"C:\Users\ada\配置.ini", "D:\\a_b\\")),
        ("src/a.py:42 src/a.py::TestLogin", ("src/a.py", "TestLogin")),
        ("[the docs](docs/how-to.md#part)", ("docs/how-to.md",)),
        ("and/or CI/CD 登录/注册 input/输出 2026/09/14 1/2 </div> a / b", ()),
        # dotted names
        (
            "os.path.join, PLAN.md; .gitignore 2026-09-14.md",
            ("os.path.join", "PLAN.md", ".gitignore", "2026-09-14.md"),
        ),
        ("使用Node.js的self.retry()", ("Node.js", "self.retry()")),
        ("e.g. i.e. etc. v1.2.3 3.14 end.", ()),
        # names of code
        (
            "snake_case GIT_INDEX_FILE CamelCase handleLogin HTTPServer",
            ("snake_case", "GIT_INDEX_FILE", "CamelCase", "handleLogin", "HTTPServer"),
        ),
        ("_word_ __bold__ IDs URLs Word WORD 2026_09_14 H2O", ()),
        ("调用handleLogin之后", ("handleLogin",)),
        # code
        ("`git commit -a`和``x `y` z``", ("git commit -a",)),
        ("`src/a.ts` `x` ` `", ("src/a.ts",)),
        ("`open\nclose` a", ()),
        ("`src/x y.py` `docs/a b/`", ("src/x y.py", "docs/a b/", "docs/a")),
        (r"`C:\Program Files\a.ini`", (r"C:\Program Files\a.ini",)),
        ("`bin/run src/x.py`", ("bin/run src/x.py", "bin/run", "src/x.py")),
        ("`./run x.py`和`cat x.py`", ("./run x.py", "./run", "x.py", "cat x.py")),
        # URLs
        (
            "https://example.org/a_(b)?x=1#y). 见https://example.org/a，后",
            ("https://example.org/a_(b)?x=1#y", "https://example.org/a"),
        ),
        ("<ssh://git@example.org:22/x.git>", ("ssh://git@example.org:22/x.git",)),
        (
            "https://例子.com/登录?a=1 见https://文档.例子.中国/x。https://a.b/登录?q=词&b=1看",
            ("https://例子.com/登录?a=1", "https://文档.例子.中国/x", "https://a.b/登录?q=词&b=1"),
        ),
        ("https://a.b/c看 https://例子.com/x和y http://开头的链接", ("https://a.b/c", "https://例子.com/x")),
        # commits, issues, errors, sessions
        ("在1a2b3c4d5e6f里", ("1a2b3c4d5e6f",)),
        (f"deadbeef 1234567 1a2b3c 1A2B3C4D {UUID}", ()),
        (
            "#12 issue#13 owner/repo#14 GH-15 PROJ-123 问题#7。",
            ("#12", "issue#13", "owner/repo#14", "GH-15", "PROJ-123", "#7"),
        ),
        ("UTF-8 SHA-256 &#123; #1a C# # 5", ()),
        ("TypeError ENOENT E0308 TS2345 ERROR EXIT", ("TypeError", "ENOENT", "E0308", "TS2345")),
        ("（session:demo-1a2b3c4d#12）", ("session:demo-1a2b3c4d#12",)),
        ("session:demo", ()),
    ],
)
def test_what_is_a_cue_and_what_is_none(text: str, found: tuple[str, ...]) -> None:
    assert cues_in(text) == found


def test_each_cue_once_as_it_was_written_first() -> None:
    assert cues_in("snake_case SNAKE_CASE ｓｎａｋｅ CamelCase camelcase") == ("snake_case", "CamelCase")


def test_what_nobody_would_type_is_left_out() -> None:
    long = "a_" * CUE_CHARS + "b"
    assert cues_in(f"{long} `{long}` src/{long} snake_case") == ("snake_case",)


@settings(deadline=None)
@given(st.text(alphabet="aB1_.-/#@+~:()`|\\登é（，。 \n"))
def test_cues_are_distinct_stand_in_the_text_and_stay_on_a_line(text: str) -> None:
    found = cues_in(text)
    assert len(set(map(fold, found))) == len(found)
    assert all(cue in text and cue == cue.strip() and "\n" not in cue for cue in found)
