package io.hiroba.platform.http;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Signed tokens of the links in mails, which hold some ids. Nobody else can make one. */
public final class LinkTokens {

    private static final String ALGORITHM = "HmacSHA256";

    private final SecretKeySpec key;
    private final int contentLength;
    private final int length;

    /**
     * @param ids how many a token holds
     * @param macLength up to 32 bytes; with the ids it makes a multiple of three, so that no other text decodes to the same bytes
     */
    public LinkTokens(byte[] key, int ids, int macLength) {
        this.key = new SecretKeySpec(key, ALGORITHM);
        contentLength = ids * Long.BYTES;
        length = contentLength + macLength;
    }

    public String write(long... ids) {
        var content = ByteBuffer.allocate(contentLength);
        for (long id : ids) {
            content.putLong(id);
        }
        var token = Arrays.copyOf(content.array(), length);
        System.arraycopy(mac(content.array()), 0, token, contentLength, length - contentLength);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(token);
    }

    /** The ids in a token, if it was issued here. */
    public Optional<long[]> read(String text) {
        if (text.length() != length * 4 / 3) {
            return Optional.empty();
        }
        byte[] token;
        try {
            token = Base64.getUrlDecoder().decode(text);
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
        if (token.length != length) {
            return Optional.empty();
        }
        var content = Arrays.copyOf(token, contentLength);
        if (!MessageDigest.isEqual(Arrays.copyOfRange(token, contentLength, length), mac(content))) {
            return Optional.empty();
        }
        var ids = new long[contentLength / Long.BYTES];
        ByteBuffer.wrap(content).asLongBuffer().get(ids);
        return Optional.of(ids);
    }

    private byte[] mac(byte[] content) {
        try {
            var mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            return Arrays.copyOf(mac.doFinal(content), length - contentLength);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JVM has " + ALGORITHM, e);
        }
    }
}
