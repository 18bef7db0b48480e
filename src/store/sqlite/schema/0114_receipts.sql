-- Finds the receipts of an address: the items that landed, whose evidence says how.
CREATE INDEX items_receipts ON items (key)
  WHERE evidence IS NOT NULL;
