-- Its user asked that the job begins no earlier. due_at is never set to an earlier time before it.
ALTER TABLE jobs ADD COLUMN not_before INTEGER;

CREATE TRIGGER jobs_not_before BEFORE UPDATE OF not_before ON jobs
BEGIN
  SELECT RAISE(ROLLBACK, 'not_before is fixed when a job is added');
END;
