-- Jobs, their requests, and the rules that no program can bypass.

-- A batch's lane is the host of its first address: lower case, no port, no leading "www.". The lane
-- of any other lifecycle is its name.
-- `waits` is 1 while a leased job waits in its state and its worker does nothing for it.
-- A job does not begin before `not_before`: due_at is never set to an earlier time.
-- `priority` is 1 high, 0 normal or -1 low. Within an owner's turn in a lane, jobs with a higher one
-- go first.
-- `hidden_at` is when a user deleted the ended job: lists and counts leave it out. Its row, keys,
-- events, ledger and audit entries stay. A retry shows it again.
-- The hot row: narrow, because every move rewrites it. Columns that are seldom set stay NULL. Its
-- table checks do not use IN, because SQLite builds a table of the list at each check.
CREATE TABLE jobs (
  id            INTEGER PRIMARY KEY,
  lifecycle     TEXT    NOT NULL,
  state         TEXT    NOT NULL,
  "end"         TEXT    NOT NULL,
  seq           INTEGER NOT NULL CHECK (seq >= 0),
  fence         INTEGER NOT NULL CHECK (fence >= 0),
  attempt       INTEGER NOT NULL CHECK (attempt >= 0),
  retries       INTEGER NOT NULL DEFAULT 0,
  owner         INTEGER NOT NULL REFERENCES users (id),
  lane          TEXT    NOT NULL,
  due_at        INTEGER,
  paused        INTEGER NOT NULL CHECK (paused IN (0, 1)),
  waits         INTEGER NOT NULL DEFAULT 0,
  worker        INTEGER REFERENCES workers (id),
  created_at    INTEGER NOT NULL,
  moved_at      INTEGER NOT NULL,
  seen_at       INTEGER,
  started_at    INTEGER,
  ended_at      INTEGER,
  missing_since INTEGER,
  expires_at    INTEGER,
  slot          TEXT,
  key           TEXT,
  key_scope     TEXT,
  engine        TEXT,
  handle        TEXT,
  reason        TEXT,
  detail        TEXT,
  result        TEXT,
  retry_of      INTEGER REFERENCES jobs (id),
  not_before    INTEGER,
  priority      INTEGER NOT NULL DEFAULT 0 CHECK (priority BETWEEN -1 AND 1),
  hidden_at     INTEGER,
  CHECK ("end" = 'open' OR "end" = 'good' OR "end" = 'bad' OR "end" = 'stopped'),
  CHECK ((key IS NULL) = (key_scope IS NULL)),
  CHECK (key_scope IS NULL OR key_scope = 'forever' OR key_scope = 'window'
         OR key_scope = 'while_open' OR key_scope = 'freed')
) STRICT;

-- Owners take turns within a lane, so this sorts a lane by owner. A claim reads one level of priority
-- after the other, so the level comes before the due time.
CREATE INDEX jobs_due ON jobs (lane, owner, priority, due_at)
  WHERE "end" = 'open' AND worker IS NULL AND paused = 0;
-- Every claim counts the leased jobs of a lane.
CREATE INDEX jobs_leased ON jobs (lane, worker)
  WHERE worker IS NOT NULL;
CREATE INDEX jobs_open ON jobs (moved_at)
  WHERE "end" = 'open';
-- Lists by priority. Most jobs have the normal one and are not in it.
CREATE INDEX jobs_ranked ON jobs (priority)
  WHERE priority <> 0 AND "end" = 'open';
-- Lists by the time of the end.
CREATE INDEX jobs_ended ON jobs (ended_at)
  WHERE ended_at IS NOT NULL AND hidden_at IS NULL;
CREATE INDEX jobs_bad ON jobs (lifecycle, id)
  WHERE "end" = 'bad';
CREATE INDEX jobs_expiry ON jobs (expires_at)
  WHERE expires_at IS NOT NULL AND "end" = 'open';
CREATE INDEX jobs_owner ON jobs (owner);
-- When an owner has added the newest jobs of a lifecycle whose lane is its name. Batches, whose lanes
-- are hosts, are not in this index.
CREATE INDEX jobs_own ON jobs (lifecycle, owner)
  WHERE lane = lifecycle;
-- Quotas count the open jobs of a lifecycle whose lane is its name. Batches, whose lanes are hosts,
-- are not in this index.
CREATE INDEX jobs_own_open ON jobs (lifecycle, owner)
  WHERE lane = lifecycle AND "end" = 'open';
CREATE INDEX jobs_retry ON jobs (retry_of)
  WHERE retry_of IS NOT NULL;
-- Z-26: a slot or a key belongs to its owner. Two owners may use the same one, and neither finds the
-- other's job.
CREATE UNIQUE INDEX jobs_slot ON jobs (lifecycle, owner, slot)
  WHERE slot IS NOT NULL AND "end" = 'open';
CREATE UNIQUE INDEX jobs_key ON jobs (lifecycle, owner, key)
  WHERE key_scope IN ('forever', 'window');
CREATE UNIQUE INDEX jobs_key_open ON jobs (lifecycle, owner, key)
  WHERE key_scope = 'while_open' AND "end" = 'open';

-- The request, unchanged. haul reads it when work starts, not with every move. `category` is the one
-- that it names, for lists.
CREATE TABLE requests (
  job      INTEGER PRIMARY KEY REFERENCES jobs (id),
  body     TEXT NOT NULL,
  category TEXT
) STRICT;

CREATE INDEX requests_category ON requests (category, job)
  WHERE category IS NOT NULL;

-- The rules. In normal work none of these triggers fires, because haul checks before it writes.
-- RAISE takes only a literal. To raise a composed message, a trigger passes it to json_each as a
-- path: text that starts with a word is not a path, so json_each fails with that text in its error.
-- The path '$' is valid and finds nothing.
-- All triggers run before the write, and none calls a function or raises ABORT: if a statement
-- might have to be undone alone, SQLite copies every page that it touches. haul's own statements
-- (OR ROLLBACK) never have to be undone alone.

-- One trigger for both rules of a new row, because each trigger costs time. It also refuses a taken
-- id, slot or key: INSERT OR REPLACE would delete the existing row without firing a delete trigger.
CREATE TRIGGER jobs_birth BEFORE INSERT ON jobs
WHEN new.seq <> 0 OR new.due_at IS NULL OR new.ended_at IS NOT NULL OR new.worker IS NOT NULL
  OR NOT EXISTS (
    SELECT 1 FROM states
     WHERE lifecycle = new.lifecycle AND name = new.state AND "end" = new."end" AND is_initial)
  OR new.id <> -1 AND EXISTS (SELECT 1 FROM jobs WHERE id = new.id)
  OR new.slot IS NOT NULL AND EXISTS (
    SELECT 1 FROM jobs
     WHERE lifecycle = new.lifecycle AND owner = new.owner AND slot = new.slot AND "end" = 'open')
  OR new.key IS NOT NULL AND EXISTS (
    SELECT 1 FROM jobs
     WHERE lifecycle = new.lifecycle AND owner = new.owner AND key = new.key
       AND (key_scope IN ('forever', 'window') AND new.key_scope IN ('forever', 'window')
            OR key_scope = 'while_open' AND new.key_scope = 'while_open' AND "end" = 'open'))
BEGIN
  SELECT 1 FROM json_each('{}', iif(
    new.seq = 0 AND new.due_at IS NOT NULL AND new.ended_at IS NULL AND new.worker IS NULL
      AND EXISTS (
        SELECT 1 FROM states
         WHERE lifecycle = new.lifecycle AND name = new.state AND "end" = new."end" AND is_initial),
    '$',
    'refused: ' || new.lifecycle || ': (new) -> ' || new.state || ' is not how a job starts'));
  SELECT RAISE(ROLLBACK, 'jobs.id, jobs.slot or jobs.key is taken, and a job is never replaced');
END;

-- Names every column but hidden_at, the only one of an ended job that changes.
CREATE TRIGGER jobs_move
BEFORE UPDATE OF id, lifecycle, state, "end", seq, fence, attempt, retries, owner, lane, due_at,
                 paused, waits, worker, created_at, moved_at, seen_at, started_at, ended_at,
                 missing_since, expires_at, slot, key, key_scope, engine, handle, reason, detail,
                 result, retry_of, not_before, priority ON jobs
WHEN new.fence < old.fence
  OR iif(new.state = old.state,
         old."end" <> 'open' OR new."end" <> 'open' OR new.seq <> old.seq
           OR new.due_at IS NULL OR new.ended_at IS NOT NULL,
         new.seq <> old.seq + 1
           OR (new.due_at IS NULL) = (new.ended_at IS NULL)
           OR NOT EXISTS (
                SELECT 1 FROM moves
                 WHERE lifecycle = old.lifecycle AND from_state = old.state AND to_state = new.state
                   AND to_end = new."end" AND (to_leased OR new.worker IS NULL)
                   AND (to_end = 'open') = (new.ended_at IS NULL)))
BEGIN
  SELECT 1 FROM json_each('{}', iif(
    new.state = old.state OR EXISTS (
      SELECT 1 FROM moves
       WHERE lifecycle = old.lifecycle AND from_state = old.state AND to_state = new.state),
    '$',
    'refused: ' || old.lifecycle || ': ' || old.state || ' -> ' || new.state || ' is not a move'));
  SELECT CASE
    WHEN new.state = old.state AND old."end" <> 'open'
    THEN RAISE(ROLLBACK, 'an ended job does not change, other than by its declared retry')
    WHEN new.seq <> old.seq + (new.state <> old.state)
    THEN RAISE(ROLLBACK, 'seq counts the moves of a job: it grows by one with each, and only then')
    WHEN new.fence < old.fence
    THEN RAISE(ROLLBACK, 'fence only grows')
    ELSE RAISE(ROLLBACK, 'end, due_at, ended_at and worker follow from the state')
  END;
END;

CREATE TRIGGER jobs_fixed
BEFORE UPDATE OF id, lifecycle, owner, lane, created_at, slot, key, retry_of ON jobs
BEGIN
  SELECT RAISE(ROLLBACK, 'id, lifecycle, owner, lane, created_at, slot, key and retry_of are fixed when a job is added');
END;

CREATE TRIGGER jobs_not_before BEFORE UPDATE OF not_before ON jobs
BEGIN
  SELECT RAISE(ROLLBACK, 'not_before is fixed when a job is added');
END;

CREATE TRIGGER jobs_hidden BEFORE UPDATE OF hidden_at ON jobs
WHEN (new.hidden_at IS NULL) = (new."end" <> 'open')
  OR new.hidden_at IS NOT NULL AND old.hidden_at IS NOT NULL
BEGIN
  SELECT RAISE(ROLLBACK, 'only an ended job is hidden, once, and only its retry shows it again');
END;

CREATE TRIGGER jobs_kept BEFORE DELETE ON jobs
BEGIN
  SELECT RAISE(ROLLBACK, 'jobs are never deleted');
END;

CREATE TRIGGER requests_kept BEFORE DELETE ON requests
BEGIN
  SELECT RAISE(ROLLBACK, 'requests are never deleted');
END;

CREATE TRIGGER requests_replace BEFORE INSERT ON requests
WHEN EXISTS (SELECT 1 FROM requests WHERE job = new.job)
BEGIN
  SELECT RAISE(ROLLBACK, 'a request is never replaced');
END;

CREATE TRIGGER requests_fixed BEFORE UPDATE ON requests
BEGIN
  SELECT RAISE(ROLLBACK, 'a request is fixed when its job is added');
END;
