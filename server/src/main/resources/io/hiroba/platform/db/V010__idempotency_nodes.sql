-- The node that is at an act outside a transaction, by its lease of a worker number (`id_workers.holder`): when that has ended, so has its
-- claim, before `leased_until`. Null where the node held no number when it took the key.
ALTER TABLE platform.idempotency_keys ADD COLUMN node UUID;
