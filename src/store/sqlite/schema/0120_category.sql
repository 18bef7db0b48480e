-- The category that a request names, for lists. Most requests have none: instr() finds that without
-- reading the JSON. CAST keeps a body of another form from breaking the column's type.
ALTER TABLE requests ADD COLUMN category TEXT
  AS (iif(instr(body, '"category":"') > 0 AND json_valid(body),
          CAST(json_extract(body, '$.category') AS TEXT), NULL)) VIRTUAL;

CREATE INDEX requests_category ON requests (category, job) WHERE category IS NOT NULL;
