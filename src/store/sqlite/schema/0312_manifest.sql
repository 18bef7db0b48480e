-- Files that a job may remove later: listed by its client or made by haul, with their identity at
-- that time.
CREATE TABLE files (
  id       INTEGER PRIMARY KEY,
  job      INTEGER NOT NULL REFERENCES jobs (id),
  made_by  TEXT    NOT NULL CHECK (made_by IN ('client', 'haul')),
  root     TEXT    NOT NULL,
  path     TEXT    NOT NULL
           CHECK (path <> '' AND path NOT LIKE '/%' AND '/' || path || '/' NOT LIKE '%/../%'),
  device   INTEGER NOT NULL,
  inode    INTEGER NOT NULL,
  size     INTEGER NOT NULL,
  mtime_ns INTEGER NOT NULL,
  gone_at  INTEGER,
  outcome  TEXT CHECK (outcome IN ('deleted', 'trashed', 'kept_unsafe', 'already_gone')),
  UNIQUE (job, root, path),
  CHECK ((gone_at IS NULL) = (outcome IS NULL))
) STRICT;

-- Before a file is removed, haul asks whether another job lists it too.
CREATE INDEX files_by_inode ON files (inode, device)
  WHERE gone_at IS NULL;
