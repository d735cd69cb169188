"""What a URL looks like within a text whose words may have no blanks between them.

Wide characters belong to it where they begin a part of it, behind `/`, `?`, `#`, `=` or `&`, or are a label
of the host (`https://例子.com/登录?a=1`); where an ASCII part meets one, it ends (`见https://a.b/c看`).
"""

from __future__ import annotations

from typing import Final

WIDE: Final = "[^\\W\x00-\x7f]"
URL: Final = (
    rf"(?<![A-Za-z0-9])[A-Za-z][A-Za-z0-9+-]{{1,15}}+://(?=[A-Za-z0-9\[]|{WIDE}++[A-Za-z0-9-]*+\.\w)"
    rf"(?:[!\#-&(-;=?-_a-z{{|}}~]++|(?<=[/?\#=&]){WIDE}++|(?<=\.){WIDE}++(?=[.:/]))++"
)
"""A regular expression, good in verbose mode too."""
