-- Where resources come from: this program itself, its API, or a GitLab that sends its webhooks.
CREATE TABLE inbox.connections (
    id          BIGINT PRIMARY KEY,
    kind        VARCHAR(10) NOT NULL CHECK (kind IN ('hiroba', 'api', 'gitlab')),
    name        VARCHAR(100) NOT NULL,
    secret_hash BYTEA,
    linking     VARCHAR(10) NOT NULL DEFAULT 'open' CHECK (linking IN ('open', 'confirmed')),
    enabled     BOOLEAN NOT NULL DEFAULT TRUE,
    created_by  BIGINT REFERENCES accounts.users (id) ON DELETE SET NULL,
    created_at  TIMESTAMPTZ NOT NULL DEFAULT now(),
    CHECK ((kind = 'gitlab') = (secret_hash IS NOT NULL))
);
COMMENT ON COLUMN inbox.connections.linking IS
    'open: every claim of a user name there links an account; confirmed: only an admin or the same e-mail address does';
CREATE INDEX idx_connections_created_by ON inbox.connections (created_by);
INSERT INTO inbox.connections (id, kind, name) VALUES (1, 'hiroba', 'Hiroba'), (2, 'api', 'API');

-- A group or project, in a tree.
CREATE TABLE inbox.namespaces (
    id            BIGINT PRIMARY KEY,
    connection_id BIGINT NOT NULL REFERENCES inbox.connections (id) ON DELETE CASCADE,
    parent_id     BIGINT REFERENCES inbox.namespaces (id) ON DELETE CASCADE,
    external_id   VARCHAR(100),
    path          VARCHAR(500) NOT NULL,
    name          VARCHAR(255) NOT NULL,
    created_at    TIMESTAMPTZ NOT NULL DEFAULT now(),
    UNIQUE (connection_id, path),
    UNIQUE (connection_id, external_id)
);
COMMENT ON COLUMN inbox.namespaces.external_id IS 'project:{id} or group:{id}, where it is known: paths change, ids do not';
CREATE INDEX idx_namespaces_parent ON inbox.namespaces (parent_id);

-- People as a connection knows them, each linked to an account here or not yet.
CREATE TABLE inbox.people (
    id            BIGINT PRIMARY KEY,
    connection_id BIGINT NOT NULL REFERENCES inbox.connections (id) ON DELETE CASCADE,
    external_id   VARCHAR(100),
    username      VARCHAR(255),
    email         VARCHAR(254),
    name          VARCHAR(255),
    avatar_url    VARCHAR(2000),
    user_id       BIGINT REFERENCES accounts.users (id) ON DELETE SET NULL,
    created_at    TIMESTAMPTZ NOT NULL DEFAULT now(),
    UNIQUE (connection_id, external_id),
    CHECK (num_nonnulls(external_id, username, email) > 0)
);
CREATE UNIQUE INDEX idx_people_username ON inbox.people (connection_id, lower(username));
CREATE INDEX idx_people_email ON inbox.people (connection_id, email) WHERE email IS NOT NULL;
CREATE INDEX idx_people_user ON inbox.people (user_id) WHERE user_id IS NOT NULL;
COMMENT ON COLUMN inbox.people.email IS 'In lower case';

-- The names that users claim elsewhere.
CREATE TABLE inbox.identities (
    id            BIGINT PRIMARY KEY,
    user_id       BIGINT NOT NULL REFERENCES accounts.users (id) ON DELETE CASCADE,
    provider      VARCHAR(10) NOT NULL CHECK (provider IN ('gitlab')),
    connection_id BIGINT REFERENCES inbox.connections (id) ON DELETE CASCADE,
    username      VARCHAR(255),
    email         VARCHAR(254),
    confirmed     BOOLEAN NOT NULL DEFAULT FALSE,
    created_at    TIMESTAMPTZ NOT NULL DEFAULT now(),
    CHECK (num_nonnulls(username, email) = 1)
);
COMMENT ON COLUMN inbox.identities.connection_id IS 'The one GitLab that is meant; null for all of them';
CREATE UNIQUE INDEX idx_identities_username
    ON inbox.identities (provider, lower(username), connection_id) NULLS NOT DISTINCT WHERE username IS NOT NULL;
CREATE UNIQUE INDEX idx_identities_email
    ON inbox.identities (provider, lower(email), connection_id) NULLS NOT DISTINCT WHERE email IS NOT NULL;
CREATE INDEX idx_identities_user ON inbox.identities (user_id);
CREATE INDEX idx_identities_connection ON inbox.identities (connection_id);

-- What items are about: the columns that all types have. Each type has a table of its own with the rest.
CREATE TABLE inbox.resources (
    id             BIGINT PRIMARY KEY,
    type           SMALLINT NOT NULL CHECK (type BETWEEN 1 AND 10),
    connection_id  BIGINT NOT NULL REFERENCES inbox.connections (id) ON DELETE CASCADE,
    namespace_id   BIGINT NOT NULL REFERENCES inbox.namespaces (id) ON DELETE CASCADE,
    external_id    VARCHAR(255) NOT NULL,
    title          VARCHAR(500) NOT NULL,
    url            VARCHAR(2000),
    state          VARCHAR(30) NOT NULL,
    work_item_type VARCHAR(20) CHECK (work_item_type IN (
        'issue', 'task', 'incident', 'epic', 'objective', 'key_result', 'test_case', 'requirement', 'ticket')),
    changed_at     TIMESTAMPTZ NOT NULL,
    created_at     TIMESTAMPTZ NOT NULL DEFAULT now(),
    UNIQUE (connection_id, type, external_id),
    UNIQUE (id, type),
    CHECK ((type = 1) = (work_item_type IS NOT NULL))
);
COMMENT ON COLUMN inbox.resources.work_item_type IS 'Of an issue; here since every page shows it';
COMMENT ON COLUMN inbox.resources.changed_at IS 'By the clock of its source: an older snapshot that arrives later changes nothing';
CREATE INDEX idx_resources_namespace ON inbox.resources (namespace_id);

CREATE TABLE inbox.issues (
    id   BIGINT PRIMARY KEY,
    type SMALLINT NOT NULL GENERATED ALWAYS AS (1) STORED,
    iid  BIGINT,
    FOREIGN KEY (id, type) REFERENCES inbox.resources (id, type) ON DELETE CASCADE
);
CREATE TABLE inbox.merge_requests (
    id           BIGINT PRIMARY KEY,
    type         SMALLINT NOT NULL GENERATED ALWAYS AS (2) STORED,
    iid          BIGINT,
    draft        BOOLEAN NOT NULL DEFAULT FALSE,
    merge_status VARCHAR(50),
    FOREIGN KEY (id, type) REFERENCES inbox.resources (id, type) ON DELETE CASCADE
);
CREATE TABLE inbox.notes (
    id        BIGINT PRIMARY KEY,
    type      SMALLINT NOT NULL GENERATED ALWAYS AS (3) STORED,
    target_id BIGINT REFERENCES inbox.resources (id) ON DELETE CASCADE,
    FOREIGN KEY (id, type) REFERENCES inbox.resources (id, type) ON DELETE CASCADE
);
COMMENT ON COLUMN inbox.notes.target_id IS 'What is commented on';
CREATE INDEX idx_notes_target ON inbox.notes (target_id);
CREATE TABLE inbox.commits (
    id   BIGINT PRIMARY KEY,
    type SMALLINT NOT NULL GENERATED ALWAYS AS (4) STORED,
    sha  VARCHAR(64) NOT NULL,
    ref  VARCHAR(500),
    FOREIGN KEY (id, type) REFERENCES inbox.resources (id, type) ON DELETE CASCADE
);
CREATE TABLE inbox.ssh_keys (
    id           BIGINT PRIMARY KEY,
    type         SMALLINT NOT NULL GENERATED ALWAYS AS (5) STORED,
    user_id      BIGINT REFERENCES accounts.users (id) ON DELETE CASCADE,
    public_key   TEXT NOT NULL,
    fingerprint  VARCHAR(100) NOT NULL,
    expires_at   TIMESTAMPTZ,
    expiring_notified_at    TIMESTAMPTZ,
    expired_notified_at TIMESTAMPTZ,
    created_at   TIMESTAMPTZ NOT NULL DEFAULT now(),
    UNIQUE (user_id, fingerprint),
    FOREIGN KEY (id, type) REFERENCES inbox.resources (id, type) ON DELETE CASCADE
);
CREATE INDEX idx_ssh_keys_expiring ON inbox.ssh_keys (expires_at) WHERE expiring_notified_at IS NULL AND expires_at IS NOT NULL;
CREATE INDEX idx_ssh_keys_expired ON inbox.ssh_keys (expires_at) WHERE expired_notified_at IS NULL AND expires_at IS NOT NULL;
CREATE TABLE inbox.posts (
    id      BIGINT PRIMARY KEY,
    type    SMALLINT NOT NULL GENERATED ALWAYS AS (6) STORED,
    post_id BIGINT UNIQUE,
    FOREIGN KEY (id, type) REFERENCES inbox.resources (id, type) ON DELETE CASCADE
);
CREATE TABLE inbox.sagas (
    id      BIGINT PRIMARY KEY,
    type    SMALLINT NOT NULL GENERATED ALWAYS AS (7) STORED,
    saga_id UUID UNIQUE,
    FOREIGN KEY (id, type) REFERENCES inbox.resources (id, type) ON DELETE CASCADE
);
CREATE TABLE inbox.knowledge_sources (
    id        BIGINT PRIMARY KEY,
    type      SMALLINT NOT NULL GENERATED ALWAYS AS (8) STORED,
    source_id BIGINT UNIQUE,
    FOREIGN KEY (id, type) REFERENCES inbox.resources (id, type) ON DELETE CASCADE
);
CREATE TABLE inbox.records (
    id         BIGINT PRIMARY KEY,
    type       SMALLINT NOT NULL GENERATED ALWAYS AS (9) STORED,
    project_id BIGINT,
    row_id     UUID,
    FOREIGN KEY (id, type) REFERENCES inbox.resources (id, type) ON DELETE CASCADE
);
CREATE INDEX idx_records_project ON inbox.records (project_id);
-- A group or project as what an item is about: somebody asks to be let in.
CREATE TABLE inbox.namespace_resources (
    id         BIGINT PRIMARY KEY,
    type       SMALLINT NOT NULL GENERATED ALWAYS AS (10) STORED,
    subject_id BIGINT NOT NULL UNIQUE REFERENCES inbox.namespaces (id) ON DELETE CASCADE,
    FOREIGN KEY (id, type) REFERENCES inbox.resources (id, type) ON DELETE CASCADE
);

-- The participants of a resource, as of its changed_at.
CREATE TABLE inbox.participants (
    resource_id BIGINT NOT NULL REFERENCES inbox.resources (id) ON DELETE CASCADE,
    role        VARCHAR(10) NOT NULL CHECK (role IN ('author', 'assignee', 'reviewer', 'approver')),
    person_id   BIGINT NOT NULL REFERENCES inbox.people (id) ON DELETE CASCADE,
    PRIMARY KEY (resource_id, role, person_id)
);
CREATE INDEX idx_participants_person ON inbox.participants (person_id);

-- When the participants of a role were synced last: an older event that arrives later changes none.
CREATE TABLE inbox.participant_syncs (
    resource_id BIGINT NOT NULL REFERENCES inbox.resources (id) ON DELETE CASCADE,
    role        VARCHAR(10) NOT NULL,
    synced_at     TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (resource_id, role)
);

-- Since when a comment mentions somebody: an edit notifies only those whom it did not mention before.
CREATE TABLE inbox.note_mentions (
    resource_id BIGINT NOT NULL REFERENCES inbox.resources (id) ON DELETE CASCADE,
    person_id   BIGINT NOT NULL REFERENCES inbox.people (id) ON DELETE CASCADE,
    mentioned_at    TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (resource_id, person_id)
);
CREATE INDEX idx_note_mentions_person ON inbox.note_mentions (person_id);

-- The results of merge checks: people are notified once each time that a merge request begins to conflict.
CREATE TABLE inbox.merge_checks (
    resource_id BIGINT NOT NULL REFERENCES inbox.resources (id) ON DELETE CASCADE,
    checked_at  TIMESTAMPTZ NOT NULL,
    conflicting BOOLEAN NOT NULL,
    owners      BIGINT[] NOT NULL,
    PRIMARY KEY (resource_id, checked_at)
);
CREATE INDEX idx_merge_checks_owners ON inbox.merge_checks USING gin (owners);
COMMENT ON COLUMN inbox.merge_checks.owners IS 'Its author and assignees at that time';

-- The results of pipelines: one that succeeds auto-resolves the failures of those before it, by number.
CREATE TABLE inbox.pipelines (
    connection_id BIGINT NOT NULL REFERENCES inbox.connections (id) ON DELETE CASCADE,
    number        BIGINT NOT NULL,
    resource_id   BIGINT NOT NULL REFERENCES inbox.resources (id) ON DELETE CASCADE,
    lane          VARCHAR(600) NOT NULL,
    person_id     BIGINT REFERENCES inbox.people (id) ON DELETE SET NULL,
    succeeded     BOOLEAN,
    ended_at      TIMESTAMPTZ,
    runs_again    BOOLEAN NOT NULL DEFAULT FALSE,
    created_at    TIMESTAMPTZ NOT NULL DEFAULT now(),
    PRIMARY KEY (connection_id, number),
    CHECK ((succeeded IS NULL) = (ended_at IS NULL))
);
COMMENT ON COLUMN inbox.pipelines.lane IS 'The merge request or the branch that they follow one another for';
COMMENT ON COLUMN inbox.pipelines.runs_again IS 'Whether it was started again since it ended: should it fail again, that is news';
CREATE INDEX idx_pipelines_lane ON inbox.pipelines (connection_id, lane, number);
CREATE INDEX idx_pipelines_resource ON inbox.pipelines (resource_id);
CREATE INDEX idx_pipelines_person ON inbox.pipelines (person_id) WHERE person_id IS NOT NULL;
CREATE INDEX idx_pipelines_created_at ON inbox.pipelines (created_at);

-- Namespaces that were deleted at their source: events that arrive late do not bring them back.
CREATE TABLE inbox.deleted_namespaces (
    connection_id BIGINT NOT NULL REFERENCES inbox.connections (id) ON DELETE CASCADE,
    external_id   VARCHAR(100) NOT NULL,
    PRIMARY KEY (connection_id, external_id)
);

-- When somebody last acted on a resource: what was asked of them before that is done.
CREATE TABLE inbox.acts (
    resource_id BIGINT NOT NULL REFERENCES inbox.resources (id) ON DELETE CASCADE,
    person_id   BIGINT NOT NULL REFERENCES inbox.people (id) ON DELETE CASCADE,
    acted_at    TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (resource_id, person_id)
);
CREATE INDEX idx_acts_person ON inbox.acts (person_id);

-- Until when items of an action are auto-resolved for everybody: review requests once the merge request is merged.
CREATE TABLE inbox.auto_resolutions (
    resource_id BIGINT NOT NULL REFERENCES inbox.resources (id) ON DELETE CASCADE,
    action      SMALLINT NOT NULL,
    resolved_until  TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (resource_id, action)
);

-- The members of a namespace, as far as they are known.
CREATE TABLE inbox.members (
    namespace_id BIGINT NOT NULL REFERENCES inbox.namespaces (id) ON DELETE CASCADE,
    person_id    BIGINT NOT NULL REFERENCES inbox.people (id) ON DELETE CASCADE,
    access       SMALLINT NOT NULL,
    changed_at   TIMESTAMPTZ NOT NULL,
    leaves_at    TIMESTAMPTZ,
    PRIMARY KEY (namespace_id, person_id)
);
COMMENT ON COLUMN inbox.members.access IS 'As in GitLab: 0 none, 5 minimal, 10 guest, 15 planner, 20 reporter, 30 developer, 40 maintainer, 50 owner';
COMMENT ON COLUMN inbox.members.leaves_at IS 'When the items of somebody who has lost access are deleted';
CREATE INDEX idx_members_person ON inbox.members (person_id);
CREATE INDEX idx_members_leaving ON inbox.members (leaves_at) WHERE leaves_at IS NOT NULL;

-- The items of the inbox. State: 0 to do, 1 snoozed, 2 done.
CREATE TABLE inbox.notifications (
    id                 BIGINT NOT NULL,
    user_id            BIGINT NOT NULL REFERENCES accounts.users (id) ON DELETE CASCADE,
    read               BOOLEAN NOT NULL DEFAULT FALSE,
    created_at         TIMESTAMPTZ NOT NULL DEFAULT now(),
    updated_at         TIMESTAMPTZ NOT NULL DEFAULT now(),
    namespace_id       BIGINT NOT NULL REFERENCES inbox.namespaces (id) ON DELETE CASCADE,
    snoozed_until      TIMESTAMPTZ,
    saved              BOOLEAN NOT NULL DEFAULT FALSE,
    resolved_by_action SMALLINT CHECK (resolved_by_action BETWEEN 0 AND 4),
    author_id          BIGINT REFERENCES accounts.users (id) ON DELETE SET NULL,
    action             SMALLINT NOT NULL CHECK (action BETWEEN 1 AND 15 OR action BETWEEN 101 AND 104),
    resource_type      SMALLINT NOT NULL CHECK (resource_type BETWEEN 1 AND 10),
    author_person_id   BIGINT REFERENCES inbox.people (id) ON DELETE SET NULL,
    resource_id        BIGINT NOT NULL,
    state              SMALLINT NOT NULL DEFAULT 0 CHECK (state BETWEEN 0 AND 2),
    snoozed_event      VARCHAR(10) CHECK (snoozed_event IN ('comment', 'pipeline', 'merge', 'any')),
    recommended_at     TIMESTAMPTZ NOT NULL GENERATED ALWAYS AS (coalesce(snoozed_until, created_at)) STORED,
    happened_at        TIMESTAMPTZ NOT NULL,
    resolved_at        TIMESTAMPTZ,
    PRIMARY KEY (id, user_id),
    UNIQUE (id, user_id, resource_type, resource_id, namespace_id),
    CHECK ((state = 2) = (resolved_by_action IS NOT NULL)),
    CHECK ((state = 2) = (resolved_at IS NOT NULL)),
    CHECK (state <> 1 OR num_nonnulls(snoozed_until, snoozed_event) > 0),
    CHECK (state = 1 OR snoozed_event IS NULL)
) PARTITION BY HASH (user_id);
COMMENT ON COLUMN inbox.notifications.resource_id IS 'A copy of what the link table says, and held equal to it by its foreign key';
COMMENT ON COLUMN inbox.notifications.happened_at IS 'By the clock of where it comes from: an act after it answers it, one before does not';
COMMENT ON COLUMN inbox.notifications.snoozed_until IS 'Stays when the item is back, and puts it where it came back';
-- A page is one scan of one of these. What a filter asks for lies in them, so that no row is fetched to be left out.
CREATE INDEX idx_notifications_recommended ON inbox.notifications (user_id, state, recommended_at, id)
    INCLUDE (action, resource_type, namespace_id, author_id, author_person_id);
CREATE INDEX idx_notifications_newest ON inbox.notifications (user_id, state, id)
    INCLUDE (action, resource_type, namespace_id, author_id, author_person_id);
CREATE INDEX idx_notifications_saved_recommended ON inbox.notifications (user_id, recommended_at, id)
    INCLUDE (action, resource_type, namespace_id, author_id, author_person_id) WHERE saved;
CREATE INDEX idx_notifications_saved_newest ON inbox.notifications (user_id, id)
    INCLUDE (action, resource_type, namespace_id, author_id, author_person_id) WHERE saved;
-- One that is not done for each user, resource and action, but for mentions and requests for access.
CREATE UNIQUE INDEX idx_notifications_pending ON inbox.notifications (user_id, resource_id, action)
    WHERE state < 2 AND action NOT IN (2, 7, 10);
CREATE INDEX idx_notifications_namespace ON inbox.notifications (namespace_id, user_id);
CREATE INDEX idx_notifications_author ON inbox.notifications (author_id, user_id, id) WHERE author_id IS NOT NULL;
CREATE INDEX idx_notifications_person ON inbox.notifications (author_person_id) WHERE author_person_id IS NOT NULL;
CREATE INDEX idx_notifications_snoozed ON inbox.notifications (snoozed_until) WHERE state = 1;
CREATE INDEX idx_notifications_awaiting ON inbox.notifications (resource_id) WHERE state = 1 AND snoozed_event IS NOT NULL;
CREATE INDEX idx_notifications_resolved ON inbox.notifications (resolved_at) WHERE state = 2 AND NOT saved;

DO $$
BEGIN
    FOR i IN 0..${inboxPartitions} - 1 LOOP
        EXECUTE format(
            'CREATE TABLE inbox.notifications_%s PARTITION OF inbox.notifications FOR VALUES WITH (MODULUS ${inboxPartitions}, REMAINDER %s)
             WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02)', i, i);
    END LOOP;
END $$;

-- The partition that the items of a user lie in: statements that name it are planned like those of a plain table.
CREATE FUNCTION inbox.partition_of(owner BIGINT) RETURNS INTEGER LANGUAGE sql STABLE AS $$
    SELECT partition
    FROM generate_series(0, ${inboxPartitions} - 1) AS partition
    WHERE satisfies_hash_partition('inbox.notifications'::regclass, ${inboxPartitions}, partition, owner)
$$;

-- One link table for each type, with its user so that it lies beside its item. The foreign keys see to it that an item
-- has no link of another type, none to another resource than its own copy says, and none to what does not exist.
DO $$
DECLARE
    links CONSTANT TEXT[] := ARRAY[
        'issue_notifications', 'merge_request_notifications', 'note_notifications', 'commit_notifications',
        'ssh_keys_notification_links', 'post_notifications', 'saga_notifications',
        'knowledge_source_notifications', 'record_notifications', 'namespace_notifications'];
    targets CONSTANT TEXT[] := ARRAY[
        'issues', 'merge_requests', 'notes', 'commits', 'ssh_keys', 'posts', 'sagas',
        'knowledge_sources', 'records', 'namespace_resources'];
BEGIN
    FOR t IN 1..10 LOOP
        EXECUTE format(
            'CREATE TABLE inbox.%1$I (
                 notification_id BIGINT NOT NULL,
                 user_id         BIGINT NOT NULL,
                 resource_type   SMALLINT NOT NULL DEFAULT %3$s CHECK (resource_type = %3$s),
                 resource_id     BIGINT NOT NULL REFERENCES inbox.%2$I (id) ON DELETE CASCADE,
                 namespace_id    BIGINT NOT NULL,
                 PRIMARY KEY (notification_id, user_id)
             ) PARTITION BY HASH (user_id)', links[t], targets[t], t);
        EXECUTE format('CREATE INDEX ON inbox.%I (resource_id, user_id)', links[t]);
        FOR i IN 0..${inboxPartitions} - 1 LOOP
            EXECUTE format(
                'CREATE TABLE inbox.%I PARTITION OF inbox.%I FOR VALUES WITH (MODULUS ${inboxPartitions}, REMAINDER %s)',
                links[t] || '_' || i, links[t], i);
            -- From partition to partition: what lies beside its item need not look for it in all of them.
            EXECUTE format(
                'ALTER TABLE inbox.%I
                     ADD FOREIGN KEY (notification_id, user_id, resource_type, resource_id, namespace_id)
                     REFERENCES inbox.notifications_%s (id, user_id, resource_type, resource_id, namespace_id)
                     ON DELETE CASCADE ON UPDATE CASCADE', links[t] || '_' || i, i);
        END LOOP;
    END LOOP;
END $$;

-- An item and its link are written by one statement, at whose end all of its items have theirs.
CREATE FUNCTION inbox.require_link() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    links CONSTANT TEXT[] := ARRAY[
        'issue_notifications', 'merge_request_notifications', 'note_notifications', 'commit_notifications',
        'ssh_keys_notification_links', 'post_notifications', 'saga_notifications',
        'knowledge_source_notifications', 'record_notifications', 'namespace_notifications'];
    kind   SMALLINT;
    lonely BOOLEAN;
BEGIN
    FOR kind IN SELECT DISTINCT resource_type FROM added LOOP
        EXECUTE format(
            'SELECT EXISTS (SELECT FROM added a WHERE a.resource_type = $1 AND NOT EXISTS (
                 SELECT FROM inbox.%I l WHERE l.user_id = a.user_id AND l.notification_id = a.id))', links[kind])
            INTO lonely USING kind;
        IF lonely THEN
            RAISE EXCEPTION 'an item is about exactly one resource' USING ERRCODE = 'check_violation';
        END IF;
    END LOOP;
    RETURN NULL;
END $$;
CREATE TRIGGER require_link AFTER INSERT ON inbox.notifications REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION inbox.require_link();

-- An item goes with its resource: the foreign key takes the link along, and this the item.
CREATE FUNCTION inbox.drop_unlinked() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM inbox.notifications n USING gone WHERE n.user_id = gone.user_id AND n.id = gone.notification_id;
    RETURN NULL;
END $$;
DO $$
DECLARE
    link TEXT;
BEGIN
    FOREACH link IN ARRAY ARRAY[
        'issue_notifications', 'merge_request_notifications', 'note_notifications', 'commit_notifications',
        'ssh_keys_notification_links', 'post_notifications', 'saga_notifications',
        'knowledge_source_notifications', 'record_notifications', 'namespace_notifications']
    LOOP
        EXECUTE format(
            'CREATE TRIGGER drop_unlinked AFTER DELETE ON inbox.%I REFERENCING OLD TABLE AS gone
             FOR EACH STATEMENT EXECUTE FUNCTION inbox.drop_unlinked()', link);
    END LOOP;
END $$;

-- How many items of each kind somebody has: written with them, so that no count ever differs from its list.
CREATE TABLE inbox.tallies (
    user_id       BIGINT NOT NULL REFERENCES accounts.users (id) ON DELETE CASCADE,
    state         SMALLINT NOT NULL,
    action        SMALLINT NOT NULL,
    resource_type SMALLINT NOT NULL,
    items         BIGINT NOT NULL,
    unread        BIGINT NOT NULL,
    saved         BIGINT NOT NULL,
    version       BIGINT NOT NULL DEFAULT 1,
    PRIMARY KEY (user_id, state, action, resource_type)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);
COMMENT ON COLUMN inbox.tallies.version IS 'Grows with every change of a count: counts that are equal again tell nothing of what changed';

CREATE FUNCTION inbox.tally_added() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO inbox.tallies AS t (user_id, state, action, resource_type, items, unread, saved)
    SELECT user_id, state, action, resource_type,
           count(*), count(*) FILTER (WHERE NOT read), count(*) FILTER (WHERE saved)
    FROM added
    GROUP BY user_id, state, action, resource_type
    ORDER BY user_id, state, action, resource_type
    ON CONFLICT (user_id, state, action, resource_type) DO UPDATE
        SET items = t.items + excluded.items, unread = t.unread + excluded.unread, saved = t.saved + excluded.saved,
            version = t.version + 1;
    RETURN NULL;
END $$;

CREATE FUNCTION inbox.tally_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO inbox.tallies AS t (user_id, state, action, resource_type, items, unread, saved)
    SELECT user_id, state, action, resource_type, sum(items), sum(unread), sum(saved)
    FROM (SELECT user_id, state, action, resource_type, 1 AS items, (NOT read)::int AS unread, saved::int AS saved
          FROM after_change
          UNION ALL
          SELECT user_id, state, action, resource_type, -1, -(NOT read)::int, -saved::int
          FROM before_change) AS change
    GROUP BY user_id, state, action, resource_type
    HAVING sum(items) <> 0 OR sum(unread) <> 0 OR sum(saved) <> 0
    ORDER BY user_id, state, action, resource_type
    ON CONFLICT (user_id, state, action, resource_type) DO UPDATE
        SET items = t.items + excluded.items, unread = t.unread + excluded.unread, saved = t.saved + excluded.saved,
            version = t.version + 1;
    RETURN NULL;
END $$;

-- Without inserting: the tallies may have gone with their account before its items do.
CREATE FUNCTION inbox.tally_gone() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    WITH change AS (
        SELECT user_id, state, action, resource_type,
               count(*) AS items, count(*) FILTER (WHERE NOT read) AS unread, count(*) FILTER (WHERE saved) AS saved
        FROM gone
        GROUP BY user_id, state, action, resource_type
    ), held AS MATERIALIZED (
        SELECT t.user_id, t.state, t.action, t.resource_type, change.items, change.unread, change.saved
        FROM inbox.tallies t
        JOIN change USING (user_id, state, action, resource_type)
        ORDER BY t.user_id, t.state, t.action, t.resource_type
        FOR UPDATE OF t
    )
    UPDATE inbox.tallies t
    SET items = t.items - held.items, unread = t.unread - held.unread, saved = t.saved - held.saved,
        version = t.version + 1
    FROM held
    WHERE t.user_id = held.user_id AND t.state = held.state
      AND t.action = held.action AND t.resource_type = held.resource_type;
    RETURN NULL;
END $$;

CREATE TRIGGER tally_added AFTER INSERT ON inbox.notifications REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION inbox.tally_added();
CREATE TRIGGER tally_changed AFTER UPDATE ON inbox.notifications
    REFERENCING OLD TABLE AS before_change NEW TABLE AS after_change
    FOR EACH STATEMENT EXECUTE FUNCTION inbox.tally_changed();
CREATE TRIGGER tally_gone AFTER DELETE ON inbox.notifications REFERENCING OLD TABLE AS gone
    FOR EACH STATEMENT EXECUTE FUNCTION inbox.tally_gone();

-- Items for people who have no account here yet.
CREATE TABLE inbox.pending_items (
    id               BIGINT PRIMARY KEY,
    person_id        BIGINT NOT NULL REFERENCES inbox.people (id) ON DELETE CASCADE,
    action           SMALLINT NOT NULL,
    resource_id      BIGINT NOT NULL REFERENCES inbox.resources (id) ON DELETE CASCADE,
    author_id        BIGINT REFERENCES accounts.users (id) ON DELETE SET NULL,
    author_person_id BIGINT REFERENCES inbox.people (id) ON DELETE SET NULL,
    happened_at      TIMESTAMPTZ NOT NULL,
    created_at       TIMESTAMPTZ NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX idx_pending_items_pending ON inbox.pending_items (person_id, resource_id, action) WHERE action NOT IN (2, 7, 10);
CREATE INDEX idx_pending_items_person ON inbox.pending_items (person_id, id);
CREATE INDEX idx_pending_items_resource ON inbox.pending_items (resource_id);
CREATE INDEX idx_pending_items_created_at ON inbox.pending_items (created_at);
CREATE INDEX idx_pending_items_author ON inbox.pending_items (author_id) WHERE author_id IS NOT NULL;
CREATE INDEX idx_pending_items_author_person ON inbox.pending_items (author_person_id) WHERE author_person_id IS NOT NULL;

-- What a recipient wants to get; the nearest namespace decides, and within it the preference that names the action.
CREATE TABLE inbox.preferences (
    user_id      BIGINT NOT NULL REFERENCES accounts.users (id) ON DELETE CASCADE,
    namespace_id BIGINT REFERENCES inbox.namespaces (id) ON DELETE CASCADE,
    action       SMALLINT,
    delivery     VARCHAR(5) NOT NULL CHECK (delivery IN ('on', 'off', 'email')),
    UNIQUE NULLS NOT DISTINCT (user_id, namespace_id, action)
);
CREATE INDEX idx_preferences_namespace ON inbox.preferences (namespace_id);
CREATE TABLE inbox.settings (
    user_id   BIGINT PRIMARY KEY REFERENCES accounts.users (id) ON DELETE CASCADE,
    keep_resolved BOOLEAN NOT NULL DEFAULT FALSE
);
-- Items whose owners want a mail that is not written yet.
CREATE TABLE inbox.pending_mails (
    user_id BIGINT NOT NULL,
    item_id BIGINT NOT NULL,
    due_at  TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (user_id, item_id),
    FOREIGN KEY (item_id, user_id) REFERENCES inbox.notifications (id, user_id) ON DELETE CASCADE
);
CREATE INDEX idx_pending_mails_due ON inbox.pending_mails (due_at);
COMMENT ON COLUMN inbox.settings.keep_resolved IS 'Whether auto-resolved items stay until their owner dismisses them';

-- A webhook's call as it came, to be handled afterwards.
CREATE TABLE inbox.deliveries (
    id            BIGINT PRIMARY KEY,
    connection_id BIGINT NOT NULL REFERENCES inbox.connections (id) ON DELETE CASCADE,
    delivery_key  VARCHAR(150) NOT NULL,
    event         VARCHAR(100) NOT NULL,
    payload       BYTEA NOT NULL,
    state         VARCHAR(10) NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'handled', 'ignored', 'failed')),
    attempts      INTEGER NOT NULL DEFAULT 0,
    retries       INTEGER NOT NULL DEFAULT 0,
    next_at       TIMESTAMPTZ NOT NULL DEFAULT now(),
    outcome       VARCHAR(500),
    received_at   TIMESTAMPTZ NOT NULL DEFAULT now(),
    handled_at    TIMESTAMPTZ,
    UNIQUE (connection_id, delivery_key)
) WITH (autovacuum_vacuum_scale_factor = 0.02);
COMMENT ON COLUMN inbox.deliveries.retries IS 'How often it was retried, also where nothing was wrong with it';
CREATE INDEX idx_deliveries_waiting ON inbox.deliveries (next_at, id) WHERE state = 'waiting';
CREATE INDEX idx_deliveries_newest ON inbox.deliveries (connection_id, id);
CREATE INDEX idx_deliveries_kinds ON inbox.deliveries (connection_id, event, state);
CREATE INDEX idx_deliveries_received_at ON inbox.deliveries (received_at);
