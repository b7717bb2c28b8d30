package io.hiroba.activity;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.http.SecretStore;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Signed tokens of unsubscribe links, which hold the user's id. They never expire, since a mail may be read years later, and
 * permit nothing else.
 */
final class UnsubscribeTokens {

    private static final int MAC_LENGTH = 16;
    private static final int LENGTH = Long.BYTES + MAC_LENGTH;

    /** Without padding, and without bits to spare: no other text decodes to the same bytes. */
    private static final int TEXT_LENGTH = LENGTH * 4 / 3;

    private final SecretKeySpec key;

    UnsubscribeTokens(SecretStore secrets) {
        this.key = new SecretKeySpec(secrets.get("unsubscribe-key"), "HmacSHA256");
    }

    String write(UserId user) {
        var token = ByteBuffer.allocate(LENGTH).putLong(user.value()).put(mac(user));
        return Base64.getUrlEncoder().withoutPadding().encodeToString(token.array());
    }

    /** The user of the token, if it was issued here. */
    Optional<UserId> read(String text) {
        if (text.length() != TEXT_LENGTH) {
            return Optional.empty();
        }
        byte[] token;
        try {
            token = Base64.getUrlDecoder().decode(text);
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
        if (token.length != LENGTH) {
            return Optional.empty();
        }
        var user = new UserId(ByteBuffer.wrap(token).getLong());
        boolean ours = MessageDigest.isEqual(Arrays.copyOfRange(token, Long.BYTES, LENGTH), mac(user));
        return ours ? Optional.of(user) : Optional.empty();
    }

    private byte[] mac(UserId user) {
        try {
            var mac = Mac.getInstance(key.getAlgorithm());
            mac.init(key);
            return Arrays.copyOf(
                    mac.doFinal(ByteBuffer.allocate(Long.BYTES)
                            .putLong(user.value())
                            .array()),
                    MAC_LENGTH);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JVM has HmacSHA256", e);
        }
    }
}
