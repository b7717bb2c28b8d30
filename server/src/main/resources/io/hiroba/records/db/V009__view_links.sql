-- Views that anybody with a link sees. docs/adr/0104-options-and-views.md says how.
CREATE TABLE records.view_links (
    id         BIGINT      PRIMARY KEY,
    view_id    BIGINT      NOT NULL REFERENCES records.views (id) ON DELETE CASCADE,
    project_id BIGINT      NOT NULL,
    -- Who shared it, and whose access holds. With their membership it goes.
    sharer     BIGINT      NOT NULL,
    token_hash BYTEA       NOT NULL UNIQUE,
    expires_at TIMESTAMPTZ NOT NULL,
    FOREIGN KEY (project_id, sharer) REFERENCES records.members (project_id, user_id) ON DELETE CASCADE
);

CREATE INDEX view_links_view_idx ON records.view_links (view_id, id);
CREATE INDEX view_links_sharer_idx ON records.view_links (project_id, sharer);
