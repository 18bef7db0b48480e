-- Items get one integer key, made of their job and their number. An item is written three times in
-- its life, and a lookup by two columns costs as much as the write.

CREATE TABLE items_by_id (
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
  CHECK (id = (job << 24) + n AND n > 0 AND n < 1 << 24),
  CHECK (state <> 'COMPLETED' OR (evidence IS NOT NULL AND path IS NOT NULL))
) STRICT;

INSERT INTO items_by_id
SELECT (job << 24) + n, job, n, key, url, state, attempt, tries, due_at, have, size, path,
       checkpoint, evidence, reason, detail, updated_at
  FROM items
 ORDER BY job, n;

DROP VIEW contract_batch_job_items;
DROP TABLE items;
ALTER TABLE items_by_id RENAME TO items;

CREATE TRIGGER items_birth BEFORE INSERT ON items
WHEN new.state <> 'PENDING'
BEGIN
  SELECT 1 FROM json_each('{}', 'refused: item: (new) -> ' || new.state || ' is not how an item starts');
END;

CREATE TRIGGER items_move BEFORE UPDATE ON items
WHEN iif(new.state = old.state,
         old.state <> 'PENDING' AND old.state <> 'DOWNLOADING',
         NOT EXISTS (
           SELECT 1 FROM moves
            WHERE lifecycle = 'item' AND from_state = old.state AND to_state = new.state))
BEGIN
  SELECT 1 FROM json_each('{}', iif(
    new.state = old.state,
    '$',
    'refused: item: ' || old.state || ' -> ' || new.state || ' is not a move'));
  SELECT RAISE(ROLLBACK, 'an ended item does not change');
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

CREATE VIEW contract_batch_job_items AS
SELECT CAST(job AS TEXT)                          AS job_id,
       key                                        AS item_key,
       state                                      AS status,
       path                                       AS file_path,
       datetime(updated_at / 1000, 'unixepoch')   AS updated_at
  FROM items;
