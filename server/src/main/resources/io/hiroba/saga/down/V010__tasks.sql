DELETE FROM saga.services WHERE endpoint = 'worker:';
ALTER TABLE IF EXISTS saga.services
    DROP COLUMN IF EXISTS async,
    DROP CONSTRAINT IF EXISTS services_endpoint_check,
    ADD CONSTRAINT services_endpoint_check CHECK (endpoint ~ '^(http|https|grpc|grpcs)://');
ALTER TABLE IF EXISTS saga.saga_states DROP COLUMN IF EXISTS has_tasks;
DROP TABLE IF EXISTS saga.workers;
DROP TABLE IF EXISTS saga.tasks;
