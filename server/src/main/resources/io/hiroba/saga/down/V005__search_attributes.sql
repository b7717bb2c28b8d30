DROP TABLE IF EXISTS saga.saga_attributes;
