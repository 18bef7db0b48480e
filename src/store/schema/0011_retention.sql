-- Keys of many adds together are forgotten after a while, oldest first.

CREATE INDEX batch_keys_age ON batch_keys (created_at);
