-- All that resolves items is kept with its time, not only the latest: what arrives late is put where it belongs.
ALTER TABLE inbox.acts DROP CONSTRAINT acts_pkey, ADD PRIMARY KEY (resource_id, person_id, acted_at);
ALTER TABLE inbox.auto_resolutions DROP CONSTRAINT auto_resolutions_pkey, ADD PRIMARY KEY (resource_id, action, resolved_until);
ALTER TABLE inbox.auto_resolutions ADD COLUMN ended BOOLEAN NOT NULL DEFAULT FALSE;
COMMENT ON COLUMN inbox.auto_resolutions.ended IS 'Whether the resource was closed or merged: if it is reopened, the items return';
UPDATE inbox.auto_resolutions a SET ended = TRUE
FROM inbox.resources r WHERE r.id = a.resource_id AND lower(r.state) IN ('closed', 'merged', 'done', 'resolved');

CREATE TABLE inbox.reopenings (
    resource_id BIGINT NOT NULL REFERENCES inbox.resources (id) ON DELETE CASCADE,
    reopened_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (resource_id, reopened_at)
);

-- When somebody was asked no longer: what was asked of them up to then is done.
CREATE TABLE inbox.withdrawals (
    resource_id  BIGINT NOT NULL REFERENCES inbox.resources (id) ON DELETE CASCADE,
    action       SMALLINT NOT NULL,
    person_id    BIGINT NOT NULL REFERENCES inbox.people (id) ON DELETE CASCADE,
    withdrawn_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (resource_id, action, person_id, withdrawn_at)
);
CREATE INDEX idx_withdrawals_person ON inbox.withdrawals (person_id);

-- Every list of participants that an event has stated: who is not in it is asked no longer as of its time.
ALTER TABLE inbox.participant_syncs DROP CONSTRAINT participant_syncs_pkey, ADD PRIMARY KEY (resource_id, role, synced_at);
ALTER TABLE inbox.participant_syncs
    ADD COLUMN people BIGINT[] NOT NULL DEFAULT '{}',
    ADD COLUMN added BIGINT[] NOT NULL DEFAULT '{}',
    ADD COLUMN since TIMESTAMPTZ;
UPDATE inbox.participant_syncs s
SET people = ARRAY(SELECT p.person_id FROM inbox.participants p WHERE p.resource_id = s.resource_id AND p.role = s.role ORDER BY 1),
    added = ARRAY(SELECT p.person_id FROM inbox.participants p WHERE p.resource_id = s.resource_id AND p.role = s.role ORDER BY 1);
COMMENT ON COLUMN inbox.participant_syncs.added IS 'Those of the people of whom the event says that it added them';
COMMENT ON COLUMN inbox.participant_syncs.since IS 'As of when somebody is asked whose addition was missed, if no list before is known; null where the resource is not open';
CREATE INDEX idx_participant_syncs_people ON inbox.participant_syncs USING gin (people);

-- The requests before the last that an item stands for: one that is not done takes up those that follow.
CREATE TABLE inbox.merged_requests (
    user_id          BIGINT NOT NULL,
    item_id          BIGINT NOT NULL,
    happened_at      TIMESTAMPTZ NOT NULL,
    author_id        BIGINT REFERENCES accounts.users (id) ON DELETE SET NULL,
    author_person_id BIGINT REFERENCES inbox.people (id) ON DELETE SET NULL,
    PRIMARY KEY (user_id, item_id, happened_at),
    FOREIGN KEY (item_id, user_id) REFERENCES inbox.notifications (id, user_id) ON DELETE CASCADE
);
CREATE INDEX idx_merged_requests_author ON inbox.merged_requests (author_id) WHERE author_id IS NOT NULL;
CREATE INDEX idx_merged_requests_person ON inbox.merged_requests (author_person_id) WHERE author_person_id IS NOT NULL;
