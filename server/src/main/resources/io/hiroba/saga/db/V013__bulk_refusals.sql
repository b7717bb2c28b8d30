-- How many sagas were left alone, by the code of the problem.
ALTER TABLE saga.bulk_jobs ADD COLUMN refusals JSONB NOT NULL DEFAULT '{}';
