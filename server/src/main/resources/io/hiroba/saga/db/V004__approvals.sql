-- Steps that people decide, and what a saga waits for (ADR 88).

ALTER TABLE saga.saga_states
    -- The signal, or the step with an approval, that it waits for; null where it waits for neither.
    ADD COLUMN waiting_for VARCHAR(255),
    -- Whether it has requested an approval: those that are still open are closed when it ends or is turned around.
    ADD COLUMN has_approvals BOOLEAN NOT NULL DEFAULT false;

CREATE INDEX idx_saga_states_waiting ON saga.saga_states (id) WHERE waiting_for IS NOT NULL;
CREATE INDEX idx_saga_states_correlation_waiting ON saga.saga_states (correlation_id, id)
    WHERE waiting_for IS NOT NULL AND correlation_id IS NOT NULL;
CREATE INDEX idx_saga_states_workflow_waiting ON saga.saga_states (workflow_name, id) WHERE waiting_for IS NOT NULL;

-- Those that wait are looked at once, and note what they wait for.
UPDATE saga.saga_states
SET wake_at = now()
WHERE owner IS NULL AND NOT stuck AND status IN ('STARTED', 'RUNNING');

CREATE TABLE saga.approvals (
    id          BIGINT       PRIMARY KEY,
    saga_id     UUID         NOT NULL REFERENCES saga.saga_states (id) ON DELETE CASCADE,
    step_index  INT          NOT NULL,
    step_name   VARCHAR(255) NOT NULL,
    title       TEXT         NOT NULL,
    -- Markdown.
    body        TEXT         NOT NULL,
    form        JSONB        NOT NULL,
    quorum      INT          NOT NULL CHECK (quorum >= 1),
    state       VARCHAR(20)  NOT NULL DEFAULT 'open',
    opened_at   TIMESTAMPTZ  NOT NULL DEFAULT now(),
    deadline    TIMESTAMPTZ,
    reminded_at TIMESTAMPTZ,
    closed_at   TIMESTAMPTZ,
    -- A step is asked once, whichever node gets to it and however often.
    UNIQUE (saga_id, step_index),
    CONSTRAINT chk_approvals_state CHECK (state IN ('open', 'approved', 'rejected', 'overdue', 'withdrawn')),
    CONSTRAINT chk_approvals_closed CHECK ((state = 'open') = (closed_at IS NULL))
);

CREATE TABLE saga.approval_assignees (
    approval_id BIGINT NOT NULL REFERENCES saga.approvals (id) ON DELETE CASCADE,
    user_id     BIGINT NOT NULL REFERENCES accounts.users (id) ON DELETE CASCADE,
    PRIMARY KEY (approval_id, user_id)
);
CREATE INDEX idx_approval_assignees_user ON saga.approval_assignees (user_id);

-- A decision outlives the account of its author.
CREATE TABLE saga.approval_decisions (
    approval_id BIGINT      NOT NULL REFERENCES saga.approvals (id) ON DELETE CASCADE,
    number      INT         NOT NULL,
    user_id     BIGINT      REFERENCES accounts.users (id) ON DELETE SET NULL,
    approved    BOOLEAN     NOT NULL,
    comment     TEXT        NOT NULL,
    answers     JSONB       NOT NULL,
    decided_at  TIMESTAMPTZ NOT NULL DEFAULT now(),
    PRIMARY KEY (approval_id, number),
    UNIQUE (approval_id, user_id)
);
CREATE INDEX idx_approval_decisions_user ON saga.approval_decisions (user_id);

-- In the partition of the saga's own events, so that an approval is requested before it is closed.
CREATE FUNCTION saga.append_approval_event(kind TEXT, approval BIGINT, users BIGINT[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM platform.append_events(
        ARRAY[get_byte(uuid_send(a.saga_id), 15)::smallint],
        ARRAY[jsonb_build_object(
            'type', kind, 'approvalId', lpad(upper(to_hex(a.id)), 16, '0'), 'sagaId', a.saga_id, 'title', a.title,
            'state', a.state,
            'users', (SELECT coalesce(jsonb_agg(lpad(upper(to_hex(u)), 16, '0')), '[]') FROM unnest(users) AS u))])
    FROM saga.approvals AS a
    WHERE a.id = approval;
END
$$;

-- Closes an approval that is decided, and sends the saga the outcome as a signal that nobody else can send: its name is none
-- that a workflow may use. The caller has locked the saga. Returns the state.
CREATE FUNCTION saga.settle_approval(approval BIGINT) RETURNS TEXT LANGUAGE plpgsql AS $$
DECLARE
    asked   RECORD;
    agreed  INT;
    refused INT;
    missing INT;
    outcome TEXT;
BEGIN
    SELECT a.saga_id, a.step_index, a.quorum, a.state INTO asked FROM saga.approvals AS a WHERE a.id = approval FOR UPDATE;
    IF asked.state <> 'open' THEN
        RETURN asked.state;
    END IF;
    SELECT count(*) FILTER (WHERE d.approved), count(*) FILTER (WHERE NOT d.approved) INTO agreed, refused
    FROM saga.approval_decisions AS d WHERE d.approval_id = approval;
    SELECT count(*) INTO missing
    FROM saga.approval_assignees AS s
    WHERE s.approval_id = approval
      AND NOT EXISTS (SELECT FROM saga.approval_decisions AS d WHERE d.approval_id = approval AND d.user_id = s.user_id);
    outcome := CASE
        WHEN agreed >= asked.quorum THEN 'approved'
        WHEN (asked.quorum = 1 AND refused > 0) OR agreed + missing < asked.quorum THEN 'rejected'
        ELSE 'open' END;
    IF outcome = 'open' THEN
        RETURN outcome;
    END IF;
    UPDATE saga.approvals SET state = outcome, closed_at = now() WHERE id = approval;
    WITH sent AS (
        INSERT INTO saga.signals (saga_id, name, payload, sent_by)
        SELECT asked.saga_id, 'approval:' || asked.step_index,
               jsonb_build_object(
                   'approved', outcome = 'approved',
                   'answers', coalesce((array_agg(d.answers ORDER BY d.number DESC) FILTER (WHERE d.approved))[1], '{}'),
                   'decisions', coalesce(jsonb_agg(jsonb_build_object(
                       'by', lpad(upper(to_hex(d.user_id)), 16, '0'), 'name', u.nickname, 'approved', d.approved,
                       'comment', d.comment, 'answers', d.answers, 'at', d.decided_at) ORDER BY d.number)
                       FILTER (WHERE d.number IS NOT NULL), '[]')),
               'approval'
        FROM (SELECT) AS once
        LEFT JOIN saga.approval_decisions AS d ON d.approval_id = approval
        LEFT JOIN accounts.user_card AS u ON u.id = d.user_id
        ON CONFLICT (saga_id, name) DO NOTHING
        RETURNING saga_id)
    UPDATE saga.saga_states AS s
    SET signals = s.signals + 1,
        wake_at = CASE WHEN s.owner IS NULL AND NOT s.stuck THEN now() END,
        updated_at = clock_timestamp()
    FROM sent
    WHERE s.id = sent.saga_id;
    PERFORM saga.append_approval_event('approval-closed', approval, '{}');
    RETURN outcome;
END
$$;

-- What is open when a saga ends or is turned around: a cancelled saga asks nobody any more.
CREATE FUNCTION saga.close_approvals() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    closed BIGINT;
BEGIN
    FOR closed IN
        UPDATE saga.approvals
        SET state = CASE WHEN deadline <= now() + interval '1 s' THEN 'overdue' ELSE 'withdrawn' END, closed_at = now()
        WHERE saga_id = NEW.id AND state = 'open'
        RETURNING id
    LOOP
        PERFORM saga.append_approval_event('approval-closed', closed, '{}');
    END LOOP;
    RETURN NULL;
END
$$;

CREATE TRIGGER close_approvals
    AFTER UPDATE OF status ON saga.saga_states
    FOR EACH ROW WHEN (NEW.has_approvals AND OLD.status IN ('STARTED', 'RUNNING') AND NEW.status NOT IN ('STARTED', 'RUNNING'))
    EXECUTE FUNCTION saga.close_approvals();

-- Without an account that is deleted, too few may be left to agree. The saga is locked first, as by everybody else.
CREATE FUNCTION saga.assignee_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM saga.saga_states AS s
    JOIN saga.approvals AS a ON a.saga_id = s.id
    WHERE a.id = OLD.approval_id AND a.state = 'open' AND s.status IN ('STARTED', 'RUNNING')
    FOR NO KEY UPDATE OF s;
    IF FOUND THEN
        PERFORM saga.settle_approval(OLD.approval_id);
    END IF;
    RETURN NULL;
END
$$;

CREATE TRIGGER assignee_deleted
    AFTER DELETE ON saga.approval_assignees
    FOR EACH ROW EXECUTE FUNCTION saga.assignee_deleted();
