DROP TABLE IF EXISTS saga.roles;
DROP TABLE IF EXISTS saga.services;
DROP FUNCTION IF EXISTS saga.append_events(TEXT[], UUID[], TEXT[], TEXT[], TEXT[]);
DROP TABLE IF EXISTS saga.nodes;
DROP TABLE IF EXISTS saga.signals;
DROP TABLE IF EXISTS saga.saga_step_logs;
DROP TABLE IF EXISTS saga.saga_states;
DROP TABLE IF EXISTS saga.workflows;
DROP FUNCTION IF EXISTS saga.update_updated_at();
