-- What posts are found by; filled from the event log, so that posting pays nothing. See the ADR on search. The tokens
-- stay in the row, uncompressed, as far as they fit: checking phrases and ranking read them by the thousand.
CREATE TABLE social.post_search (
    post_id  BIGINT PRIMARY KEY REFERENCES social.posts (id) ON DELETE CASCADE,
    owned_by BIGINT NOT NULL,
    tokens   TSVECTOR NOT NULL,
    analysis SMALLINT NOT NULL
) WITH (toast_tuple_target = 8160);
COMMENT ON COLUMN social.post_search.tokens IS 'Made by the program: PostgreSQL''s own parser knows no Japanese';
COMMENT ON COLUMN social.post_search.analysis IS 'The version of the analysis; 0: not analysed yet';

-- What an older analysis has made is found here and made anew.
CREATE INDEX idx_post_search_analysis ON social.post_search (analysis, post_id DESC);

-- The stretches of time a post lies in, from 4 seconds to 50 days, each 16 times as long as the one before. They stand
-- in the same index as the words: whoever looks for a word in one stretch reads no more than the rarer of the two.
CREATE FUNCTION social.search_slices(post BIGINT) RETURNS BIGINT[]
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN ARRAY[
    post >> 32 << 6 | 32, post >> 36 << 6 | 36, post >> 40 << 6 | 40,
    post >> 44 << 6 | 44, post >> 48 << 6 | 48, post >> 52 << 6 | 52];

-- Without a pending list, which every search would have to read from end to end.
CREATE INDEX idx_post_search_tokens ON social.post_search USING gin (tokens, social.search_slices(post_id))
    WITH (fastupdate = off);

-- A window of matches: the newest `most` posts below `below` and not below `down_to` that match and that the viewer may
-- see, with the score to order them by. A score is the binary logarithm of the relevance plus the age in half-lives: it
-- never changes with the clock. The last row has `reached` alone: what is below has not been looked at.
--
-- `keys` is what the index can say of `matching` by itself, without the order of words. The walk goes from the newest
-- backwards, slice by slice, takes longer slices as long as few posts have the keys, and shorter ones where they are too
-- many: what it reads depends on what it returns, not on how many posts hold a word. Where the keys are everywhere and
-- nothing matches, it stops after `effort` posts.
CREATE FUNCTION social.search_window(
    matching tsquery, keys tsquery, words tsquery, viewer BIGINT,
    below BIGINT, down_to BIGINT, most INT, effort INT, half_life_days FLOAT8)
RETURNS TABLE (post_id BIGINT, score BIGINT, reached BIGINT)
LANGUAGE plpgsql STABLE
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
AS $$
DECLARE
    hidden  BIGINT[] := ARRAY(
        SELECT b.blocked_id FROM social.user_blocks b WHERE b.blocker_id = viewer
        UNION ALL
        SELECT b.blocker_id FROM social.user_blocks b WHERE b.blocked_id = viewer);
    -- Right above the next post that there is: time in which nobody wrote costs nothing.
    top     BIGINT;
    shift   INT := 32;
    slice   BIGINT;
    -- Above this, longer slices have proved too long.
    dense   BIGINT := below;
    holders INT;
    matches BIGINT[];
    looked  BIGINT := 0;
    found   INT := 0;
BEGIN
    IF matching IS NOT NULL THEN
        top := (SELECT max(s.post_id) + 1 FROM social.post_search s WHERE s.post_id < below AND s.post_id >= down_to);
    END IF;
    WHILE top IS NOT NULL LOOP
        slice := (top - 1) >> shift;
        SELECT count(*),
               array_agg(c.post_id) FILTER (
                   WHERE (keys = matching OR c.tokens @@ matching) AND c.owned_by <> ALL (hidden))
        INTO holders, matches
        FROM (SELECT s.post_id, s.owned_by, s.tokens
              FROM social.post_search s
              -- The sums keep the primary key out of it: this is for the one index, whatever the planner believes.
              WHERE s.tokens @@ keys
                AND social.search_slices(s.post_id) @> ARRAY[slice << 6 | shift]
                AND s.post_id + 0 < top
                AND s.post_id + 0 >= down_to
              LIMIT CASE WHEN shift > 32 THEN most * 4 + 1 END) AS c;
        looked := looked + holders;
        IF shift > 32 AND holders > most * 4 THEN
            dense := slice << shift;
            shift := shift - 4;
            CONTINUE;
        END IF;
        matches := ARRAY(SELECT m.id FROM unnest(matches) AS m (id) ORDER BY m.id DESC LIMIT most - found);
        RETURN QUERY
        SELECT s.post_id,
               ((ln(greatest(ts_rank(s.tokens, words, 1), 0.0001)::float8) / ln(2::float8)
                   + (s.post_id >> 20) / (86400000.0 * half_life_days)) * 1000000)::bigint,
               NULL::bigint
        FROM unnest(matches) AS m (id)
        JOIN social.post_search s ON s.post_id = m.id;
        found := found + cardinality(matches);
        IF found >= most THEN
            top := matches[cardinality(matches)];
            EXIT;
        END IF;
        top := slice << shift;
        IF holders * 16 <= most AND shift < 52 AND top <= dense THEN
            shift := shift + 4;
        END IF;
        top := (SELECT max(s.post_id) + 1 FROM social.post_search s WHERE s.post_id < top AND s.post_id >= down_to);
        EXIT WHEN looked >= effort;
    END LOOP;
    RETURN QUERY SELECT NULL::bigint, NULL::bigint, coalesce(top, down_to);
END
$$;

-- The versions of the analysis for which all posts have been looked through for such without a row. To delete one
-- has them looked through again.
CREATE TABLE social.search_surveys (
    analysis    SMALLINT PRIMARY KEY,
    finished_at TIMESTAMPTZ NOT NULL DEFAULT now()
);

-- Posts that are older than their search are analysed one after the other, like those of an older analysis.
INSERT INTO social.post_search (post_id, owned_by, tokens, analysis)
SELECT id, owned_by, '', 0 FROM social.posts;
