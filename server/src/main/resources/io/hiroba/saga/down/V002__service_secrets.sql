DROP TABLE IF EXISTS saga.signing_keys;
DROP TABLE IF EXISTS saga.service_credentials;
