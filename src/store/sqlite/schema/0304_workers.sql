-- A worker beats on its own row; `beat` only grows, so that a rescue can compare it.
CREATE TABLE workers (
  id         INTEGER PRIMARY KEY,
  name       TEXT    NOT NULL,
  beat       INTEGER NOT NULL DEFAULT 0,
  started_at INTEGER NOT NULL,
  beat_at    INTEGER NOT NULL
) STRICT;

-- Named work that one worker does at a time. The fence grows with every new holder.
CREATE TABLE duties (
  name   TEXT    PRIMARY KEY,
  worker INTEGER REFERENCES workers (id),
  fence  INTEGER NOT NULL CHECK (fence > 0)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER duties_fence BEFORE UPDATE ON duties
WHEN new.fence < old.fence OR new.worker IS NOT NULL AND new.worker IS NOT old.worker
 AND new.fence = old.fence
BEGIN
  SELECT RAISE(ROLLBACK, 'the fence of a duty grows with every new holder');
END;
