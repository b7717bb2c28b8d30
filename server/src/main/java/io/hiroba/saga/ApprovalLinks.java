package io.hiroba.saga;

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
 * Signed tokens of the links in mails that ask for an approval. Each holds an approval and an assignee, and is good for the one
 * decision of that assignee, until the approval is closed.
 */
final class ApprovalLinks {

    private static final int MAC_LENGTH = 32;
    private static final int LENGTH = 2 * Long.BYTES + MAC_LENGTH;

    /** Without padding, and without bits to spare: no other text decodes to the same bytes. */
    private static final int TEXT_LENGTH = LENGTH * 4 / 3;

    private final SecretKeySpec key;

    ApprovalLinks(SecretStore secrets) {
        this.key = new SecretKeySpec(secrets.get("approval-key"), "HmacSHA256");
    }

    /** The content of a token. */
    record Link(long approval, UserId user) {}

    String write(long approval, UserId user) {
        var content = content(approval, user);
        var token = ByteBuffer.allocate(LENGTH).put(content).put(mac(content));
        return Base64.getUrlEncoder().withoutPadding().encodeToString(token.array());
    }

    /** The content of the token, if it was issued here. */
    Optional<Link> read(String text) {
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
        var content = Arrays.copyOf(token, 2 * Long.BYTES);
        if (!MessageDigest.isEqual(Arrays.copyOfRange(token, 2 * Long.BYTES, LENGTH), mac(content))) {
            return Optional.empty();
        }
        var read = ByteBuffer.wrap(content);
        return Optional.of(new Link(read.getLong(), new UserId(read.getLong())));
    }

    private static byte[] content(long approval, UserId user) {
        return ByteBuffer.allocate(2 * Long.BYTES)
                .putLong(approval)
                .putLong(user.value())
                .array();
    }

    private byte[] mac(byte[] content) {
        try {
            var mac = Mac.getInstance(key.getAlgorithm());
            mac.init(key);
            return mac.doFinal(content);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JVM has HmacSHA256", e);
        }
    }
}
