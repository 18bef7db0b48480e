-- The store's own names and secrets, and how long workers have run.
-- In all tables times are milliseconds since 1970, UTC. SQLite does not check foreign keys at every
-- write, because haul writes ids that it has just read; the tests check the whole file with
-- foreign_key_check.

CREATE TABLE meta (
  name  TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- How long workers have run, and the wall-clock times of those periods. Expiry and retention count
-- this time only, so that a clock that is wrong at boot hastens neither.
CREATE TABLE stretches (
  id           INTEGER PRIMARY KEY,
  from_at      INTEGER NOT NULL,
  to_at        INTEGER NOT NULL,
  lived_before INTEGER NOT NULL,
  CHECK (from_at <= to_at)
) STRICT;
