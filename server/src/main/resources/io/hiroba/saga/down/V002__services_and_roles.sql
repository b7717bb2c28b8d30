DROP TABLE IF EXISTS saga.roles;
DROP TABLE IF EXISTS saga.services;
