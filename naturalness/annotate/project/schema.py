"""The tables of a project's file. What raters did is only ever added, never changed or removed."""

from __future__ import annotations

APPLICATION_ID = 0x4E41_5455
"""By which a project is told from other SQLite files: the letters NATU."""
VERSION = 1
"""Of the tables; a file with a higher one was made by a newer version of the package."""

_TABLES = (
    "CREATE TABLE settings (key TEXT PRIMARY KEY NOT NULL, value TEXT NOT NULL) WITHOUT ROWID",
    "CREATE TABLE texts (number INTEGER PRIMARY KEY, text TEXT NOT NULL, cells TEXT NOT NULL)",
    """CREATE TABLE questions (
        number INTEGER PRIMARY KEY, rater TEXT NOT NULL,
        first INTEGER NOT NULL REFERENCES texts, second INTEGER REFERENCES texts,
        reason TEXT NOT NULL, told TEXT NOT NULL, test INTEGER NOT NULL, again INTEGER NOT NULL,
        at TEXT NOT NULL)""",
    # When a question was put before its rater again: after a restart, or an undo.
    """CREATE TABLE shown (
        number INTEGER PRIMARY KEY, question INTEGER NOT NULL REFERENCES questions,
        at TEXT NOT NULL)""",
    """CREATE TABLE answers (
        number INTEGER PRIMARY KEY, question INTEGER NOT NULL REFERENCES questions,
        value REAL, note TEXT NOT NULL, cause TEXT NOT NULL, marks TEXT NOT NULL,
        seconds REAL NOT NULL, at TEXT NOT NULL)""",
    "CREATE TABLE undone (answer INTEGER PRIMARY KEY REFERENCES answers, at TEXT NOT NULL)",
    # Without a value, what was settled before is open again.
    """CREATE TABLE settled (
        number INTEGER PRIMARY KEY, first INTEGER NOT NULL REFERENCES texts,
        second INTEGER REFERENCES texts, value REAL, by TEXT NOT NULL, note TEXT NOT NULL,
        at TEXT NOT NULL)""",
)
_INDEXES = (
    "CREATE INDEX questions_of_rater ON questions (rater)",
    "CREATE INDEX shown_of_question ON shown (question)",
    "CREATE INDEX answers_of_question ON answers (question)",
)
_VIEWS = (
    # An answer is NULL where there is none in force; of skipped questions only its value is.
    """CREATE VIEW standing AS SELECT
        q.number, q.rater, q.first, q.second, q.reason, q.told, q.test, q.again,
        a.number AS answer, a.value, a.note, a.cause, a.marks, a.seconds, a.at,
        coalesce((SELECT max(s.at) FROM shown s WHERE s.question = q.number), q.at) AS seen
        FROM questions q LEFT JOIN answers a ON a.question = q.number
        AND NOT EXISTS (SELECT 1 FROM undone u WHERE u.answer = a.number)""",
)
_EVENTS = ("texts", "questions", "shown", "answers", "undone", "settled")
_TRIGGERS = (
    *(
        f"CREATE TRIGGER {table}_no_{event} BEFORE {event} ON {table} "
        f"BEGIN SELECT raise(ABORT, '{table} are only added'); END"
        for table in _EVENTS
        for event in ("update", "delete")
    ),
    """CREATE TRIGGER answers_one_in_force BEFORE INSERT ON answers
        WHEN EXISTS (SELECT 1 FROM answers a WHERE a.question = NEW.question
        AND NOT EXISTS (SELECT 1 FROM undone u WHERE u.answer = a.number))
        BEGIN SELECT raise(ABORT, 'the question is answered'); END""",
)
STATEMENTS = (*_TABLES, *_INDEXES, *_VIEWS, *_TRIGGERS)
"""All of them, in the order in which they are made."""
