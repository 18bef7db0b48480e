-- What the Telegram bot keeps. The ids of guests are Telegram's. `warned_of` is the end of access
-- that the guest was warned of, so that a warning goes out once for each.
CREATE TABLE bot_guests (
  id         INTEGER PRIMARY KEY,
  name       TEXT    NOT NULL,
  language   TEXT    NOT NULL,
  state      TEXT    NOT NULL CHECK (state IN ('guest', 'pending', 'active', 'blocked', 'expired')),
  user       INTEGER REFERENCES users (id),
  until      INTEGER,
  query      TEXT    NOT NULL DEFAULT '',
  changed_at INTEGER NOT NULL,
  warned_of  INTEGER,
  CHECK (state <> 'active' OR user IS NOT NULL)
) STRICT;

CREATE INDEX bot_guests_by_state ON bot_guests (state, id);
CREATE INDEX bot_guests_by_end ON bot_guests (until)
  WHERE state = 'active';

-- The folders and files that the bot shows. An entry keeps its id while it keeps its path, because
-- buttons of old messages name it. `round` is the last listing that had it.
CREATE TABLE bot_entries (
  id        INTEGER PRIMARY KEY,
  parent    INTEGER REFERENCES bot_entries (id),
  path      TEXT    NOT NULL UNIQUE,
  name      TEXT    NOT NULL,
  folded    TEXT    NOT NULL,
  is_folder INTEGER NOT NULL CHECK (is_folder IN (0, 1)),
  size      INTEGER NOT NULL CHECK (size >= 0),
  round     INTEGER NOT NULL,
  gone_at   INTEGER
) STRICT;

CREATE INDEX bot_entries_by_parent ON bot_entries (parent, is_folder DESC, folded, id)
  WHERE gone_at IS NULL;

-- The rounds of listings; the row of a round names the root.
CREATE TABLE bot_rounds (
  id          INTEGER PRIMARY KEY,
  root        INTEGER NOT NULL REFERENCES bot_entries (id),
  finished_at INTEGER
) STRICT;

-- Messages that show the progress of a job.
CREATE TABLE bot_posts (
  job      INTEGER PRIMARY KEY REFERENCES jobs (id),
  chat     INTEGER NOT NULL,
  message  INTEGER NOT NULL,
  entry    INTEGER REFERENCES bot_entries (id),
  language TEXT    NOT NULL,
  UNIQUE (chat, message)
) STRICT;

-- Updates of Telegram that were handled, so that a redelivered one does nothing.
CREATE TABLE bot_updates (
  id INTEGER PRIMARY KEY,
  at INTEGER NOT NULL
) STRICT;

CREATE INDEX bot_updates_by_time ON bot_updates (at);
