-- Which part of a reader's home feed stands in social.timelines; see the ADR on bounded timelines. Who has no row here has
-- no timeline: their feed is read from the posts themselves, and so is what lies below the window.
CREATE TABLE social.timeline_windows (
    user_id BIGINT PRIMARY KEY REFERENCES accounts.users (id) ON DELETE CASCADE,
    floor   BIGINT NOT NULL,
    pulled  BIGINT[] NOT NULL,
    read_at TIMESTAMPTZ NOT NULL
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);
COMMENT ON COLUMN social.timeline_windows.floor IS
    'The timeline is complete from this post id on; the highest number while the window is being built';
COMMENT ON COLUMN social.timeline_windows.pulled IS
    'Authors whose posts are read from the posts themselves: the reader, and followees with many followers';
COMMENT ON COLUMN social.timeline_windows.read_at IS 'When the reader last came, to the day';

-- All of it can be made again from posts and follows, and is when its reader comes back. Deleting the rows would keep their
-- space, and take long; feeds are exact without them.
TRUNCATE social.timelines;

-- A reader's rows are few now: what is taken out of them is found along the primary key.
DROP INDEX social.idx_timelines_owned_by;
