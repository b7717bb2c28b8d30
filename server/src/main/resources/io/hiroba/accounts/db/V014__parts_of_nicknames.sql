-- Nicknames by any two characters in a row, so that a part of one finds it. See the ADR on the one search.
CREATE FUNCTION accounts.name_pairs(name TEXT) RETURNS TEXT[]
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN (SELECT array_agg(DISTINCT substr(lower(name), n, 2)) FROM generate_series(1, length(name) - 1) AS n);

CREATE INDEX idx_users_name_pairs ON accounts.users USING gin (accounts.name_pairs(nickname)) WITH (fastupdate = off);
