package io.hiroba.activity.digest;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.http.Secrets;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * What stands in the links that end digests: whose they are, signed. A link is good for ever, since a mail may be read
 * years later, and for nothing else.
 */
public final class UnsubscribeTokens {

    private static final int MAC_LENGTH = 16;
    private static final int LENGTH = Long.BYTES + MAC_LENGTH;

    /** Without padding, and without bits to spare: no other text decodes to the same bytes. */
    private static final int TEXT_LENGTH = LENGTH * 4 / 3;

    private final SecretKeySpec key;

    public UnsubscribeTokens(Secrets secrets) {
        this.key = new SecretKeySpec(secrets.get("unsubscribe-key"), "HmacSHA256");
    }

    String write(UserId user) {
        var token = ByteBuffer.allocate(LENGTH).putLong(user.value()).put(mac(user));
        return Base64.getUrlEncoder().withoutPadding().encodeToString(token.array());
    }

    /** Whose token it is; nobody's if it was not written here. */
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
