-- The files of deleted jobs that their users want removed. haul writes a row in the transaction that
-- hides the job. Items up to `after_item` are done. `reasons` says why files were kept, as a JSON
-- array of the first few; `detail` says what the removal waits for.
CREATE TABLE purges (
  job        INTEGER PRIMARY KEY REFERENCES jobs (id),
  after_item INTEGER NOT NULL DEFAULT 0 CHECK (after_item >= 0),
  removed    INTEGER NOT NULL DEFAULT 0 CHECK (removed >= 0),
  bytes      INTEGER NOT NULL DEFAULT 0 CHECK (bytes >= 0),
  gone       INTEGER NOT NULL DEFAULT 0 CHECK (gone >= 0),
  kept       INTEGER NOT NULL DEFAULT 0 CHECK (kept >= 0),
  reasons    TEXT    NOT NULL DEFAULT '[]' CHECK (json_valid(reasons)),
  detail     TEXT,
  asked_at   INTEGER NOT NULL,
  ended_at   INTEGER
) STRICT;

CREATE INDEX purges_open ON purges (job)
  WHERE ended_at IS NULL;

CREATE TRIGGER purges_birth BEFORE INSERT ON purges
WHEN (SELECT hidden_at FROM jobs WHERE id = new.job) IS NULL
  OR EXISTS (SELECT 1 FROM purges WHERE job = new.job)
BEGIN
  SELECT RAISE(ROLLBACK, 'only the files of a deleted job are removed, and its wish is never replaced');
END;

CREATE TRIGGER purges_kept BEFORE DELETE ON purges
BEGIN
  SELECT RAISE(ROLLBACK, 'the wish to remove files is never deleted');
END;
