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
    number     INTEGER PRIMARY KEY,   -- entries.number
    page       INTEGER NOT NULL REFERENCES word_pages,
    kind       TEXT NOT NULL,
    status     TEXT NOT NULL,         -- superseded too where it names a successor
    valid_from TEXT NOT NULL,
    expiry     TEXT NOT NULL,
    date       TEXT NOT NULL,
    head       TEXT NOT NULL,         -- the terms of a short title, parted by blanks; "" for a long one
    length     INTEGER NOT NULL,
    terms      BLOB NOT NULL          -- terms.number of each, 4 bytes: what has to go when it goes
);

CREATE TABLE terms (
    number  INTEGER PRIMARY KEY,
    term    TEXT NOT NULL UNIQUE,
    entries INTEGER NOT NULL          -- how many have it
);

-- For each run of 2,048 numbers of entries: which of them have the term (4 bytes each, ascending), and
-- beside each one byte of how often and in how long an entry.
CREATE TABLE postings (
    term    INTEGER NOT NULL REFERENCES terms,
    run     INTEGER NOT NULL,
    numbers BLOB NOT NULL,
    weights BLOB NOT NULL,
    PRIMARY KEY (term, run)
) WITHOUT ROWID;
