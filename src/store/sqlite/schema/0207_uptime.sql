-- How long workers have run, and the wall-clock times of those periods. Expiry and retention count
-- this time only, so that a clock that is wrong at boot hastens neither.
CREATE TABLE stretches (
  id           INTEGER PRIMARY KEY,
  from_at      INTEGER NOT NULL,
  to_at        INTEGER NOT NULL,
  lived_before INTEGER NOT NULL,
  CHECK (from_at <= to_at)
) STRICT;
