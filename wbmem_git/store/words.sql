-- Full text: which entries have which terms, of the present. Each line of a page is in the terms of one entry.
-- No score depends on how rows are numbered, so a refresh ranks as a rebuild does.
CREATE TABLE word_totals (
    entries INTEGER NOT NULL,
    pages   INTEGER NOT NULL,
    length  INTEGER NOT NULL          -- terms of all entries
);
INSERT INTO word_totals VALUES (0, 0, 0);

CREATE TABLE word_pages (
    number  INTEGER PRIMARY KEY,
    path    TEXT NOT NULL UNIQUE,
    entries INTEGER NOT NULL,
    length  INTEGER NOT NULL
);

CREATE TABLE words (
    number  INTEGER PRIMARY KEY,      -- entries.number
    page    INTEGER NOT NULL REFERENCES word_pages,
    place   INTEGER NOT NULL,         -- entries.place
    kind    TEXT NOT NULL,            -- from here to head: what its rank depends on beside terms
    status  TEXT NOT NULL,
    valid_from TEXT NOT NULL,
    expiry  TEXT NOT NULL,
    date    TEXT NOT NULL,
    head    TEXT NOT NULL,            -- the terms of a short title, parted by blanks
    length  INTEGER NOT NULL,
    settled INTEGER NOT NULL          -- 1: its terms are among the postings
);
CREATE INDEX words_kept ON words (kind, status, date, valid_from, expiry);
CREATE INDEX words_unsettled ON words (number) WHERE settled = 0;

-- What an entry has among the postings.
CREATE TABLE word_terms (
    number  INTEGER PRIMARY KEY REFERENCES words,
    terms   BLOB NOT NULL,            -- each once, parted by line ends, deflated
    weights BLOB NOT NULL             -- a byte for each: how often, in how long an entry
);

-- For each run of 8,192 numbers of entries: which of them have the term (4 bytes each, ascending), and their
-- bytes. A run stands together, so a build only appends.
CREATE TABLE postings (
    run     INTEGER NOT NULL,
    term    TEXT NOT NULL,
    numbers BLOB NOT NULL,
    weights BLOB NOT NULL,
    PRIMARY KEY (run, term)
) WITHOUT ROWID;
