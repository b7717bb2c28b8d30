package io.hiroba.accounts.signup;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.HexFormat;

/**
 * Six digits. So few can be found from any hash by trying them all; hashing them with their request's id keeps them out
 * of sight in a dump, and the attempts and the lifetime do the rest.
 */
record Code(String digits) {

    private static final SecureRandom RANDOM = new SecureRandom();

    static Code random() {
        return new Code("%06d".formatted(RANDOM.nextInt(1_000_000)));
    }

    /** In hex. */
    String hash(CodeId id) {
        try {
            var bytes = (id + ":" + digits).getBytes(StandardCharsets.UTF_8);
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    @Override
    public String toString() {
        return "Code[…]";
    }
}
