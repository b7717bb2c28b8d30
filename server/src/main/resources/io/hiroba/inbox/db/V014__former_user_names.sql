-- The user names that somebody has had: a claim of one is of its first bearer, not of who takes it over.
ALTER TABLE inbox.people ADD COLUMN former_usernames TEXT[] NOT NULL DEFAULT '{}';
COMMENT ON COLUMN inbox.people.former_usernames IS 'In lower case';

-- Somebody without an address was linked by a claim of a user name. If no claim is of the present one, it was of a former one.
UPDATE inbox.people p
SET former_usernames = claimed.names
FROM (SELECT p.id, array_agg(lower(i.username)) AS names
      FROM inbox.people p
      JOIN inbox.identities i ON i.user_id = p.user_id AND i.username IS NOT NULL
           AND (i.connection_id IS NULL OR i.connection_id = p.connection_id)
      JOIN inbox.connections c ON c.id = p.connection_id AND c.kind = i.provider
      WHERE p.external_id IS NOT NULL AND p.email IS NULL
        AND NOT EXISTS (SELECT FROM inbox.identities now
                        WHERE now.user_id = p.user_id AND lower(now.username) = lower(p.username))
        AND NOT EXISTS (SELECT FROM inbox.people bearer
                        WHERE bearer.user_id = p.user_id AND bearer.connection_id = p.connection_id
                          AND lower(bearer.username) = lower(i.username))
      GROUP BY p.id) AS claimed
WHERE p.id = claimed.id;
