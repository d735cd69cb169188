"""Documents put together from the lines that Markdown parsers get wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import strategies as st

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

PREFIXES = (
    *("", "", "", "", "", " ", "  ", "   ", "    ", "     ", "\t", " \t", "  \t", "   \t"),
    *("- ", "-   ", "-     ", "-\t", "* ", "+ ", "1. ", "2. ", "1) ", "10. ", "123456789. ", "1234567890. "),
    *(
        " - ",
        "  - ",
        "   - ",
        "- - ",
        "> ",
        ">",
        ">  ",
        ">\t",
        "> > ",
        " > ",
        "  > ",
        "- > ",
        "> - ",
        "> 9. ",
    ),
)
HEADINGS = (
    *(
        "# h",
        "## h ##",
        "### c",
        "#",
        "##",
        "###\tx",
        "#x",
        "####### seven",
        "# #",
        "### ###",
        "## a #b",
        "# x\\#",
    ),
    *(
        "#\u00a0x",
        "###\u3000t",
        "# \u3000t\u3000",
        "# a \\##",
        "# \x0c",
        "# h <!-- x -->",
        "# `a",
        "\ufeff# x",
        "＃ x",
    ),
    *("===", "=", "---", "--", "-", "= =", "--- x", "--- ", "===\t", "- - -", "* * *", "***", "___"),
)
TEXTS = (
    *(
        "",
        "",
        "",
        "foo",
        "foo bar",
        "bar  ",
        "\\# x",
        "&#35; x",
        "| a | b |",
        "|---|---|",
        "    code",
        "\u00a0",
        "\u3000",
    ),
    *("[a]: /u", "[a]:", "[a]: /u 't", '[a]: <x> "t"', "'", "/url", "[a", "]: /u"),
    *(
        "\x00",
        "\x0c",
        "\x0b",
        "\x1c",
        "\x85",
        "\u2028",
        "\u2028# x",
        "*",
        "+",
        "1.",
        "2.",
        "0. x",
        "1.x",
        "-x",
        ">x",
        ">",
    ),
)
FENCES = (
    *(
        "```",
        "````",
        "~~~",
        "~~~~",
        "``` py",
        "``` a`b",
        "~~~ a`b",
        "``",
        "```` ",
        "~~~ ~~~",
        "```\t",
        "   ```",
    ),
)
HTML = (
    *(
        "<!-- a -->",
        "<!-- a",
        "-->",
        "<!-->",
        "<!--->",
        "<!--",
        "a -->",
        "<!-- user -->",
        "<!-- /user --> x",
        "<!-x",
    ),
    *(
        "<div>",
        "</div>",
        "<div",
        "<div/>",
        "<div/",
        "<DIV x",
        "<divx>",
        "<p>",
        "<linK>",
        "<div\u3000x>",
        "<details>",
    ),
    *(
        "<pre>",
        "</pre>",
        "<script>x</script>",
        "<script",
        "<style>",
        "<textarea x",
        "</script >",
        "<\u017fcript>",
    ),
    *("<?php", "?>", "<? x ?>", "<!DOCTYPE html>", "<!D", "<![CDATA[", "]]>", "<pre\u00a0x>", "<!d"),
    *(
        "<br>",
        "<br/>",
        "<a href='x'>",
        "<a href=x",
        '<a b c="d">',
        "</a>",
        "</a >",
        "<a>b",
        "<a\u00a0b>",
        "<a b=\u3000>",
    ),
    *("<https://x.y>", "<3", "< x", "</", "a <div>", "<a b"),
)
ENDS = ("\n",) * 12 + ("\n\n",) * 4 + ("\r\n", "\r", "\n \n", "\n\t\n", "\n\n\n", "\r\r\n")

BODIES = (*HEADINGS, *TEXTS, *FENCES, *HTML)


def random_document(chance: Random) -> str:
    """A few bodies behind a few prefixes, again and again: it takes the same mark twice to go wrong."""
    few = chance.random() < 0.7
    bodies = chance.sample(BODIES, chance.choice((3, 5, 8))) if few else BODIES
    prefixes = ("", "", *chance.sample(PREFIXES, 3)) if chance.random() < 0.6 else PREFIXES
    parts = []
    for _ in range(chance.choice((1, 2, 3, 3, 4, 4, 5, 6, 7, 8, 10, 14, 20))):
        second = chance.choice(prefixes) if chance.random() < 0.1 else ""
        parts.append(chance.choice(prefixes) + second + chance.choice(bodies) + chance.choice(ENDS))
    if chance.random() < 0.3:
        parts.append(chance.choice(("x", "  ", "\t", "# h", "---", "<!-- a", "```")))
    return "".join(parts)


def shrunk(text: str, is_bad: Callable[[str], bool]) -> str:
    """A bad text without whatever it is bad without: whole lines first, then characters."""
    for parts in (text.splitlines(keepends=True), None):
        pieces = parts if parts is not None else list(text)
        at = 0
        while at < len(pieces):
            without = "".join(pieces[:at] + pieces[at + 1 :])
            if is_bad(without):
                del pieces[at]
                at = 0
            else:
                at += 1
        text = "".join(pieces)
    return text


lines = st.builds(
    "{}{}{}{}".format,
    st.sampled_from(PREFIXES),
    st.sampled_from(("", "", "", *PREFIXES)),
    st.sampled_from(BODIES),
    st.sampled_from(ENDS),
)
documents = st.builds(
    "{}{}".format,
    st.lists(lines, min_size=1, max_size=14).map("".join),
    st.sampled_from(("", "", "", "x", "  ", "\t", "# h", "---", "<!-- a", "```")),
)

MARKUP = (
    *(
        "a",
        "B",
        "1",
        "foo",
        "字",
        "é",
        "e\u0301",
        " ",
        "  ",
        "\t",
        "\u00a0",
        "\u3000",
        "`",
        "``",
        "*",
        "**",
        "_",
        "__",
    ),
    *(
        "[",
        "]",
        "(",
        ")",
        "](",
        "!",
        "![",
        "<",
        ">",
        "<b>",
        "</b>",
        "<a href='`'>",
        "<x@y.z>",
        "<https://e.o>",
    ),
    *(
        "&",
        "&amp;",
        "&#65;",
        "&#x41;",
        "&x",
        ";",
        "; ",
        "&nbsp;",
        "\\",
        "\\*",
        "\\`",
        "\\a",
        "\n",
        "\r",
        "\x00",
        "\x0c",
    ),
    *(
        "-",
        ".",
        ":",
        "，",
        "“",
        "~",
        "|",
        "#",
        '"',
        "'",
        "[a]",
        "[a](b)",
        "![a](b)",
        "[ ]",
        "snake_case",
        "a*b",
        "2 * 3",
    ),
    *(
        "R&D",
        "->",
        "<-",
        "< ",
        "<= ",
        "`x_y`",
        "` a `",
        "`  `",
        "`](`",
        "𝒳",
        "ﬁ",
        "²",
        "٣",
        "\u0300",
        "\ufeff",
        "\u2028",
    ),
)
titles = st.lists(st.sampled_from(MARKUP), min_size=1, max_size=12).map("".join)


def random_title(chance: Random) -> str:
    """A few pieces of markup and text, again and again."""
    pieces = chance.sample(MARKUP, chance.choice((3, 5, 9, len(MARKUP))))
    return "".join(chance.choices(pieces, k=chance.choice((1, 2, 3, 4, 5, 6, 8, 10, 14))))
