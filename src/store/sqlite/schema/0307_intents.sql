-- haul writes an intent before an outside act that is not safe to repeat.
CREATE TABLE intents (
  id         INTEGER PRIMARY KEY,
  job        INTEGER NOT NULL REFERENCES jobs (id),
  kind       TEXT    NOT NULL,
  state      TEXT    NOT NULL CHECK (state IN ('open', 'done', 'failed', 'unknown')),
  data       TEXT,
  outcome    TEXT,
  created_at INTEGER NOT NULL,
  settled_at INTEGER,
  CHECK ((state = 'open') = (settled_at IS NULL))
) STRICT;

CREATE UNIQUE INDEX intents_open ON intents (job, kind)
  WHERE state = 'open';
CREATE INDEX intents_open_kind ON intents (kind)
  WHERE state = 'open';
CREATE INDEX intents_job ON intents (job, id);
