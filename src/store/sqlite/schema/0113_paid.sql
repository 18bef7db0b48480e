-- When an owner has added the newest jobs of a lifecycle whose lane is its name. Batches, whose lanes
-- are hosts, are not in this index.
CREATE INDEX jobs_own ON jobs (lifecycle, owner)
  WHERE lane = lifecycle;

-- The same rule as before, in a form that can use the indexes credits_one_reservation and
-- credits_one_resolution. The earlier form read the whole ledger for each entry.
DROP TRIGGER credits_replace;
CREATE TRIGGER credits_replace BEFORE INSERT ON credits
WHEN new.id <> -1 AND EXISTS (SELECT 1 FROM credits WHERE id = new.id)
  OR new.kind = 'reserve' AND EXISTS (
    SELECT 1 FROM credits WHERE job = new.job AND kind = 'reserve')
  OR new.kind IN ('spend', 'refund') AND EXISTS (
    SELECT 1 FROM credits WHERE job = new.job AND kind IN ('spend', 'refund'))
BEGIN
  SELECT RAISE(ABORT, 'the ledger is append-only: one reservation a job, one resolution a reservation');
END;
