-- The end of access that the guest was warned of, so that a warning goes out once for each.
ALTER TABLE bot_guests ADD COLUMN warned_of INTEGER;
