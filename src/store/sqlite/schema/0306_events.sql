-- Append-only. A move has n = 0, so that a job has at most one per seq. Notes under the same seq
-- count from 1.
CREATE TABLE events (
  id         INTEGER PRIMARY KEY,
  job        INTEGER NOT NULL REFERENCES jobs (id),
  seq        INTEGER NOT NULL,
  n          INTEGER NOT NULL CHECK ((n = 0) = (type = 'MOVED')),
  type       TEXT    NOT NULL,
  at         INTEGER NOT NULL,
  from_state TEXT,
  to_state   TEXT,
  "on"       TEXT,
  "by"       TEXT,
  worker     INTEGER,
  reason     TEXT,
  data       TEXT CHECK (data IS NULL OR json_valid(data)),
  UNIQUE (job, seq, n)
) STRICT;

CREATE TRIGGER events_fixed BEFORE UPDATE ON events
BEGIN
  SELECT RAISE(ROLLBACK, 'events are append-only: no event is ever edited');
END;

CREATE TRIGGER events_kept BEFORE DELETE ON events
WHEN (SELECT "end" FROM jobs WHERE id = old.job) = 'open'
BEGIN
  SELECT RAISE(ROLLBACK, 'events of an open job are kept');
END;
