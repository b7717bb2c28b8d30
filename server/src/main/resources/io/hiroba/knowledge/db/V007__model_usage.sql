-- What each model was asked on a day, in UTC. Tokens are those that the service reports.
CREATE TABLE knowledge.model_usage (
    day        DATE   NOT NULL,
    used_for   TEXT   NOT NULL CHECK (used_for IN ('embedding', 'chat')),
    model      TEXT   NOT NULL,
    calls      BIGINT NOT NULL,
    tokens_in  BIGINT NOT NULL,
    tokens_out BIGINT NOT NULL,
    PRIMARY KEY (day, used_for, model)
);
