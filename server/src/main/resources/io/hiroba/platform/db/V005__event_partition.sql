-- The partition of a recipient, for events that the database itself appends: what a cascade does, only a trigger knows.
-- The same mixing as Partitions.of, in numeric because BIGINT does not wrap around.
CREATE FUNCTION platform.event_partition(recipient BIGINT) RETURNS SMALLINT
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
    modulus CONSTANT NUMERIC := 18446744073709551616;
    half    CONSTANT NUMERIC := 9223372036854775808;
    n       NUMERIC;
    z       BIGINT;
BEGIN
    n := (recipient + 11400714819323198485::numeric + modulus) % modulus;
    z := CASE WHEN n >= half THEN n - modulus ELSE n END;
    z := z # ((z >> 30) & ((1::bigint << 34) - 1));
    n := (((z + modulus) % modulus) * 13787848793156543929::numeric) % modulus;
    z := CASE WHEN n >= half THEN n - modulus ELSE n END;
    z := z # ((z >> 27) & ((1::bigint << 37) - 1));
    n := (((z + modulus) % modulus) * 10723151780598845931::numeric) % modulus;
    z := CASE WHEN n >= half THEN n - modulus ELSE n END;
    RETURN (z # (z >> 31)) & 255;
END
$$;
