package io.hiroba.records.sql;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;

/** A SCRAM-SHA-256 verifier of a password, as PostgreSQL stores it (RFC 5802): whoever reads a statement learns no password. */
final class ScramVerifier {

    private static final int ITERATIONS = 4096;
    private static final int SALT_LENGTH = 16;
    private static final int KEY_BITS = 256;
    private static final String HMAC = "HmacSHA256";

    private ScramVerifier() {}

    /** @param password of ASCII characters, which need no normalization */
    static String of(String password, SecureRandom random) {
        var salt = new byte[SALT_LENGTH];
        random.nextBytes(salt);
        try {
            var salted = SecretKeyFactory.getInstance("PBKDF2With" + HMAC)
                    .generateSecret(new PBEKeySpec(password.toCharArray(), salt, ITERATIONS, KEY_BITS))
                    .getEncoded();
            var stored = MessageDigest.getInstance("SHA-256").digest(hmac(salted, "Client Key"));
            return "SCRAM-SHA-256$%d:%s$%s:%s"
                    .formatted(ITERATIONS, encoded(salt), encoded(stored), encoded(hmac(salted, "Server Key")));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JVM has " + HMAC, e);
        }
    }

    private static byte[] hmac(byte[] key, String text) throws GeneralSecurityException {
        var mac = Mac.getInstance(HMAC);
        mac.init(new SecretKeySpec(key, HMAC));
        return mac.doFinal(text.getBytes(StandardCharsets.US_ASCII));
    }

    private static String encoded(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }
}
