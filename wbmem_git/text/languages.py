"""The languages of ledgers and boards: one table, a row a language; a third is a new row and nothing else.

A rule that reads words reads them from here, over all rows at once: people mix languages within a page.
Only the four section titles have to be of one language, ledger by ledger.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import re
    from collections.abc import Iterable

SECTION_WEIGHTS = {"type:dead-end": 0.35, "type:progress": 0.30, "type:goal": 0.20, "type:state": 0.15}
OTHER_SECTION_WEIGHT = 0.05


class Language(NamedTuple):
    """One language.

    Attributes:
        code: What `locale:` calls it.
        titles: (tag, title) of the four sections of a ledger, in the order of their weights.
        placeholders: What stands for text that isn't written yet (H3, S6); compared in any case and width.
        failures: What marks an item as failed (S2). A part of a word counts.
        reasons: What leads from an approach to the reason that it failed (S2), beside arrows.
        command_verbs: What begins a step that can be acted on (S3).
        nothing: What begins a sentence that says there is nothing to tell (S2).
        board: What the board is called (S5).
        forward: What looks ahead (P-S1, P-S3). A part of a word counts.
        labels: What stands before a colon and tells nothing of what follows: no topic, and no title.
        passing: What says that a line holds for a moment only (S4).
        password_words: What names a password (G5): nearly any value behind it counts.
        token_words: What names a key or token (G5): a value behind it counts where it looks random.
        copulas: What stands between that name and its value (G5), beside `:` and `=`.
        value_placeholders: Words that stand where a secret would and are none (G5).
        done_columns: Titles of columns whose cards are done (the default of `columns.done`).
    """

    code: str
    titles: tuple[tuple[str, str], ...]
    placeholders: tuple[str, ...]
    failures: tuple[str, ...]
    reasons: tuple[str, ...]
    command_verbs: tuple[str, ...]
    nothing: tuple[str, ...]
    board: tuple[str, ...]
    forward: tuple[str, ...]
    labels: tuple[str, ...]
    passing: tuple[str, ...]
    password_words: tuple[str, ...]
    token_words: tuple[str, ...]
    copulas: tuple[str, ...]
    value_placeholders: tuple[str, ...]
    done_columns: tuple[str, ...]

    def title(self, tag: str) -> str:
        """The title of the section that `tag` names.

        Raises:
            KeyError: It is none of the four.
        """
        return dict(self.titles)[tag]


def _listed(text: str) -> tuple[str, ...]:
    """What stands between the commas."""
    return tuple(word.strip() for word in text.split(","))


ENGLISH = Language(
    code="en",
    titles=(
        ("type:dead-end", "Tried and failed"),
        ("type:progress", "Progress and next step"),
        ("type:goal", "Goals"),
        ("type:state", "Task state"),
    ),
    placeholders=_listed(
        """
        TODO, TBD, TBA, WIP, N/A, ditto, same as above, as above, to be filled in, to be added,
        to be done, fill in later, placeholder
        """
    ),
    failures=("error", "fail", "bug"),
    reasons=("because", "reason:", "due to", "caused by"),
    command_verbs=_listed(
        """
        add, apply, ask, bisect, build, bump, call, change, check, clone, commit, compare,
        convert, copy, create, debug, delete, deploy, document, drop, edit, enable, extract,
        fetch, fix, implement, import, install, log, measure, merge, migrate, move, open,
        patch, port, profile, publish, pull, push, read, rebase, record, refactor, release,
        remove, rename, replace, reproduce, restart, retry, revert, review, rewrite, run, send,
        set, split, start, stop, switch, tag, test, trace, try, update, upgrade, use, verify,
        wire, write
        """
    ),
    nothing=("none", "nothing", "no "),
    board=("board",),
    forward=("next", "todo", "plan"),
    labels=_listed(
        """
        next step, next steps, next up, first, second, third, then, now, later, finally, step, steps, note,
        notes, nb, ps, done, tried, attempt, approach, option, result, results, outcome, conclusion, reason,
        cause, why, how, what, fix, fixed, solution, problem, issue, error, bug, status, update, progress,
        goal, decision, decided, question, answer, warning, caution, important, remember, tip, example, see,
        see also, also, fyi, summary, background, context, today, yesterday, tomorrow, wip, and, but, so,
        yes, no, ok, it, this, that, we, i
        """
    ),
    passing=("traceback (most recent call last)", "exit code", "stack trace"),
    password_words=("password", "passwd", "passphrase", "passcode", "pwd", "secret"),
    token_words=_listed(
        """
        token, api key, access key, secret key, private key, auth key, account key, signing key,
        encryption key, credential, credentials
        """
    ),
    copulas=("is", "is now", "set to", "changed to"),
    value_placeholders=_listed(
        """
        none, null, nil, undefined, true, false, empty, unset, required, optional, missing,
        invalid, incorrect, expired, rotated, revoked, unknown, redacted, removed, hidden, masked,
        changeme, change_me, example, placeholder, dummy, sample, string, varchar, integer, number,
        boolean, object, bytes, text, field, input, hashed, plaintext, encrypted, username, email,
        user, pass, password, passwd, passphrase, secret, token, credential, credentials
        """
    ),
    done_columns=("Done", "Archive", "History"),
)

CHINESE = Language(
    code="zh",
    titles=(
        ("type:dead-end", "已试方案与失败原因"),
        ("type:progress", "进度与下一步"),
        ("type:goal", "目标"),
        ("type:state", "任务状态"),
    ),
    placeholders=_listed(
        """
        待补充, 待填写, 待定, 待续, 同上, 略, 暂略, 占位, 以后再写
        """
    ),
    failures=("失败", "报错", "错误", "回滚"),
    reasons=("失败原因", "原因", "因为", "由于"),
    command_verbs=_listed(
        """
        运行, 执行, 打开, 修改, 改为, 编辑, 新增, 添加, 加上, 增加, 删除, 删掉, 移除, 移动,
        创建, 新建, 编写, 撰写, 写入, 补上, 补充, 补写, 实现, 修复, 修正, 替换, 重命名, 重写,
        重构, 重跑, 重试, 重启, 安装, 升级, 降级, 更新, 迁移, 部署, 发布, 提交, 推送, 拉取,
        合并, 拆分, 测试, 验证, 核对, 检查, 对比, 比较, 测量, 复现, 调试, 排查, 定位, 查看,
        阅读, 读取, 记录, 导入, 导出, 启用, 关闭, 切换, 调用, 接入, 联系, 询问, 确认
        """
    ),
    nothing=("无", "暂无", "尚无", "没有", "未发现"),
    board=("白板", "看板"),
    forward=("下一步", "待办", "计划"),
    labels=_listed(
        """
        方案, 方案一, 方案二, 方案三, 方法, 做法, 思路, 尝试, 试过, 已试, 下一步行动, 接下来, 然后,
        之后, 随后, 首先, 其次, 最后, 第一, 第二, 第三, 步骤, 备注, 注意, 注, 说明, 提示, 提醒,
        重要, 警告, 示例, 例如, 比如, 参考, 参见, 结果, 结论, 总结, 小结, 原因, 失败原因, 因为,
        所以, 但是, 另外, 此外, 问题, 错误, 缺陷, 修复, 解决, 解决方案, 状态, 现状, 进度, 进展,
        更新, 背景, 决定, 决策, 疑问, 回答, 今天, 昨天, 明天, 现在, 目前, 当前, 完成, 已完成,
        未完成, 是, 否, 好的
        """
    ),
    passing=("退出码", "堆栈"),
    password_words=("密码", "口令", "暗号", "密匙"),
    token_words=("密钥", "令牌", "私钥", "授权码"),
    copulas=("是", "为", "就是", "改成", "改成了", "改为", "设为", "设成", "设置为", "换成"),
    value_placeholders=_listed(
        """
        无, 空, 略, 待补充, 示例, 已隐藏, 已删除, 你的密码, 必填, 可选
        """
    ),
    done_columns=("完成", "已完成", "历史", "归档", "踩坑", "流水线要点"),
)

LANGUAGES = (CHINESE, ENGLISH)
"""The table. The order decides where a text belongs equally to several."""


@cache
def _tags() -> dict[str, str]:
    return {title: tag for language in LANGUAGES for tag, title in language.titles}


def section_tag(title: str) -> str:
    """The tag of a ledger's section by its title, to the letter; "" for any other title."""
    return _tags().get(title, "")


def language(code: str) -> Language:
    """The language that `locale:` names; English where no row has that code."""
    return next((row for row in LANGUAGES if row.code == code), ENGLISH)


def language_of(titles: Iterable[str], default: str = "en") -> Language:
    """The language that most of a ledger's titles belong to; `default` where none is one of the four."""
    found = tuple(titles)
    best = max(LANGUAGES, key=lambda row: sum(title in found for _, title in row.titles))
    return best if any(title in found for _, title in best.titles) else language(default)


def words(field: str) -> tuple[str, ...]:
    """A field of the table over all languages, as `words("forward")`."""
    return tuple(word for row in LANGUAGES for word in getattr(row, field))


@cache
def any_of(field: str) -> re.Pattern[str]:
    """Matches any word of that field, any case, also within a longer word."""
    import re  # what only looks at the words goes without it

    return re.compile("|".join(map(re.escape, words(field))), re.IGNORECASE)
