package io.hiroba.saga.call;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * The secrets that calls of a service are sent with.
 *
 * @param authorization the value of the header, if the service has credentials
 * @param isReadable false if this node lacks the key that they are encrypted with
 */
record CallSecrets(@Nullable String authorization, List<SigningSecret> signing, boolean isReadable) {

    static final CallSecrets NONE = new CallSecrets(null, List.of(), true);
    static final CallSecrets UNREADABLE = new CallSecrets(null, List.of(), false);

    static final String SIGNATURE = "Hiroba-Signature";

    private static final String ALGORITHM = "HmacSHA256";

    /** A signing key. */
    record SigningSecret(String id, SecretKeySpec key) {

        /** The bytes of the text are the key, as it was shown. */
        static SigningSecret of(String id, String secret) {
            return new SigningSecret(id, new SecretKeySpec(secret.getBytes(StandardCharsets.US_ASCII), ALGORITHM));
        }
    }

    CallSecrets {
        signing = List.copyOf(signing);
    }

    boolean isSigning() {
        return !signing.isEmpty();
    }

    /**
     * The signature of a call: the time, and for each key its id and the HMAC of time, method, path, idempotency key and body, with
     * line feeds in between, which none of the first four can have.
     */
    String signature(Instant now, String path, String idempotencyKey, byte[] body) {
        long time = now.getEpochSecond();
        var head = (time + "\nPOST\n" + path + "\n" + idempotencyKey + "\n").getBytes(StandardCharsets.UTF_8);
        var signature = new StringBuilder("t=").append(time);
        for (var key : signing) {
            signature.append(",kid=").append(key.id()).append(",v1=").append(hmac(key.key(), head, body));
        }
        return signature.toString();
    }

    private static String hmac(SecretKeySpec key, byte[] head, byte[] body) {
        try {
            var mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            mac.update(head);
            return HexFormat.of().formatHex(mac.doFinal(body));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Without the secrets. */
    @Override
    public String toString() {
        return "CallSecrets[%s]"
                .formatted(signing.stream().map(SigningSecret::id).toList());
    }
}
