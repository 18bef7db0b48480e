-- The items of a batch, and its counters: downloaded, skipped, failed and cancelled are disjoint.
-- Both tables are written often, so their triggers keep to the limits named at the rules of jobs.

-- One integer key, made of the job and the item's number: an item is written three times in its life,
-- and a lookup by two columns costs as much as the write.
CREATE TABLE items (
  id         INTEGER PRIMARY KEY,
  job        INTEGER NOT NULL REFERENCES jobs (id),
  n          INTEGER NOT NULL,
  key        TEXT    NOT NULL,
  url        TEXT    NOT NULL,
  state      TEXT    NOT NULL,
  attempt    INTEGER NOT NULL DEFAULT 0,
  tries      INTEGER NOT NULL DEFAULT 0,
  due_at     INTEGER NOT NULL DEFAULT 0,
  have       INTEGER NOT NULL DEFAULT 0,
  size       INTEGER,
  path       TEXT,
  checkpoint TEXT,
  evidence   TEXT,
  reason     TEXT,
  detail     TEXT,
  updated_at INTEGER NOT NULL,
  UNIQUE (job, key),
  CHECK (id = (job << 24) + n AND n > 0 AND n < 1 << 24)
) STRICT;

-- Finds the receipts of an address: the items that landed, whose evidence says how.
CREATE INDEX items_receipts ON items (key)
  WHERE evidence IS NOT NULL;

-- `bytes` is the size of the downloaded items together.
CREATE TABLE counts (
  job        INTEGER PRIMARY KEY REFERENCES jobs (id),
  total      INTEGER NOT NULL DEFAULT 0,
  downloaded INTEGER NOT NULL DEFAULT 0,
  skipped    INTEGER NOT NULL DEFAULT 0,
  failed     INTEGER NOT NULL DEFAULT 0,
  cancelled  INTEGER NOT NULL DEFAULT 0,
  enumerated INTEGER NOT NULL DEFAULT 0 CHECK (enumerated IN (0, 1)),
  bytes      INTEGER NOT NULL DEFAULT 0 CHECK (bytes >= 0),
  CHECK (downloaded >= 0 AND skipped >= 0 AND failed >= 0 AND cancelled >= 0),
  CHECK (downloaded + skipped + failed + cancelled <= total)
) STRICT;

-- Both read the rows of the items' lifecycle, which they find by the job's. CROSS JOIN keeps that
-- order: three lookups by primary key.
CREATE TRIGGER items_birth BEFORE INSERT ON items
WHEN NOT EXISTS (
  SELECT 1 FROM jobs j CROSS JOIN lifecycles l CROSS JOIN states s
   WHERE j.id = new.job AND l.name = j.lifecycle
     AND s.lifecycle = l.items AND s.name = new.state AND s.is_initial)
BEGIN
  SELECT 1 FROM json_each('{}', 'refused: ' || coalesce(
    (SELECT l.items FROM jobs j CROSS JOIN lifecycles l
      WHERE j.id = new.job AND l.name = j.lifecycle),
    'a job without items') || ': (new) -> ' || new.state || ' is not how an item starts');
END;

CREATE TRIGGER items_move BEFORE UPDATE ON items
WHEN iif(new.state = old.state,
         NOT EXISTS (
           SELECT 1 FROM jobs j CROSS JOIN lifecycles l CROSS JOIN states s
            WHERE j.id = old.job AND l.name = j.lifecycle
              AND s.lifecycle = l.items AND s.name = old.state AND s."end" = 'open'),
         NOT EXISTS (
           SELECT 1 FROM jobs j CROSS JOIN lifecycles l CROSS JOIN moves m
            WHERE j.id = old.job AND l.name = j.lifecycle
              AND m.lifecycle = l.items AND m.from_state = old.state AND m.to_state = new.state
              AND (NOT m.needs_proof OR new.evidence IS NOT NULL AND new.path IS NOT NULL)))
BEGIN
  SELECT 1 FROM json_each('{}', iif(
    new.state = old.state OR EXISTS (
      SELECT 1 FROM jobs j CROSS JOIN lifecycles l CROSS JOIN moves m
       WHERE j.id = old.job AND l.name = j.lifecycle
         AND m.lifecycle = l.items AND m.from_state = old.state AND m.to_state = new.state),
    '$',
    'refused: ' || coalesce(
      (SELECT l.items FROM jobs j CROSS JOIN lifecycles l
        WHERE j.id = old.job AND l.name = j.lifecycle),
      'a job without items') || ': ' || old.state || ' -> ' || new.state || ' is not a move'));
  SELECT CASE
    WHEN new.state = old.state
    THEN RAISE(ROLLBACK, 'an ended item does not change')
    ELSE RAISE(ROLLBACK, 'an item makes this move only with evidence and a path')
  END;
END;

CREATE TRIGGER items_replace BEFORE INSERT ON items
WHEN EXISTS (SELECT 1 FROM items WHERE id = new.id)
  OR EXISTS (SELECT 1 FROM items WHERE job = new.job AND key = new.key)
BEGIN
  SELECT RAISE(ROLLBACK, 'an item is never replaced');
END;

CREATE TRIGGER items_fixed BEFORE UPDATE OF id, job, n, key ON items
BEGIN
  SELECT RAISE(ROLLBACK, 'id, job, n and key of an item are fixed when it is added');
END;

CREATE TRIGGER items_kept BEFORE DELETE ON items
BEGIN
  SELECT RAISE(ROLLBACK, 'items are never deleted');
END;

CREATE TRIGGER counts_replace BEFORE INSERT ON counts
WHEN EXISTS (SELECT 1 FROM counts WHERE job = new.job)
BEGIN
  SELECT RAISE(ROLLBACK, 'counts only grow');
END;

CREATE TRIGGER counts_kept BEFORE DELETE ON counts
BEGIN
  SELECT RAISE(ROLLBACK, 'counts are never deleted');
END;

CREATE TRIGGER counts_fixed BEFORE UPDATE OF total ON counts
WHEN old.enumerated AND new.total <> old.total
BEGIN
  SELECT RAISE(ROLLBACK, 'total is fixed once enumeration is complete');
END;

CREATE TRIGGER counts_grow BEFORE UPDATE ON counts
WHEN new.total < old.total OR new.enumerated < old.enumerated OR new.downloaded < old.downloaded
  OR new.skipped < old.skipped OR new.failed < old.failed OR new.cancelled < old.cancelled
BEGIN
  SELECT RAISE(ROLLBACK, 'counts only grow');
END;
