package io.hiroba.inbox.gitlab;

import io.hiroba.platform.id.Sha256;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;

/**
 * A secret of 256 random bits that GitLab sends with each call. With that much entropy no slow hash is needed: its SHA-256
 * is stored.
 */
record WebhookSecret(String text) {

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final String PREFIX = "hrh_";
    private static final int BYTES = 32;

    static WebhookSecret random() {
        var bytes = new byte[BYTES];
        RANDOM.nextBytes(bytes);
        return new WebhookSecret(
                PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
    }

    byte[] hash() {
        return Sha256.of(text);
    }

    /** Compares in constant time. */
    boolean matches(byte[] hash) {
        return MessageDigest.isEqual(hash(), hash);
    }

    @Override
    public String toString() {
        return "WebhookSecret[…]";
    }
}
