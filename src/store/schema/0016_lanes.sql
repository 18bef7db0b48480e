-- A batch's lane is the host of its first address: lower case, no port, no leading "www.". The lane
-- of any other lifecycle is its name. Owners take turns within a lane, so jobs_due sorts a lane by
-- owner.

-- Open batches get the lane that a new batch would get. A batch without an address keeps the lane
-- "batch".
WITH address (job, rest) AS (
  SELECT j.id, substr(u.url, instr(u.url, '://') + 3)
    FROM jobs j
    JOIN (SELECT job, coalesce(body ->> '$.url', body ->> '$.urls[0]') AS url FROM requests) u
      ON u.job = j.id
   WHERE j.lifecycle = 'batch' AND j."end" = 'open' AND j.lane = 'batch'
     AND instr(u.url, '://') > 0),
authority (job, rest) AS (
  SELECT job, substr(rest, 1, min(instr(rest || '/', '/'), instr(rest || '?', '?'),
                                  instr(rest || '#', '#'), instr(rest || '\', '\')) - 1)
    FROM address),
host (job, name) AS (
  SELECT job, lower(iif(rest LIKE '[%', substr(rest, 1, instr(rest, ']')),
                        substr(rest, 1, instr(rest || ':', ':') - 1)))
    FROM authority
   WHERE instr(rest, '@') = 0),
plain (job, name) AS (
  SELECT job, rtrim(iif(name LIKE 'www.%', substr(name, 5), name), '.')
    FROM host)
UPDATE jobs
   SET lane = (SELECT name || iif(name IN ('book', 'media', 'batch', 'item', 'relay', 'image'),
                                  '.', '')
                 FROM plain
                WHERE plain.job = jobs.id)
 WHERE id IN (SELECT job FROM plain WHERE length(name) BETWEEN 1 AND 253);

DROP INDEX jobs_due;
CREATE INDEX jobs_due ON jobs (lane, owner, due_at)
  WHERE "end" = 'open' AND worker IS NULL AND paused = 0;

-- Every claim counts the leased jobs of a lane.
DROP INDEX jobs_leased;
CREATE INDEX jobs_leased ON jobs (lane, worker)
  WHERE worker IS NOT NULL;

DROP TRIGGER jobs_fixed;
CREATE TRIGGER jobs_fixed
BEFORE UPDATE OF id, lifecycle, owner, lane, created_at, slot, key, retry_of ON jobs
BEGIN
  SELECT RAISE(ROLLBACK, 'id, lifecycle, owner, lane, created_at, slot, key and retry_of are fixed when a job is added');
END;
