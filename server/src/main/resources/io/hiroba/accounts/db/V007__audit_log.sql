-- Who, as whom, by what, from where, what, before and after. An entry gets its id from the clock of the database, so that
-- every feature can write one in its own transaction and all nodes agree on the order.
CREATE SEQUENCE accounts.audit_number MINVALUE 0 MAXVALUE 1048575 CYCLE;

ALTER TABLE accounts.audit_log
    ALTER COLUMN id SET DEFAULT
        ((extract(epoch FROM clock_timestamp()) * 1000)::BIGINT << 20) | nextval('accounts.audit_number'),
    ADD COLUMN acting_as_id BIGINT,
    ADD COLUMN via          VARCHAR(20),
    ADD COLUMN via_id       BIGINT,
    ADD COLUMN address      VARCHAR(50),
    ADD COLUMN agent        VARCHAR(300),
    ADD COLUMN request_id   VARCHAR(64),
    ADD COLUMN target_kind  VARCHAR(30),
    ADD COLUMN target_id    VARCHAR(255),
    ADD COLUMN old_values   JSONB,
    ADD COLUMN new_values   JSONB;
COMMENT ON COLUMN accounts.audit_log.actor_id IS 'The person, also while acting as another; null for the server and for strangers';
COMMENT ON COLUMN accounts.audit_log.subject_id IS 'The account that it is about, or the owner of the target';
COMMENT ON COLUMN accounts.audit_log.detail IS 'The name of the target';

UPDATE accounts.audit_log
SET target_kind = CASE WHEN action LIKE 'ai-model-%' THEN 'ai-model' ELSE 'user' END,
    target_id = CASE WHEN action LIKE 'ai-model-%' THEN detail ELSE upper(lpad(to_hex(subject_id), 16, '0')) END;

-- Each filter of the list is the beginning of an index.
CREATE INDEX idx_audit_log_actor_id ON accounts.audit_log (actor_id, id);
CREATE INDEX idx_audit_log_subject_id ON accounts.audit_log (subject_id, id);
CREATE INDEX idx_audit_log_action ON accounts.audit_log (action, id);
CREATE INDEX idx_audit_log_address ON accounts.audit_log (address, id);
CREATE INDEX idx_audit_log_target_kind ON accounts.audit_log (target_kind, id);
CREATE INDEX idx_audit_log_target_id ON accounts.audit_log (target_id, id);

-- Entries are neither changed nor deleted, but for two things: those of more than 30 days ago may be deleted (retention), and
-- names and values may be blanked (deletion of an account).
CREATE FUNCTION accounts.keep_audit_log() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' THEN
        IF OLD.id < (extract(epoch FROM now() - INTERVAL '30 days') * 1000)::BIGINT << 20 THEN
            RETURN OLD;
        END IF;
    ELSIF TG_OP = 'UPDATE' THEN
        IF NEW.detail IS NULL AND NEW.old_values IS NULL AND NEW.new_values IS NULL
            AND to_jsonb(NEW) - ARRAY['detail', 'old_values', 'new_values']
                = to_jsonb(OLD) - ARRAY['detail', 'old_values', 'new_values'] THEN
            RETURN NEW;
        END IF;
    END IF;
    RAISE EXCEPTION 'accounts.audit_log is append-only' USING ERRCODE = 'restrict_violation';
END $$;

CREATE TRIGGER keep_audit_log BEFORE UPDATE OR DELETE ON accounts.audit_log
    FOR EACH ROW EXECUTE FUNCTION accounts.keep_audit_log();
CREATE TRIGGER keep_whole_audit_log BEFORE TRUNCATE ON accounts.audit_log
    FOR EACH STATEMENT EXECUTE FUNCTION accounts.keep_audit_log();
