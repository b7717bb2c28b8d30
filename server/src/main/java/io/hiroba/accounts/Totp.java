package io.hiroba.accounts;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The secret of an authenticator app and its codes (TOTP, RFC 6238): HMAC-SHA-1, six digits, a step of 30 seconds, which is what
 * every app knows.
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Totp(byte[] secret) {

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int SECRET_BYTES = 20;
    private static final int STEP_SECONDS = 30;
    private static final int MODULUS = 1_000_000;
    private static final String ALGORITHM = "HmacSHA1";
    private static final String BASE_32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

    static Totp random() {
        var secret = new byte[SECRET_BYTES];
        RANDOM.nextBytes(secret);
        return new Totp(secret);
    }

    static long stepAt(Instant time) {
        return Math.floorDiv(time.getEpochSecond(), STEP_SECONDS);
    }

    String codeAt(Instant time) {
        return code(stepAt(time));
    }

    /** The step around {@code now} whose code was typed: the present one, that before, for who types slowly, or the next. */
    OptionalLong stepOf(String typed, Instant now) {
        var bytes = typed.getBytes(StandardCharsets.US_ASCII);
        long present = stepAt(now);
        return LongStream.rangeClosed(present - 1, present + 1)
                .filter(step -> MessageDigest.isEqual(code(step).getBytes(StandardCharsets.US_ASCII), bytes))
                .max();
    }

    private String code(long step) {
        try {
            var mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(secret, ALGORITHM));
            var hash = mac.doFinal(ByteBuffer.allocate(Long.BYTES).putLong(step).array());
            int offset = hash[hash.length - 1] & 0xF;
            int number = ByteBuffer.wrap(hash).getInt(offset) & Integer.MAX_VALUE;
            return "%06d".formatted(number % MODULUS);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JVM has " + ALGORITHM, e);
        }
    }

    /** The secret as people type it into an app: Base32 without padding. */
    String base32() {
        var text = new StringBuilder();
        int buffer = 0;
        int bits = 0;
        for (var each : secret) {
            buffer = (buffer << 8) | (each & 0xFF);
            for (bits += 8; bits >= 5; bits -= 5) {
                text.append(BASE_32.charAt((buffer >> (bits - 5)) & 31));
            }
        }
        return bits == 0
                ? text.toString()
                : text.append(BASE_32.charAt((buffer << (5 - bits)) & 31)).toString();
    }

    @Override
    public String toString() {
        return "Totp[…]";
    }
}
