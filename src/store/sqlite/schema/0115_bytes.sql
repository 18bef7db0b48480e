-- How many bytes the downloaded items of a batch have together. Only a downloaded item has evidence.
ALTER TABLE counts ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0 CHECK (bytes >= 0);

UPDATE counts
   SET bytes = (SELECT coalesce(sum(max(i.size, 0)), 0)
                  FROM items i
                 WHERE i.id > counts.job << 24 AND i.id < counts.job + 1 << 24
                   AND i.evidence IS NOT NULL)
 WHERE downloaded > 0;
