-- haul prunes old idempotency keys of lists of jobs, oldest first.

CREATE INDEX batch_keys_age ON batch_keys (created_at);
