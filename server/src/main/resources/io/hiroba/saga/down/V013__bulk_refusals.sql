ALTER TABLE saga.bulk_jobs DROP COLUMN refusals;
