package io.hiroba.platform.http;

import io.hiroba.platform.id.Sha256;
import io.javalin.http.Context;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Optional;

/** A caller's key of one operation, and the hash of its first request. */
record IdempotencyKey(String caller, String key, String requestHash) {

    private static final String HEADER = "Idempotency-Key";

    static Optional<IdempotencyKey> of(Context ctx, String caller, byte[] fingerprint) {
        var key = ctx.header(HEADER);
        if (key == null) {
            return Optional.empty();
        }
        requireShape(key, 255);
        return Optional.of(new IdempotencyKey(caller, key, hash(ctx, fingerprint)));
    }

    static IdempotencyKey of(String caller, String key, String target, byte[] fingerprint) {
        requireShape(key, 255);
        return new IdempotencyKey(caller, key, hash(target, fingerprint));
    }

    /** The key of a part of a request; its number follows a space, which no key has. */
    static IdempotencyKey ofPart(String caller, String key, int part, String target, byte[] fingerprint) {
        requireShape(key, 255);
        return new IdempotencyKey(caller, key + " " + part, hash(target, fingerprint));
    }

    static IdempotencyKey ofForm(Context ctx, String caller, String key, byte[] fingerprint) {
        requireShape(key, 64);
        var hash = hash(ctx, fingerprint);
        return new IdempotencyKey(caller, key + " " + hash, hash);
    }

    private static void requireShape(String key, int maxLength) {
        if (key.isEmpty() || key.length() > maxLength || !key.matches("[\\x21-\\x7e]+")) {
            throw HttpProblem.badIdempotencyKey();
        }
    }

    void requireSame(String stored) {
        if (!stored.equals(requestHash)) {
            throw HttpProblem.idempotencyMismatch();
        }
    }

    private static String hash(Context ctx, byte[] fingerprint) {
        return hash(ctx.method().name() + " " + ctx.path() + "?" + ctx.queryString(), fingerprint);
    }

    private static String hash(String target, byte[] fingerprint) {
        var hash = Sha256.digest();
        hash.update(target.getBytes(StandardCharsets.UTF_8));
        hash.update((byte) 0);
        return HexFormat.of().formatHex(hash.digest(fingerprint));
    }
}
