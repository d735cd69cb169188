-- The sidecar: what is derived from the commits of a memory so that questions are answered at once.
-- Everything here comes back from git; the file may be deleted at any time.
-- user_version tells a sidecar from any other file of SQLite; `format` in meta, whether it has these tables.
PRAGMA user_version = 1;

-- head: the commit that all of this was built from; key, settings, rules: what it was built by.
CREATE TABLE meta (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL
) WITHOUT ROWID;

-- The past. A commit's first parent's list, then what it merged, then itself: so the list of a commit begins
-- with that of its first parent, and a further commit only adds to it.
CREATE TABLE commits (
    seq     INTEGER PRIMARY KEY,      -- 1, 2, 3 … in that order
    oid     TEXT NOT NULL UNIQUE,
    parents TEXT NOT NULL,            -- their seqs, the first parent first, parted by blanks
    chain   INTEGER NOT NULL,         -- 1: on the chain of first parents from head
    time    INTEGER NOT NULL,         -- the committer's, in seconds
    author  TEXT NOT NULL,
    actor   TEXT NOT NULL,            -- agent, human
    subject TEXT NOT NULL
);

-- What messages say for programs: the trailers `Wbmem-…`, each once a commit.
CREATE TABLE trailers (
    key   TEXT NOT NULL,              -- in lower case: wbmem-key wbmem-actor …
    value TEXT NOT NULL,
    seq   INTEGER NOT NULL REFERENCES commits,
    PRIMARY KEY (key, value, seq)
) WITHOUT ROWID;
CREATE INDEX trailers_seq ON trailers (seq);

-- What a commit did to a card or entry (its own id) and to a page as a whole (the id of its empty title).
CREATE TABLE revisions (
    id     TEXT NOT NULL,
    seq    INTEGER NOT NULL REFERENCES commits,
    kind   TEXT NOT NULL,             -- created edited moved renamed archived restored superseded removed
    path   TEXT NOT NULL,             -- where it stands now; where it stood, if it is gone
    blob   TEXT NOT NULL,             -- that page's, "" if it is gone
    before TEXT NOT NULL DEFAULT '',  -- renamed: the id that it had
    hidden INTEGER NOT NULL DEFAULT 0,  -- the seq of the merge that went on with the other side, 0 for none
    PRIMARY KEY (id, seq)
) WITHOUT ROWID;
CREATE INDEX revisions_seq ON revisions (seq);
CREATE INDEX revisions_hidden ON revisions (hidden) WHERE hidden <> 0;
CREATE INDEX revisions_hidden_id ON revisions (id, hidden) WHERE hidden <> 0;
CREATE INDEX revisions_archive ON revisions (seq) WHERE hidden = 0 AND substr(path, 1, 8) = 'archive/';

-- events.jsonl, in its order. ids and rules are JSON lists.
CREATE TABLE events (
    number INTEGER PRIMARY KEY,
    seq    INTEGER NOT NULL REFERENCES commits,
    event  TEXT NOT NULL,
    page   TEXT NOT NULL,
    ids    TEXT NOT NULL,
    rules  TEXT NOT NULL
);
CREATE INDEX events_seq ON events (seq, page);

-- The present: head's tree.
CREATE TABLE pages (
    number INTEGER PRIMARY KEY,
    path   TEXT NOT NULL UNIQUE,
    id     TEXT NOT NULL,             -- of its empty title
    kind   TEXT NOT NULL,             -- model.PageKind
    layer  TEXT NOT NULL,             -- whiteboard ledger memory pinned log archive user, or ""
    blob   TEXT NOT NULL
);
CREATE INDEX pages_id ON pages (id);
CREATE INDEX pages_kind ON pages (kind, substr(path, 1, length(path) - 3));  -- as ledgers are ordered

CREATE TABLE entries (
    number     INTEGER PRIMARY KEY,
    page       INTEGER NOT NULL REFERENCES pages,
    place      INTEGER NOT NULL,      -- 0, 1, 2 … on the page
    id         TEXT NOT NULL,
    kind       TEXT NOT NULL,         -- text.content.ContentKind
    line       INTEGER NOT NULL,
    end        INTEGER NOT NULL,
    section    TEXT NOT NULL,
    title      TEXT NOT NULL,
    text       TEXT NOT NULL,         -- as it stands, LF
    own        TEXT,                  -- what of it no smaller entry holds; NULL: all of it
    preview    TEXT NOT NULL,
    sentence   TEXT NOT NULL,
    status     TEXT NOT NULL,
    date       TEXT NOT NULL,
    valid_from TEXT NOT NULL,
    expiry     TEXT NOT NULL,
    weight     REAL NOT NULL,         -- of its section
    successor  TEXT NOT NULL,         -- the id that it says supersedes it, or ""
    suspect    INTEGER NOT NULL,      -- 1: it may hold a credential (text.suspicion)
    shown      TEXT NOT NULL          -- what index.json says of it from section to text_preview: JSON without braces
);
CREATE INDEX entries_id ON entries (id);
CREATE INDEX entries_page ON entries (page, place);

-- Tags and cues are looked up by their folded form and shown as they were written.
CREATE TABLE tags (
    folded TEXT NOT NULL,
    entry  INTEGER NOT NULL REFERENCES entries,
    tag    TEXT NOT NULL,
    nth    INTEGER NOT NULL,          -- 0, 1, 2 … in the order in which it has them
    PRIMARY KEY (folded, entry)
) WITHOUT ROWID;
CREATE INDEX tags_entry ON tags (entry);

CREATE TABLE cues (
    folded TEXT NOT NULL,
    entry  INTEGER NOT NULL REFERENCES entries,
    cue    TEXT NOT NULL,
    nth    INTEGER NOT NULL,          -- 0, 1, 2 … in the order in which it has them
    PRIMARY KEY (folded, entry)
) WITHOUT ROWID;
CREATE INDEX cues_entry ON cues (entry);

-- The commit that changed an entry last: of its own last visible revision; of its page's for what has no history
-- of its own (a bullet, a section, a day's log); 0 where no commit is known.
CREATE VIEW latest AS
SELECT entries.number AS entry, entries.page AS page, coalesce(
    CASE WHEN entries.kind NOT IN ('section', 'leaf', 'log') THEN
        (SELECT seq FROM revisions WHERE id = entries.id AND hidden = 0 ORDER BY seq DESC LIMIT 1)
    END,
    (SELECT seq FROM revisions WHERE id = (SELECT id FROM pages WHERE number = entries.page) AND hidden = 0
     ORDER BY seq DESC LIMIT 1),
    0) AS seq
FROM entries;
