package io.hiroba.accounts.signin;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;

/**
 * 256 random bits that open an account, as text with a prefix that tells people and scanners what was leaked. So many
 * bits need no slow hash: their SHA-256 is stored and looked up.
 */
record Secret(String text) {

    static final String SESSION = "hrs_";
    static final String TOKEN = "hrb_";

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int BYTES = 32;
    private static final int LENGTH = 4 + 43;

    static Secret random(String prefix) {
        var bytes = new byte[BYTES];
        RANDOM.nextBytes(bytes);
        return new Secret(prefix + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
    }

    /** Whether it is worth asking the database. */
    boolean isPlausible(String prefix) {
        return text.length() == LENGTH && text.startsWith(prefix);
    }

    byte[] hash() {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    @Override
    public String toString() {
        return "Secret[…]";
    }
}
