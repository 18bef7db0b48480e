-- When a user deleted the ended job: lists and counts leave it out. Its row, keys, events, ledger
-- and audit entries stay. A retry shows it again.
ALTER TABLE jobs ADD COLUMN hidden_at INTEGER;

-- Lists by the time of the end.
CREATE INDEX jobs_ended ON jobs (ended_at)
  WHERE ended_at IS NOT NULL AND hidden_at IS NULL;

-- The same rule as before. It does not run for hidden_at, the only column of an ended job that
-- changes.
DROP TRIGGER jobs_move;
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

CREATE TRIGGER jobs_hidden BEFORE UPDATE OF hidden_at ON jobs
WHEN (new.hidden_at IS NULL) = (new."end" <> 'open')
  OR new.hidden_at IS NOT NULL AND old.hidden_at IS NOT NULL
BEGIN
  SELECT RAISE(ROLLBACK, 'only an ended job is hidden, once, and only its retry shows it again');
END;
