-- Within an owner's turn in a lane, jobs with a higher priority go first: 1 high, 0 normal, -1 low.
-- A claim reads one level after the other, so the level comes before the due time.
ALTER TABLE jobs ADD COLUMN priority INTEGER NOT NULL DEFAULT 0 CHECK (priority BETWEEN -1 AND 1);

DROP INDEX jobs_due;
CREATE INDEX jobs_due ON jobs (lane, owner, priority, due_at)
  WHERE "end" = 'open' AND worker IS NULL AND paused = 0;
-- Lists by priority.
CREATE INDEX jobs_ranked ON jobs (priority)
  WHERE "end" = 'open';
