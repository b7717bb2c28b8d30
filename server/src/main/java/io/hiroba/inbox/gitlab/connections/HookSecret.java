package io.hiroba.inbox.gitlab.connections;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;

/** 256 random bits that a GitLab shows with each call. So many bits need no slow hash: their SHA-256 is stored. */
record HookSecret(String text) {

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final String PREFIX = "hrh_";
    private static final int BYTES = 32;

    static HookSecret random() {
        var bytes = new byte[BYTES];
        RANDOM.nextBytes(bytes);
        return new HookSecret(PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
    }

    byte[] hash() {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    /** Takes as long for a hash that differs in the first place as for one that differs in the last. */
    boolean matches(byte[] hash) {
        return MessageDigest.isEqual(hash(), hash);
    }

    @Override
    public String toString() {
        return "HookSecret[…]";
    }
}
